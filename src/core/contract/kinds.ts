import type { z } from 'zod';
import type { AnswersSheet } from './answers-sheet.ts';
import { type BenefitVerification, CreateBenefitVerificationRequest } from './benefit-verification.ts';
import { CreateEnrollmentRequest } from './enrollment.ts';
import type { PriorAuthorization } from './prior-authorization.ts';
import { type PriorAuthRequest, priorAuthContracts } from './profiles.ts';

/** The kinds of request, as sites, mappings and cases name them. */
export const kinds = ['prior-auth', 'enrollment', 'benefit-verification'] as const;
export type Kind = (typeof kinds)[number];

/** What a chart is mapped to: the requests, and the sheet of answers that goes with them and is none by itself. */
export const mappingKinds = [...kinds, 'answers'] as const;
export type MappingKind = (typeof mappingKinds)[number];

/** The name of a mapping of each kind. */
export type NamesByKind = Readonly<Record<MappingKind, string>>;

/** The package's own mappings are called as their kind. */
export const baseNames: NamesByKind = {
  'prior-auth': 'prior-auth',
  enrollment: 'enrollment',
  'benefit-verification': 'benefit-verification',
  answers: 'answers',
};

/** What is sent of each kind. */
export interface RequestOf {
  readonly 'prior-auth': PriorAuthRequest;
  readonly enrollment: CreateEnrollmentRequest;
  readonly 'benefit-verification': CreateBenefitVerificationRequest;
}

/** What a mapping of each kind fills. */
export interface BodyOf extends RequestOf {
  readonly answers: AnswersSheet;
}

/** The contracts of what is sent of each kind: of a prior authorization one for each profile. */
export const contractsOf: Readonly<Record<Kind, readonly z.ZodType[]>> = {
  'prior-auth': priorAuthContracts.map(({ schema }) => schema),
  enrollment: [CreateEnrollmentRequest],
  'benefit-verification': [CreateBenefitVerificationRequest],
};

/** What the service keeps of a request and answers with; of an enrollment nothing. */
export interface RecordOf {
  readonly 'prior-auth': PriorAuthorization;
  readonly 'benefit-verification': BenefitVerification;
}
export type RecordKind = keyof RecordOf;
export type ServiceRecord = RecordOf[RecordKind];

/** A record with the kind of the request that it is about. */
export type KindRecord = {
  readonly [Of in RecordKind]: { readonly kind: Of; readonly record: RecordOf[Of] };
}[RecordKind];

/** Whether the service has a record of such a request, which is followed to its end. */
export function hasRecord(kind: Kind): kind is RecordKind {
  return kind !== 'enrollment';
}

/** The record that a case of this kind was given: of its own kind alone, and never any for an enrollment. */
export function kindRecord(kind: Kind, record: ServiceRecord): KindRecord {
  return { kind: kind === 'benefit-verification' ? kind : 'prior-auth', record } as KindRecord; // as it was read
}
