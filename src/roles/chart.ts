import type { MappingInput, Root } from '../mapping/input.ts';

/** The roles that mappings speak of; see the design, "Mapping modules". */
export const roles = [
  'patient', // Patient
  'name', // the one HumanName of %patient that is current
  'address', // the one Address of %patient that is current
  'contact', // the current ContactPoints of %patient, the preferred first
  'order', // the focal MedicationRequest
  'medication', // Medication (contained, referenced) when there is one
  'drug', // the CodeableConcept that names the ordered drug: of %medication, or of %order
  'dose', // the Dosage entries of %order that carry the instructions, in their sequence
  'sig', // { patientInstruction } or { text }: the directions as one text; placeholders and repetitions taken out
  'regimen', // a number: the days that the ordered quantity lasts, only when a regular dose makes it certain
  'prescriber', // Practitioner
  'prescriberName', // the one HumanName of %prescriber that is current
  'prescriberNpi', // the one Identifier that is the prescriber's own NPI
  'prescriberAddress', // the one Address: of Practitioner, PractitionerRole's Location, Organization, in this order
  'prescriberContact', // current ContactPoints: of Practitioner, PractitionerRole, Location, Organization, in this order
  'prescriberRole', // PractitionerRole through which the prescriber was found
  'practice', // Location and Organization of %prescriberRole or %encounter
  'encounter', // Encounter of %order when known
  'coverage', // Coverage
  'payer', // Organization (contained, referenced) of %coverage
  'card', // Attachment or Binary with `data`, per insurance card image
  'diagnosis', // CodeableConcepts, in order of rank
  'pharmacy', // Organization or Location named as dispenseRequest.performer
  'evidence', // what goes of the findings, each under the name of its kind; see src/evidence/choose.ts
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
  /** Evidence: its kind (`Prior Therapy`, `Lab Result`), for headings. */
  readonly group?: string;
  /** Evidence: what it says, beside the label. */
  readonly detail?: string;
  /** Evidence: worth sending for this drug; `reason` says why. Never true of what is sensitive. */
  readonly suggested?: boolean;
  /** Evidence: a sensitive category (`mental health`). */
  readonly sensitive?: string;
  /** Evidence: it goes with the request. */
  readonly taken?: true;
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
  /** References of evidence items to send; absent as long as nobody has chosen, empty when a person wants none. */
  readonly evidence?: readonly string[];
}
