import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Site } from '../../../config/config.ts';
import { BridgeError } from '../../../core/errors.ts';
import type { Answers } from '../../../core/roles/chart.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { userOf } from '../../http/user.ts';
import { colleaguesSince } from '../../request/colleagues.ts';
import type { Draft } from '../../request/draft.ts';
import { answersOf, consentOf, editsOf, type Form, textOf, textsOf } from '../../request/form.ts';
import { kindPages } from '../../request/kind-pages.ts';
import { fieldId } from '../../request/labels.ts';
import { nextAnchor } from '../../request/open-points.ts';
import { type OrderRequest, openEditable, orderOf } from '../../request/order-request.ts';
import { entriesFor, setAsideIn } from '../../request/other-plans.ts';
import { gapsOutsideBody } from '../../request/outside-body.ts';
import { answerNames, sheetEntriesOf } from '../../request/payer-answers.ts';
import { isUnderRules } from '../../request/rules-change.ts';
import { enteredByOf } from '../../request/typed/entered-by.ts';
import { enteredForOf } from '../../request/typed/entered-for.ts';
import { keepTyped } from '../../request/typed/keep-typed.ts';
import { replacedBy, withPutBack } from '../../request/typed/replaced.ts';
import { fragment } from '../../ui/page.tsx';
import { suggestedIn } from '../documents/documents-list.tsx';
import { type Keep, orKept, postedTo, sendPage, type Visit } from '../launch/route.ts';
import { likelyPharmacy } from '../search/code-search.tsx';
import { likelyPharmacies, usePharmacy } from '../search/search-pharmacies.ts';
import { ReviewBody } from './page.tsx';
import {
  type Notice,
  noteSeen,
  type ReviewDeps,
  reviewAddress,
  type ShownState,
  technicalSwitch,
  viewOf,
} from './view.ts';

/** A saved review: the draft with the form's entries, and where the person goes next. */
interface Saved {
  readonly opened: Visit & { readonly form: Form };
  readonly draft: Draft;
  readonly after: AfterSave;
  readonly here: string;
}

interface AfterSave {
  readonly notice: Notice | undefined;
  /** `confirm`, or the element id of a field or section. */
  readonly goTo: string | undefined;
}

export async function saveReview(page: ReviewDeps, request: OrderRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps, pulls, kind } = page;
  const order = orderOf(request);
  const typed: Keep = ({ launch, form }) =>
    keepTyped(deps, { launch, form, kind, order, sections: kindPages[kind].sections });
  const opened = await postedTo(deps, request, typed);
  const { launch, form } = opened;
  checkPatientOf(page, opened);
  // Reading the chart may fail because the EHR ended the session or is unavailable.
  const before = await openEditable(page, opened, request).catch(async (error: unknown) => {
    throw await orKept(error, typed({ launch, form }));
  });
  await keep(page, before, form, launch);
  await keepPharmacy(page, before, form, launch);
  if (textOf(form, 'action') === 'pull') await pulls.of(launch, { order, again: true });
  const draft = await openEditable(page, opened, request);
  const saved = { opened, draft, after: afterSave(page, draft, form), here: reviewAddress(page, opened, request) };
  return isFromScript(request) ? sendSaved(page, saved, reply) : reply.redirect(addressAfter(saved), 303);
}

// Compares the patient in the form with the patient of the launch before the chart is read.
function checkPatientOf({ deps }: ReviewDeps, { launch, form }: Saved['opened']): void {
  const mark = deps.cases.patientMark(launch.site.id, `Patient/${launch.patient}`);
  if (textOf(form, 'patient') !== mark) throw new BridgeError('case_changed');
}

async function sendSaved(
  page: ReviewDeps,
  { opened, draft: saved, here, after: { notice, goTo } }: Saved,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // htmx acts on this header. The browser itself would follow a redirect status, within the request.
  if (goTo === 'confirm') return reply.header('hx-redirect', `${here}/confirm`).code(204).send();
  const { draft, seen } = await noteSeen(page, opened.launch, saved);
  const shown = { ...shownBy(opened.form, page.deps.clock()), seen, notice, goTo };
  return sendPage(reply, fragment(ReviewBody({ view: await viewOf(page, opened, draft, shown) })));
}

function addressAfter({ opened: { launch, form }, draft, here, after: { notice, goTo } }: Saved): string {
  if (goTo === 'confirm') return `${here}/confirm`;
  const since = textOf(form, 'since');
  const colleagues = colleaguesSince(draft.case, { user: userOf(launch), since });
  const query = new URLSearchParams({
    ...(notice === undefined ? {} : { notice }),
    ...(colleagues.length === 0 ? {} : { since }),
    ...(isTechnicalAfter(form) ? { technical: '1' } : {}),
    ...(textOf(form, answerNames.shown) === '' ? {} : { answers: '1' }),
  }).toString();
  return `${here}${query === '' ? '' : `?${query}`}${goTo === undefined ? '' : `#${goTo}`}`;
}

// The entries are merged with the stored entries, because a colleague may have saved in the meantime.
async function keep({ deps }: ReviewDeps, draft: Draft, posted: Form, launch: Launch): Promise<void> {
  const user = userOf(launch);
  const now = deps.clock();
  const plan = draft.chart.choice('coverage')?.chosen;
  const { banner } = draft.case;
  const { sections } = kindPages[draft.kind];
  await deps.cases.saveDraft(draft.case.id, (stored) => {
    const before = entriesFor(stored, plan);
    const form = withAnswersGoing(withPutBack(posted, stored));
    const edits = editsOf(form, sections, before.edits, draft.chartValues, deps.typedWord);
    const answers = answersWith(draft, answersOf(form, before.answers), textOf(form, 'action'), launch.site);
    const sheet = sheetEntriesOf(form, stored, { user, at: now.toISOString() });
    return {
      edits,
      enteredBy: enteredByOf(before, { edits, answers }, { user, at: now.toISOString() }),
      answers,
      enteredFor: enteredForOf(form, before, edits),
      ...sheet,
      ...replacedBy(form, before, { edits, answers, ...sheet }, { sections, user }),
      ...setAsideIn(before),
      // Saving a page counts as a review, but only under the rules that produced the page.
      ...(isUnderRules(textOf(form, 'rules'), draft) ? { mappedBy: draft.mappedBy } : {}),
      ...consentOf(form, { ...before, banner, today: draft.chart.today }, user, now),
    };
  });
}

// The button `answers-and-check` includes the answers to payer questions, as their checkbox does.
function withAnswersGoing(form: Form): Form {
  return textOf(form, 'action') === 'answers-and-check' ? { ...form, [answerNames.goes]: 'send' } : form;
}

/** Stores the pharmacy of a button, if the page would still offer that pharmacy. */
async function keepPharmacy({ deps }: ReviewDeps, draft: Draft, form: Form, launch: Launch): Promise<void> {
  const wanted = textOf(form, likelyPharmacy);
  if (wanted === '') return;
  const found = await likelyPharmacies(deps, { launch }, draft);
  const chosen = found.find(({ fields }) => JSON.stringify(fields) === wanted);
  if (chosen !== undefined) await usePharmacy(deps, { launch }, draft, chosen.fields);
}

// The buttons `attach` and `attach-and-check` select all suggested documents that the page lists. Sensitive documents
// are never among them.
function answersWith({ chart }: Draft, answers: Answers, action: string, { evidence }: Site): Answers {
  if (!['attach', 'attach-and-check'].includes(action) || evidence === 'each') return answers;
  const choice = chart.choice('evidence');
  const taken = (choice?.candidates ?? []).filter(({ taken }) => taken === true).map(({ reference }) => reference);
  return { ...answers, evidence: [...new Set([...(answers.evidence ?? taken), ...suggestedIn(choice)])] };
}

const goingOn: ReadonlySet<string> = new Set(['check', 'attach-and-check', 'answers-and-check']);

function afterSave({ deps }: ReviewDeps, draft: Draft, form: Form): AfterSave {
  const [action, reset] = [textOf(form, 'action'), textOf(form, 'reset')];
  if (reset !== '') return { notice: undefined, goTo: fieldId(reset) };
  if (action === 'pull') return { notice: 'pulled', goTo: undefined };
  if (action === 'attach') return { notice: 'saved', goTo: 'section-evidence' };
  if (action === technicalSwitch.show || action === technicalSwitch.hide)
    return { notice: 'saved', goTo: technicalSwitch.id };
  const gaps = [...draft.result.gaps, ...gapsOutsideBody(draft, deps.clock())];
  const next = nextAnchor(gaps, kindPages[draft.kind].sections);
  if (!goingOn.has(action)) return { notice: 'saved', goTo: action === '' ? undefined : (next ?? 'verdict') };
  if (draft.rulesChange !== undefined) return { notice: 'rules', goTo: undefined };
  if (Object.keys(draft.case.replaced ?? {}).length > 0) return { notice: undefined, goTo: 'replaced' };
  return next === undefined ? { notice: undefined, goTo: 'confirm' } : { notice: 'incomplete', goTo: next };
}

/** What the open page shows, according to its form. */
function shownBy(form: Form, now: Date): Omit<ShownState, 'seen'> {
  const since = z.iso.datetime().safeParse(textOf(form, 'since'));
  return {
    since: since.success ? since.data : now.toISOString(),
    asked: textsOf(form, 'asked'),
    isTechnical: isTechnicalAfter(form),
    hasAnswers: textOf(form, answerNames.shown) !== '',
  };
}

function isTechnicalAfter(form: Form): boolean {
  const action = textOf(form, 'action');
  return action === technicalSwitch.show || (action !== technicalSwitch.hide && textOf(form, 'technical') !== '');
}

function isFromScript({ headers }: OrderRequest): boolean {
  return headers['hx-request'] === 'true';
}
