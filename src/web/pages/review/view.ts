import type { Ended, ListedEnded } from '../../../cases/case.ts';
import type { KeptQuestion } from '../../../cases/rounds/kept.ts';
import type { Gap } from '../../../core/mapping/result.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import type { Deps } from '../../http/deps.ts';
import { userOf } from '../../http/user.ts';
import { type Colleague, colleaguesSince } from '../../request/colleagues.ts';
import { type Draft, digestOf } from '../../request/draft.ts';
import { earlierAnswers } from '../../request/earlier-answers.ts';
import { sectionsOf, withEarlier } from '../../request/fitted-sections.ts';
import { kindPages, targetOf } from '../../request/kind-pages.ts';
import type { SectionSpec } from '../../request/labels.ts';
import type { Likely } from '../../request/likely.ts';
import { noteShown } from '../../request/note-shown.ts';
import { type OrderDeps, type OrderRequest, orderOf } from '../../request/order-request.ts';
import { type ApprovedBefore, othersOf } from '../../request/other-requests.ts';
import { gapsOutsideBody } from '../../request/outside-body.ts';
import { goingAnswersOf, type PayerAnswers, payerAnswersOf, withPayerAnswers } from '../../request/payer-answers.ts';
import { repeatedIn } from '../../request/same-as-denied.ts';
import { sectionsFor } from '../../request/support-program.ts';
import type { Visit } from '../launch/route.ts';
import type { ReadingWaits } from '../reading/route.ts';
import { type LikelyCodes, likelyCodes } from '../search/likely-codes.ts';
import { type FoundPharmacy, likelyPharmacies } from '../search/search-pharmacies.ts';
import { answeredBefore } from './answered.ts';

/** What the handlers of the review and confirmation pages need. */
export interface ReviewDeps extends OrderDeps {
  readonly reading: ReadingWaits;
}

/** The message after the last action. */
export type Notice = 'saved' | 'pulled' | 'incomplete' | 'changed' | 'rules';

export interface ReviewView {
  readonly launch: Launch;
  readonly draft: Draft;
  /** The answers to payer questions, if the page already shows them. */
  readonly answers: PayerAnswers | undefined;
  /** Questions that this payer asked earlier about this drug; empty unless the page shows the answers. */
  readonly askedBefore: readonly KeptQuestion[];
  readonly sections: readonly SectionSpec[];
  readonly home: string;
  readonly here: string;
  readonly token: string;
  readonly patientMark: string;
  /** A hash of the case as the page shows it; polls send it. */
  readonly seen: string;
  /**
   * Finished requests for the same order, newest first; `repeats` has the ids of those that were denied with the same
   * content.
   */
  readonly earlier: readonly ListedEnded[];
  readonly repeats: readonly string[];
  /** The number of this patient's requests that are missing or wrong in the chart. */
  readonly lacking: number;
  /** The last approval for the same drug. */
  readonly approved?: ApprovedBefore;
  /** Open points outside the request body: a missing consent, or an entry for another plan. */
  readonly open: readonly Gap[];
  readonly notice?: Notice | undefined;
  /** The answers in the order's last request, by target, for questions that are open again. */
  readonly earlierAnswers: ReadonlyMap<string, Likely>;
  /** Pharmacies from the chart and from earlier requests, if the request has no pharmacy. */
  readonly likelyPharmacies: readonly FoundPharmacy[];
  /** Codes of the loaded code file that match the order's reason, if the diagnosis is missing. */
  readonly likelyCodes: readonly LikelyCodes[];
  /** Element ids of the questions that stay where they are after they are answered. */
  readonly asked: readonly string[];
  /** When the page was opened (ISO 8601). Later entries by colleagues are listed. */
  readonly since: string;
  readonly colleagues: readonly Colleague[];
  /** The element id of the field or section to scroll to. */
  readonly goTo?: string | undefined;
  /** true if FHIR paths and rules are shown. */
  readonly isTechnical: boolean;
  readonly isRecordable?: boolean;
}

/** The button that shows or hides technical details, and its actions. */
export const technicalSwitch = { id: 'technical-switch', show: 'show-technical', hide: 'hide-technical' } as const;

/** What the page in the browser shows. */
export type ShownState = Pick<ReviewView, 'notice' | 'since' | 'seen' | 'isTechnical' | 'goTo'> & {
  /** Element ids of the questions on the page; undefined when the page is first opened. */
  readonly asked: readonly string[] | undefined;
  /** true if the page has the answers to payer questions. */
  readonly hasAnswers: boolean;
};

export function reviewAddress({ kind }: OrderDeps, { home }: Visit, request: OrderRequest): string {
  return `${home}/orders/${orderOf(request)}${kindPages[kind].path}`;
}

/** Stores what the page is about to show. Returns the updated draft, and the hash of its case. */
export async function noteSeen(
  { deps, kind }: OrderDeps,
  launch: Launch,
  draft: Draft,
): Promise<{ readonly draft: Draft; readonly seen: string }> {
  const { sections } = kindPages[kind];
  const open = gapsOutsideBody(draft, deps.clock());
  const noted = await noteShown(deps, draft, { sections, open, digest: digestToSign(deps, launch, draft) });
  return { draft: noted, seen: deps.cases.seen(noted.case) };
}

// The digest needs the answers to payer questions, so it is computed only for drafts with a signature.
function digestToSign(deps: Deps, launch: Launch, draft: Draft): string | undefined {
  if (draft.case.signature === undefined) return undefined;
  return digestOf(withPayerAnswers(draft, goingAnswersOf(deps, launch, draft)));
}

// The comparison needs the answers to payer questions, so it is made only after a denial.
function repeatsOf(deps: Deps, launch: Launch, draft: Draft, denied: readonly Ended[]): string[] {
  if (denied.length === 0) return [];
  return repeatedIn(withPayerAnswers(draft, goingAnswersOf(deps, launch, draft)), denied);
}

/** Questions that this payer asked earlier about this drug at this site. */
export async function questionsBefore(
  { cases }: Deps,
  { kind, case: { site }, values, result }: Draft,
): Promise<readonly KeptQuestion[]> {
  if (kind !== 'prior-auth') return [];
  const payer = String(values.get(targetOf(kind, 'payer') ?? '') ?? '');
  return cases.keptQuestions({ site, payer, body: result.status === 'complete' ? result.body : result.draft });
}

export async function viewOf(
  { deps, kind }: OrderDeps,
  opened: Visit,
  draft: Draft,
  { hasAnswers, asked, ...shown }: ShownState,
): Promise<ReviewView> {
  const { launch, home, token } = opened;
  const { denied, ...others } = await othersOf(deps, draft);
  const sections = sectionsFor(sectionsOf(kindPages[kind].sections, draft.schema), launch.site, draft);
  return {
    launch,
    home,
    token,
    draft,
    answers: hasAnswers ? payerAnswersOf(deps, launch, draft) : undefined,
    askedBefore: hasAnswers ? await questionsBefore(deps, draft) : [],
    ...others,
    repeats: repeatsOf(deps, launch, draft, denied),
    earlierAnswers: await earlierAnswers(deps, draft, others.earlier),
    likelyPharmacies: await likelyPharmacies(deps, opened, draft),
    likelyCodes: await likelyCodes(deps, draft),
    sections: withEarlier(sections, others.earlier),
    here: `${home}/orders/${draft.order}${kindPages[kind].path}`,
    patientMark: deps.cases.patientMark(draft.case.site, draft.case.patient),
    open: gapsOutsideBody(draft, deps.clock()),
    colleagues: colleaguesSince(draft.case, { user: userOf(launch), since: shown.since }),
    isRecordable: kind === 'prior-auth' && deps.config.recordDir !== undefined,
    asked: asked ?? answeredBefore(deps, { sections, draft, launch }),
    ...shown,
  };
}
