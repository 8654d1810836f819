import type { Case } from '../../../cases/case.ts';
import type { Round } from '../../../cases/rounds/round.ts';
import type { Candidate } from '../../../core/roles/chart.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import type { Effort } from '../../../store/types.ts';
import type { QuestionAnswers } from '../../request/reply-answers.ts';
import type { AppealDeadline } from './appeal.ts';
import type { Follow } from './follow-links.tsx';

/** Addresses of documents on the bridge's own pages. */
export interface Documents {
  /** Our summary, once the payer has decided. */
  readonly summary?: string;
  /** The payer's own letter, if it is stored here. */
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
  /** Identifies what this page shows; see `Cases.seen`. */
  readonly seen: string;
  readonly home: string;
  readonly here: string;
  readonly token: string;
  /** The documents that can be opened here. */
  readonly documents: Documents;
  /** The work of people on the case so far; for staff. */
  readonly effort?: Effort | undefined;
  /** Only after a denial. */
  readonly appeal?: AppealDeadline | undefined;
  /** Link to the record in the service's platform, if it is safe to open. */
  readonly platform?: string | undefined;
  /** Chart documents that can be sent with a reply; absent if the chart has none, or no question is open. */
  readonly candidates?: readonly Candidate[] | undefined;
  readonly typed?: TypedReply | undefined;
  readonly follow: Follow;
  /** For an ended request: the page of an open new request for the same order, or of one that followed. */
  readonly started?: string | undefined;
  /** Rounds whose question was kept for the next request. */
  readonly kept?: ReadonlySet<number> | undefined;
  /** The answers for a question that can be replied to now. */
  readonly answers?: (round: Round) => QuestionAnswers;
  /** YYYY-MM-DD at the site. */
  readonly today: string;
}
