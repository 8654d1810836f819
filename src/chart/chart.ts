import type { MappingInput, Root } from '../mapping/input.ts';

/** The roles that mappings speak of; see the design, "Mapping modules". */
export const roles = [
  'patient', // Patient
  'name', // the one HumanName of %patient that is current
  'address', // the one Address of %patient that is current
  'order', // the focal MedicationRequest
  'medication', // Medication (contained, referenced) when there is one, else the order's medicationCodeableConcept as { code }
  'dose', // the ordered Dosage entries of %order that carry the instructions
  'prescriber', // Practitioner
  'prescriberRole', // PractitionerRole through which the prescriber was found
  'practice', // Organization or Location that gives the practice's address and telecom
  'encounter', // Encounter of %order when known
  'coverage', // Coverage
  'payer', // Organization (contained, referenced) of %coverage
  'card', // { file_content } per insurance card image, base64
  'diagnosis', // CodeableConcepts, in order of rank
  'pharmacy', // Organization or Location named as dispenseRequest.performer
  'evidence', // { title, date_created, content } items that a person ticked
  'site', // { country, programId, ... } from the site's configuration
  'submission', // { id } of ours, when the request is about to be sent
] as const;
export type Role = (typeof roles)[number];

/** One decision of chart selection, shown to the user with its reasons. */
export interface Choice {
  readonly role: Role;
  /** `Coverage/2`; absent when none was chosen. */
  readonly chosen?: string;
  readonly reason: string;
  readonly candidates: readonly Candidate[];
}

export interface Candidate {
  readonly reference: string;
  readonly label: string;
  readonly fits: boolean;
  /** Why this one, or why not. */
  readonly reason: string;
}

/** The resources chosen for one request, each with its reason. Everything the mapping sees is in `roots`. */
export interface Chart extends MappingInput {
  readonly roots: Readonly<Record<Role, Root>>;
  /** `Patient/123` and `MedicationRequest/9` as the source names them. */
  readonly patient: string;
  readonly order: string;
  readonly choices: readonly Choice[];
  /** What the reader should know and no leaf shows: dropped foreign resources, implausible dose, truncated search. */
  readonly warnings: readonly string[];
}

/** What a person or the caller decided beforehand. */
export interface Answers {
  /** `Coverage/2` */
  readonly coverage?: string;
  /** ICD-10-CM codes, or `Condition/3` references, in order. */
  readonly diagnoses?: readonly string[];
  /** References of evidence items to send. */
  readonly evidence?: readonly string[];
}
