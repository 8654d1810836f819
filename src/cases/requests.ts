import type { Edits, Gap, Provenance } from '../core/mapping/result.ts';
import type { Answers } from '../core/roles/chart.ts';
import type {
  Actor,
  Attached,
  Banner,
  Carried,
  CaseKind,
  Consent,
  ConsentEntry,
  Entered,
  Entries,
  MappedBy,
  Replaced,
  SheetEntries,
  User,
} from './case.ts';

/** What a review page knows when it opens the draft of an order. */
export interface DraftRequest {
  readonly site: string;
  /** `Patient/123`, or the id alone; also below. */
  readonly patient: string;
  /** `MedicationRequest/9` */
  readonly order: string;
  readonly kind: CaseKind;
  /** Id of the launch it is opened from. */
  readonly launch: string;
  readonly banner: Banner;
  /** The drug, for lists and letters. */
  readonly title: string;
  /** The rules that fill the draft. */
  readonly mappedBy: MappedBy;
  readonly encounter?: string;
  readonly prescriber?: string;
  readonly coverage?: string;
  /** The person who opens it, and owns a new case. */
  readonly by?: User;
  /** The chart carries a security label that restricts access. */
  readonly restricted?: boolean;
  /** A person asked for a new request although one for this order has ended. */
  readonly anew?: boolean;
}

export interface DraftEdits {
  readonly edits?: Edits;
  readonly answers?: Answers;
  readonly enteredFor?: Readonly<Record<string, string>>;
  readonly enteredBy?: Readonly<Record<string, Entered>>;
  readonly setAside?: Readonly<Record<string, Edits>>;
  readonly setAsideBy?: Readonly<Record<string, Readonly<Record<string, Entered>>>>;
  readonly replaced?: Readonly<Record<string, Replaced>>;
  /** Either of the two replaces both. */
  readonly consent?: Consent;
  readonly consentEntry?: ConsentEntry;
  /** Adds one file to those that are attached, or takes one away by its id. */
  readonly attach?: Attached;
  readonly detach?: string;
  readonly carried?: Carried;
  readonly sheet?: SheetEntries;
  /** The rules under which a person has looked through the draft, and the values that were shown. */
  readonly mappedBy?: MappedBy;
  readonly shown?: Readonly<Record<string, string>>;
  /** The coverage and the rest that selection chose, kept for the Task. */
  readonly coverage?: string;
  readonly prescriber?: string;
  /** The drug as it is about to be sent. */
  readonly title?: string;
  /** `fingerprintOf` the request as it would go now, where it is at hand: tells whether a signature still fits. */
  readonly digest?: string;
  /** For the worklist: payer, prescriber, member ID, and how many answers the page asked for when last shown. */
  readonly payer?: string;
  readonly needed?: number;
  readonly prescriberName?: string;
  readonly memberId?: string;
  /** To be found by: every name that the chart's order has for the drug. */
  readonly drugNames?: readonly string[];
}

/**
 * The entries, computed from those stored at the moment of saving, so that two people who save at once each change
 * their own fields. Called under the lock of the case, so it must be pure.
 */
export type DraftRevision = (entries: Entries) => DraftEdits;

export interface Submission {
  readonly body: unknown;
  readonly provenance: readonly Provenance[];
  readonly gaps: readonly Gap[];
  /** The rules that made `body`. */
  readonly mappedBy: MappedBy;
  /** Titles of its diagnosis codes, by code: a body has the codes alone. */
  readonly codeTitles?: Readonly<Record<string, string>>;
  readonly by: Actor;
  /** `patientMark` of the chart that the page showed; another one is refused with case_changed. */
  readonly expectedPatient: string;
  /** The launch it is sent from, when it is not the one that opened the draft. */
  readonly launch?: string;
  /** Who sends signs it with that; throws sign_refused for who may not. */
  readonly signs?: boolean;
  /** Ids of cases for the same drug and prescriber that the person has seen and wants to send this one beside. */
  readonly duplicatesSeen?: readonly string[];
}

export interface Owner {
  readonly site: string;
  readonly patient: string;
}
