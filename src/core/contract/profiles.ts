import type { z } from 'zod';
import { isObject } from '../fhir/is-object.ts';
import { CreateCodedPriorAuthRequest, CreatePriorAuthRequest as CurrentRequest } from './current.ts';
import { CreatePriorAuthRequest as DocumentedRequest } from './documented.ts';
import type { LeafOf } from './leaf-of.ts';
import type { PrescriptionForm, Profile } from './profile.ts';

export type PriorAuthRequest = DocumentedRequest | CurrentRequest | CreateCodedPriorAuthRequest;

export type PriorAuthLeaf = LeafOf<
  typeof DocumentedRequest | typeof CurrentRequest | typeof CreateCodedPriorAuthRequest
>;

/** One contract of `POST /prior-authorization`, with its profile and form of prescription. */
export interface PriorAuthContract {
  readonly profile: Profile;
  readonly prescription: PrescriptionForm;
  readonly schema: z.ZodType<PriorAuthRequest>;
  /** The package's mapping to this contract. */
  readonly mapping: string;
}

export const priorAuthContracts: readonly PriorAuthContract[] = [
  { profile: 'documented', prescription: 'named', schema: DocumentedRequest, mapping: 'prior-auth' },
  { profile: 'current', prescription: 'named', schema: CurrentRequest, mapping: 'prior-auth-current' },
  { profile: 'current', prescription: 'coded', schema: CreateCodedPriorAuthRequest, mapping: 'prior-auth-coded' },
];

/** The settings of a site that select the contract. */
export interface Spoken {
  readonly profile: Profile;
  readonly prescription: PrescriptionForm;
}

export function contractOf({ profile, prescription }: Spoken): PriorAuthContract {
  const found = priorAuthContracts.find((one) => one.profile === profile && one.prescription === prescription);
  if (found === undefined) throw new TypeError(`no contract has the profile ${profile} and the drug ${prescription}`);
  return found;
}

/** The contract that a body is validated against: the profile `current` has one for each way to identify the drug. */
export function contractFor(profile: Profile, body: unknown): z.ZodType<PriorAuthRequest> {
  const prescription = isObject(body) ? body.prescription : undefined;
  const isCoded = isObject(prescription) && 'ndc' in prescription;
  return contractOf({ profile, prescription: isCoded && profile === 'current' ? 'coded' : 'named' }).schema;
}
