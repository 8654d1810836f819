import type { Ended } from '../../../cases/case.ts';
import type { KeptQuestion } from '../../../cases/rounds/kept.ts';
import type { Gap } from '../../../core/mapping/result.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import type { Colleague } from '../../request/colleagues.ts';
import type { Draft } from '../../request/draft.ts';
import type { SectionSpec } from '../../request/labels.ts';
import type { PayerAnswers } from '../../request/payer-answers.ts';

/** What the review says of what was just done. */
export type Notice = 'saved' | 'pulled' | 'incomplete' | 'changed' | 'rules';

/** All that the page of the review shows. */
export interface ReviewView {
  readonly launch: Launch;
  readonly draft: Draft;
  /** The answers to payer questions, where the page shows them already. */
  readonly answers: PayerAnswers | undefined;
  /** What this payer asked about this drug before, where the page shows the answers. */
  readonly askedBefore: readonly KeptQuestion[];
  readonly sections: readonly SectionSpec[];
  readonly home: string;
  /** Address of this page; forms go there. */
  readonly here: string;
  readonly token: string;
  readonly patientMark: string;
  /** Mark of the case as it is shown, to ask later whether it has changed. */
  readonly seen: string;
  /** Finished requests for the same order, newest first. */
  readonly earlier: readonly Ended[];
  /** How many requests of this patient are not in the chart as they should be. */
  readonly lacking: number;
  /** Open points outside the body: a consent that is not recorded, an entry made for another plan. */
  readonly open: readonly Gap[];
  readonly notice?: Notice | undefined;
  /** Anchors of the questions that the page in the browser shows already; empty for a new page. */
  readonly asked: readonly string[];
  /** When the page was opened, ISO 8601: what others entered since is told. */
  readonly since: string;
  readonly colleagues: readonly Colleague[];
  /** Where the reader is taken: the id of a field or section. */
  readonly goTo?: string | undefined;
  /** Whether paths and rules are shown. */
  readonly isTechnical: boolean;
  /** Whether the chart can be recorded as a mapping case here. */
  readonly isRecordable?: boolean;
}
