import type { Case } from '../../../cases/case.ts';
import type { Round } from '../../../cases/rounds/round.ts';
import type { Candidate } from '../../../core/roles/chart.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import type { Effort } from '../../../store/types.ts';
import type { QuestionAnswers } from '../../request/reply-answers.ts';
import type { AppealDeadline } from './appeal.ts';
import type { Follow } from './follow-links.tsx';

/** Where a document can be opened on the bridge's own pages. */
export interface Documents {
  /** Of our summary, once there is a decision of the payer. */
  readonly summary?: string;
  /** Of the payer's own letter, when it is kept here. */
  readonly payerLetter?: string;
}

/** A reply that was not taken, as somebody typed it. */
export interface TypedReply {
  readonly round: number;
  readonly text: string;
  readonly ticked: readonly string[];
  /** Keys of the answers that were checked. */
  readonly answers: readonly string[];
  readonly completes: boolean;
  readonly why: string;
}

export interface CaseView {
  readonly launch: Launch;
  readonly case: Case;
  /** Names what this page shows; see `Cases.seen`. */
  readonly seen: string;
  readonly home: string;
  readonly here: string;
  readonly token: string;
  /** What can be opened here. */
  readonly documents: Documents;
  /** The work of people on it so far; for staff. */
  readonly effort?: Effort | undefined;
  /** Only after a denial. */
  readonly appeal?: AppealDeadline | undefined;
  /** Link to the record in the service's platform, when it is safe to follow. */
  readonly platform?: string | undefined;
  /** Documents of the chart that can go with a reply; absent where the chart offers none, or nobody is asked. */
  readonly candidates?: readonly Candidate[] | undefined;
  readonly typed?: TypedReply | undefined;
  readonly follow: Follow;
  /** Of one that has ended: the page of the new request for the same that goes on already, or followed. */
  readonly started?: string | undefined;
  /** Rounds whose question is kept for the next request. */
  readonly kept?: ReadonlySet<number> | undefined;
  /** The answers beside a question that can be replied to now. */
  readonly answers?: (round: Round) => QuestionAnswers;
  /** YYYY-MM-DD at the site. */
  readonly today: string;
}
