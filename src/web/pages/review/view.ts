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

/** What the handlers of the review, and of the page after it, need. */
export interface ReviewDeps extends OrderDeps {
  readonly reading: ReadingWaits;
}

/** The message about the last action. */
export type Notice = 'saved' | 'pulled' | 'incomplete' | 'changed' | 'rules';

/** Everything that the review page shows. */
export interface ReviewView {
  readonly launch: Launch;
  readonly draft: Draft;
  /** The answers to payer questions, if the page already shows them. */
  readonly answers: PayerAnswers | undefined;
  /** This payer's earlier questions about this drug, if the page shows the answers. */
  readonly askedBefore: readonly KeptQuestion[];
  readonly sections: readonly SectionSpec[];
  readonly home: string;
  /** Address of this page; forms post to it. */
  readonly here: string;
  readonly token: string;
  readonly patientMark: string;
  /** Hash of the case as shown; polls compare it. */
  readonly seen: string;
  /** Finished requests for the same order, newest first, and the ids of the denied ones with the same content. */
  readonly earlier: readonly ListedEnded[];
  readonly repeats: readonly string[];
  /** How many requests of this patient are incomplete or wrong in the chart. */
  readonly lacking: number;
  /** The last approval for the same drug. */
  readonly approved?: ApprovedBefore;
  /** Open points outside the body: a missing consent, an entry made for another plan. */
  readonly open: readonly Gap[];
  readonly notice?: Notice | undefined;
  /** The answers for the last request of the order, by target, for questions that this one asks again. */
  readonly earlierAnswers: ReadonlyMap<string, Likely>;
  /** Pharmacies of the chart and of the practice, if the request has none. */
  readonly likelyPharmacies: readonly FoundPharmacy[];
  /** Codes of the loaded file for the order's reason, if its code is missing. */
  readonly likelyCodes: readonly LikelyCodes[];
  /** Anchors of the questions that keep their place after they are answered. */
  readonly asked: readonly string[];
  /** When the page was opened, ISO 8601; later entries of colleagues are shown. */
  readonly since: string;
  readonly colleagues: readonly Colleague[];
  /** The id of the field or section to scroll to. */
  readonly goTo?: string | undefined;
  /** Whether paths and rules are shown. */
  readonly isTechnical: boolean;
  /** Whether the chart can be recorded as a mapping case here. */
  readonly isRecordable?: boolean;
}

/** The button that shows technical details, and its actions. */
export const technicalSwitch = { id: 'technical-switch', show: 'show-technical', hide: 'hide-technical' } as const;

/** The state of the page in the browser. */
export type ShownState = Pick<ReviewView, 'notice' | 'since' | 'seen' | 'isTechnical' | 'goTo'> & {
  /** Anchors of the questions that the page in the browser shows; undefined for a newly opened page. */
  readonly asked: readonly string[] | undefined;
  /** Whether the page has the answers to payer questions. */
  readonly hasAnswers: boolean;
};

/** Address of the review of a request's order. */
export function reviewAddress({ kind }: OrderDeps, { home }: Visit, request: OrderRequest): string {
  return `${home}/orders/${orderOf(request)}${kindPages[kind].path}`;
}

/** Stores what the page shows, and returns the updated draft with the hash of its case. */
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

// Computing it requires the answers, so it is done only for a draft that was handed over.
function digestToSign(deps: Deps, launch: Launch, draft: Draft): string | undefined {
  if (draft.case.signature === undefined) return undefined;
  return digestOf(withPayerAnswers(draft, goingAnswersOf(deps, launch, draft)));
}

// Computing it requires the answers, so it is done only after a denial.
function repeatsOf(deps: Deps, launch: Launch, draft: Draft, denied: readonly Ended[]): string[] {
  if (denied.length === 0) return [];
  return repeatedIn(withPayerAnswers(draft, goingAnswersOf(deps, launch, draft)), denied);
}

/** This payer's earlier questions about this drug, at this site. */
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
