import type { Case } from '../../../cases/case.ts';
import type { Round } from '../../../cases/rounds/round.ts';
import type { Candidate } from '../../../core/roles/chart.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import type { Effort } from '../../../store/types.ts';
import type { QuestionAnswers } from '../../request/reply-answers.ts';
import type { AppealDeadline } from './appeal.ts';
import type { Follow } from './follow-links.tsx';

/** URLs of documents on the bridge's own pages. */
export interface Documents {
  /** The bridge's summary, once the payer has decided. */
  readonly summary?: string;
  /** The payer's own letter, if the bridge has stored it. */
  readonly payerLetter?: string;
}

/** A refused reply, as it was typed. */
/** A field of the files that a person adds to a reply. */
export type FileField = 'file' | 'file-title' | 'file-date';

export interface TypedReply {
  readonly round: number;
  readonly text: string;
  readonly ticked: readonly string[];
  /** Keys of the checked answers. */
  readonly answers: readonly string[];
  readonly completes: boolean;
  readonly why: string;
  /** The field of the own files that is at fault; left out when it is the reply as a whole. */
  readonly field?: FileField | undefined;
}

export interface CaseView {
  readonly launch: Launch;
  readonly case: Case;
  /** `Cases.seen` of the version that this page shows. */
  readonly seen: string;
  readonly home: string;
  readonly here: string;
  readonly token: string;
  readonly documents: Documents;
  /** The work of people on the case so far; only for staff. */
  readonly effort?: Effort | undefined;
  /** Present only after a denial. */
  readonly appeal?: AppealDeadline | undefined;
  /** Link to the record in the service's platform, if it is safe to open. */
  readonly platform?: string | undefined;
  /** Chart documents that can be sent with a reply; absent if the chart has none, or no question is open. */
  readonly candidates?: readonly Candidate[] | undefined;
  readonly typed?: TypedReply | undefined;
  readonly follow: Follow;
  /**
   * For an ended request: the URL of an open request for the same order, or of the request that replaced this request.
   */
  readonly started?: string | undefined;
  /** Numbers of the rounds whose question is stored for later requests. */
  readonly kept?: ReadonlySet<number> | undefined;
  /** The chart's answers to a question that can be replied to now. */
  readonly answers?: (round: Round) => QuestionAnswers;
  /** The date at the site, YYYY-MM-DD. */
  readonly today: string;
}
