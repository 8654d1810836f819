import type { Gap, Provenance } from '../core/mapping/result.ts';
import type { Actor, AskedTerms, Banner, Entries, MappedBy, Problem } from './case.ts';
import type { FollowedBy } from './followed-by.ts';
import type { StoredSignature } from './signature.ts';

/** The small part, read with every case. */
export interface CaseHead {
  readonly patient: string;
  readonly order: string;
  readonly encounter?: string;
  readonly prescriber?: string;
  readonly coverage?: string;
  readonly launch: string;
  readonly banner: Banner;
  readonly title: string;
  /** Search terms: every name that the chart's order has for the drug. */
  readonly drugNames?: readonly string[];
  readonly payer?: string;
  readonly prescriberName?: string;
  readonly memberId?: string;
  readonly askedTerms?: AskedTerms;
  /** The number of answers that the draft needed when its page was last shown. */
  readonly needed?: number;
  /** Names of users, by the actor that events store: `Practitioner/12`. */
  readonly users: Readonly<Record<string, string>>;
  readonly cancellation?: string;
  readonly others?: readonly string[];
  readonly problem?: Problem;
  /** Actor keys as in events: `Practitioner/12`. */
  readonly owner?: string;
  readonly assigned?: string;
  /** After a takeover: the person to notify, and who took the case over. */
  readonly told?: { readonly person: string; readonly by: string };
  /** For colleagues; never sent and never written to the chart. Oldest first. */
  readonly notes?: readonly Note[];
  /** The order of the draft has ended in the chart, so no request can be made for it. */
  readonly orderEnded?: boolean;
  /** Whether the work after the end is done. */
  readonly done?: boolean;
  /** The newer request that replaces this request. */
  readonly followed?: FollowedBy;
  /** The chart has a security label that restricts access. */
  readonly restricted?: boolean;
  /** The prescriber's approval of the draft, or of the current request. */
  readonly signature?: StoredSignature;
  /** The sender of the current request. */
  readonly sentBy?: Actor;
}

export interface Note {
  readonly at: string;
  readonly by: string;
  readonly text: string;
}

/** The content of one sent request, with the data needed to return the case to that request. */
export interface SubmissionContent {
  readonly body: unknown;
  readonly provenance: readonly Provenance[];
  readonly gaps: readonly Gap[];
  readonly mappedBy: MappedBy;
  readonly codeTitles?: Readonly<Record<string, string>>;
  readonly by: Actor;
  readonly launch: string;
  readonly title: string;
  readonly prescriber?: string;
  readonly coverage?: string;
  readonly encounter?: string;
  /** The entries of the draft at the time of sending. */
  readonly draft: Entries;
  readonly signature?: StoredSignature;
}
