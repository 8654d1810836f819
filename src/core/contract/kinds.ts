import type { z } from 'zod';
import type { AnswersSheet } from './answers-sheet.ts';
import { type BenefitVerification, CreateBenefitVerificationRequest } from './benefit-verification.ts';
import { CreateEnrollmentRequest } from './enrollment.ts';
import type { PriorAuthorization } from './prior-authorization.ts';
import { type PriorAuthRequest, priorAuthContracts } from './profiles.ts';

/** The kinds of request, by the names that sites, mappings and cases use. */
export const kinds = ['prior-auth', 'enrollment', 'benefit-verification'] as const;
export type Kind = (typeof kinds)[number];

/**
 * What a chart is mapped to: the requests, and the answers sheet, which accompanies them and is not a request itself.
 */
export const mappingKinds = [...kinds, 'answers'] as const;
export type MappingKind = (typeof mappingKinds)[number];

export type NamesByKind = Readonly<Record<MappingKind, string>>;

export const baseNames: NamesByKind = {
  'prior-auth': 'prior-auth',
  enrollment: 'enrollment',
  'benefit-verification': 'benefit-verification',
  answers: 'answers',
};

export interface RequestOf {
  readonly 'prior-auth': PriorAuthRequest;
  readonly enrollment: CreateEnrollmentRequest;
  readonly 'benefit-verification': CreateBenefitVerificationRequest;
}

export interface BodyOf extends RequestOf {
  readonly answers: AnswersSheet;
}

/**
 * The contracts of each kind's request body; a prior authorization has one for each profile and form of prescription.
 */
export const contractsOf: Readonly<Record<Kind, readonly z.ZodType[]>> = {
  'prior-auth': priorAuthContracts.map(({ schema }) => schema),
  enrollment: [CreateEnrollmentRequest],
  'benefit-verification': [CreateBenefitVerificationRequest],
};

/** The service's record of a request; an enrollment has none. */
export interface RecordOf {
  readonly 'prior-auth': PriorAuthorization;
  readonly 'benefit-verification': BenefitVerification;
}
export type RecordKind = keyof RecordOf;
export type ServiceRecord = RecordOf[RecordKind];

export type KindRecord = {
  readonly [Of in RecordKind]: { readonly kind: Of; readonly record: RecordOf[Of] };
}[RecordKind];

export function hasRecord(kind: Kind): kind is RecordKind {
  return kind !== 'enrollment';
}

/**
 * A record with the kind of its case. A case only receives records of its own kind, and an enrollment never has one.
 */
export function kindRecord(kind: Kind, record: ServiceRecord): KindRecord {
  return { kind: kind === 'benefit-verification' ? kind : 'prior-auth', record } as KindRecord; // read by its schema
}
