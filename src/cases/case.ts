import type { ErrorCode, ErrorFacts } from '../errors.ts';
import type { Edits, Gap, Provenance } from '../mapping/result.ts';
import type { Answers } from '../roles/chart.ts';
import type { PriorAuthorization, Status } from '../service/contract.ts';
import type { LedgerEntry } from '../writeback/ledger.ts';

export type { LedgerEntry };

export type CaseKind = 'prior-auth' | 'enrollment';

/**
 * `draft`: being reviewed; `sending`: intent stored, request under way; `unknown`: sent, the answer was lost;
 * `refused`: the service said no, may be edited and sent again; `open`: the service works on it; `ended`: a terminal
 * status.
 */
export const caseStates = ['draft', 'sending', 'unknown', 'refused', 'open', 'ended'] as const;
export type CaseState = (typeof caseStates)[number];

/** Who did something: the user of the launch as far as the EHR named them, or the bridge itself. */
export type Actor = User | 'bridge';

export interface User {
  /** `Practitioner/12` */
  readonly fhirUser?: string;
  readonly name?: string;
}

/** The user in words: the name where the EHR gave one. */
export function userText({ fhirUser, name }: User): string {
  return name ?? fhirUser ?? 'a user whom the EHR did not name';
}

/** One prior authorization or enrollment and its life. What is about the patient is sealed in the store. */
export interface Case {
  /** UUID; also our submission id in `prescription.extra.submission_id`. */
  readonly id: string;
  readonly kind: CaseKind;
  readonly site: string;
  /** `Patient/123`, `MedicationRequest/9`, ... at the site's EHR. */
  readonly patient: string;
  readonly order: string;
  readonly encounter?: string;
  readonly prescriber?: string;
  readonly coverage?: string;
  /** The launch it was sent from; its token may deliver the outcome. */
  readonly launch: string;
  readonly state: CaseState;
  /** Last status the service's record had. */
  readonly status?: Status;
  /** Id at the service. */
  readonly serviceId?: string;
  /** For the patient banner and lists. */
  readonly banner: { readonly name: string; readonly birthDate?: string; readonly sex?: string; readonly mrn?: string };
  readonly title: string;
  /** What the person entered and chose; kept over a re-pull. */
  readonly edits: Edits;
  readonly answers: Answers;
  /** Of the insurance fields in `edits`: the coverage that was chosen when the person changed them, by target. */
  readonly enteredFor?: Readonly<Record<string, string>>;
  /** Who made each entry of `edits`, by target. Absent for what was entered before this was kept. */
  readonly enteredBy?: Readonly<Record<string, User>>;
  /**
   * Sent: the rules that made `body`. Draft: the rules under which a person last looked through it.
   * Absent in what was stored before versions were kept.
   */
  readonly mappedBy?: MappedBy;
  /** Of a draft: the values that the person then saw, by target; see web/rules-change.ts. */
  readonly shown?: Readonly<Record<string, string>>;
  /** Enrollment: who consented, when and how it was recorded. */
  readonly consent?: { readonly by: string; readonly on: string; readonly how: string; readonly recordedBy: User };
  /** What was typed about a consent and is none yet: kept to be completed, never sent on. Never beside `consent`. */
  readonly consentEntry?: ConsentEntry;
  /** As sent. */
  readonly body?: unknown;
  readonly provenance?: readonly Provenance[];
  readonly gaps?: readonly Gap[];
  /** The last record read from the service, without anything about an outcome until it has finished. */
  readonly record?: PriorAuthorization;
  readonly problem?: Problem;
  readonly history: readonly HistoryEntry[];
  readonly writes: readonly LedgerEntry[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sentAt?: string;
  readonly sentBy?: Actor;
  /** When the service's record was last read, and when its status last changed. */
  readonly readAt?: string;
  readonly changedAt?: string;
  readonly endedAt?: string;
  /** The reason a person gave for cancelling; the Task in the chart states it once the service has cancelled. */
  readonly cancellation?: string;
  /** A request of this case left and, as a person said, did not arrive. Its record may still come to light. */
  readonly notArrived?: NotArrived;
  /**
   * Further records of ours at the service, by their ids: a request did arrive, and another was sent meanwhile. Only
   * `serviceId` is followed.
   */
  readonly others?: readonly string[];
}

/**
 * The rules that make a request: a mapping or overlay by its name, and the version of what it compiles to
 * (`versionOf`).
 */
export interface MappedBy {
  readonly mapping: string;
  readonly version: string;
}

export interface NotArrived {
  readonly at: string;
  /** The case as its request left, since the draft may be changed and sent again. */
  readonly left: Omit<Case, 'history' | 'writes' | 'problem' | 'notArrived' | 'others'>;
}

/** The consent block as typed; each part may be empty. */
export interface ConsentEntry {
  readonly by: string;
  readonly on: string;
  readonly how: string;
}

/** What stands in the way: of sending (drafts), or of reading the record (open cases). */
export interface Problem {
  readonly code: ErrorCode;
  /** Title and what to do next. */
  readonly text: string;
  /** Safe facts, for the operator: `http`, `service_code`. */
  readonly facts?: ErrorFacts;
  /** Paths into the body that the service named. */
  readonly fields?: readonly string[];
  readonly at: string;
}

export interface HistoryEntry {
  readonly at: string;
  readonly what: string;
  readonly by: Actor;
}

/** `Patient/123` from it or from the id alone. */
export function patientReference(patient: string): string {
  return patient.startsWith('Patient/') ? patient : `Patient/${patient}`;
}
