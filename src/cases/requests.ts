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

/** The data with which a review page opens the draft of an order. */
export interface DraftRequest {
  readonly site: string;
  /** `Patient/123`, or the id alone. */
  readonly patient: string;
  /** `MedicationRequest/9` */
  readonly order: string;
  readonly kind: CaseKind;
  /** Id of the launch that opens the draft. */
  readonly launch: string;
  readonly banner: Banner;
  /** The drug, for lists and letters. */
  readonly title: string;
  /** The rules that fill the draft. */
  readonly mappedBy: MappedBy;
  readonly encounter?: string;
  readonly prescriber?: string;
  readonly coverage?: string;
  /** The person who opens the draft. They become the owner if the case is new. */
  readonly by?: User;
  /** The chart has a security label that restricts access. */
  readonly restricted?: boolean;
  /** A person asked for a new request although a request for this order has ended. */
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
  /** A change of `consent` or `consentEntry` replaces both. */
  readonly consent?: Consent;
  readonly consentEntry?: ConsentEntry;
  /** `attach` adds an attached file; `detach` removes a file by its id. */
  readonly attach?: Attached;
  readonly detach?: string;
  readonly carried?: Carried;
  readonly sheet?: SheetEntries;
  /** The rules that applied when a person reviewed the draft, and the values that were shown. */
  readonly mappedBy?: MappedBy;
  readonly shown?: Readonly<Record<string, string>>;
  /** References that were chosen from the chart, stored for the Task. */
  readonly coverage?: string;
  readonly prescriber?: string;
  /** The drug of the request that is about to be sent. */
  readonly title?: string;
  /** `fingerprintOf` the request as it would be sent now. It shows whether a signature is still valid. */
  readonly digest?: string;
  /** For the worklist: payer, prescriber, member ID, and the number of answers that the page last asked for. */
  readonly payer?: string;
  readonly needed?: number;
  readonly prescriberName?: string;
  readonly memberId?: string;
  /** Search terms: every name that the chart's order has for the drug. */
  readonly drugNames?: readonly string[];
}

/**
 * Computes the entries from the stored ones while saving, so that two people who save at once each change only their
 * own fields. It runs under the lock of the case, so it must be pure.
 */
export type DraftRevision = (entries: Entries) => DraftEdits;

export interface Submission {
  readonly body: unknown;
  readonly provenance: readonly Provenance[];
  readonly gaps: readonly Gap[];
  /** The rules that produced `body`. */
  readonly mappedBy: MappedBy;
  /** Display titles of the request's diagnosis codes, by code: a body has only the codes. */
  readonly codeTitles?: Readonly<Record<string, string>>;
  readonly by: Actor;
  /** `patientMark` of the chart that the page showed; if it differs, case_changed is thrown. */
  readonly expectedPatient: string;
  /** The launch that sends the request, if it differs from the launch that opened the draft. */
  readonly launch?: string;
  /** The sender signs by sending; throws sign_refused if the sender may not sign. */
  readonly signs?: boolean;
  /** Ids of cases for the same drug and prescriber that the person saw before sending this request. */
  readonly duplicatesSeen?: readonly string[];
}

export interface Owner {
  readonly site: string;
  readonly patient: string;
}
