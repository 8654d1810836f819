import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Case, type CaseKind, type Ended, isEditable, isSent, type Sent } from '../../../cases/case.ts';
import { chartLacks } from '../../../cases/chart-standing.ts';
import type { Submission } from '../../../cases/requests.ts';
import type { Site } from '../../../config/config.ts';
import { kinds } from '../../../core/contract/kinds.ts';
import { BridgeError } from '../../../core/errors.ts';
import type { Gap } from '../../../core/mapping/result.ts';
import type { Answers } from '../../../core/roles/chart.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { auditAttested, auditSensitive } from '../../http/audit-rows.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { measureSent } from '../../http/effort.ts';
import { assertActs } from '../../http/rights.ts';
import { unplacedIn } from '../../request/attached.ts';
import { colleaguesSince } from '../../request/colleagues.ts';
import { type Draft, digestOf, openDraft } from '../../request/draft.ts';
import { sectionsOf, withEarlier } from '../../request/fitted-sections.ts';
import { answersOf, consentFaults, consentOf, editsOf, type Form, textOf, textsOf } from '../../request/form.ts';
import { kindPages, targetOf } from '../../request/kind-pages.ts';
import { fieldId } from '../../request/labels.ts';
import { noteShown } from '../../request/note-shown.ts';
import { noteUsed } from '../../request/note-used.ts';
import { nextAnchor } from '../../request/open-points.ts';
import { entriesFor, setAsideIn } from '../../request/other-plans.ts';
import {
  answerNames,
  goingAnswersOf,
  payerAnswersOf,
  sensitiveGoing,
  sheetEntriesOf,
  withPayerAnswers,
} from '../../request/payer-answers.ts';
import { marksRules } from '../../request/rules-change.ts';
import { sectionsFor } from '../../request/support-program.ts';
import { enteredByOf } from '../../request/typed/entered-by.ts';
import { enteredForOf } from '../../request/typed/entered-for.ts';
import { keepTyped } from '../../request/typed/keep-typed.ts';
import { fragment, html } from '../../ui/page.tsx';
import { consent as consentWords } from '../case/words.ts';
import { ConfirmPage } from '../confirm/page.tsx';
import { suggestedIn } from '../documents/documents-list.tsx';
import { attach as attachWords } from '../documents/words.ts';
import { type Keep, type LaunchParams, orKept, postedTo, sendPage, type Visit, visit } from '../launch/route.ts';
import type { Reading } from '../reading/route.ts';
import { codeGaps } from '../search/search-codes.ts';
import { ReviewBody, ReviewPage } from './page.tsx';
import { PayerAnswersPart } from './payer-questions.tsx';
import type { Notice, ReviewView } from './view.ts';

/** What an address of the review may say; anything else is as if it were not there. */
const Query = z.object({
  notice: z.enum(['saved', 'pulled', 'incomplete', 'changed', 'rules', 'unattested']).optional().catch(undefined),
  since: z.iso.datetime().optional().catch(undefined),
  technical: z.literal('1').optional().catch(undefined),
  answers: z.literal('1').optional().catch(undefined),
});

/** What a page that is open says of itself when it looks for changes. */
const Looking = z.object({
  case: z.uuid(),
  seen: z.string().max(200),
  since: z.iso.datetime(),
  asked: z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .optional()
    .transform((anchors) => anchors ?? []),
  technical: z.literal('1').optional().catch(undefined),
  'answers-shown': z.literal('1').optional().catch(undefined),
});

/** How a page stands in the browser. */
type Shown = Pick<ReviewView, 'notice' | 'since' | 'seen' | 'asked' | 'isTechnical' | 'goTo'> & {
  /** Whether the page has the answers to payer questions. */
  readonly hasAnswers: boolean;
};

export interface OrderParams extends LaunchParams {
  readonly order: string;
}
type Request = FastifyRequest<{ Params: OrderParams }>;

import { userOf } from '../../http/user.ts';

/** The review of one order, for a request of each kind: look, edit, confirm, send. */
export function registerReview(app: FastifyInstance, deps: Deps, pulls: Pulls, reading: Reading): void {
  for (const kind of kinds) {
    const path = `/app/:launch/orders/:order${kindPages[kind].path}` as const;
    const desk = createDesk(deps, pulls, reading, kind);
    app.get<{ Params: OrderParams }>(path, (request, reply) => desk.show(request, reply));
    app.get<{ Params: OrderParams }>(`${path}/changes`, (request, reply) => desk.changes(request, reply));
    app.get<{ Params: OrderParams }>(`${path}/answers`, (request, reply) => desk.answers(request, reply));
    app.post<{ Params: OrderParams }>(path, { bodyLimit: 512 * 1024 }, (request, reply) => desk.save(request, reply));
    app.get<{ Params: OrderParams }>(`${path}/confirm`, (request, reply) => desk.confirm(request, reply));
    app.post<{ Params: OrderParams }>(`${path}/confirm`, (request, reply) => desk.send(request, reply));
  }
}

interface Desk {
  /** For a page that is open: its new content when the case has changed since, else nothing. */
  changes(request: Request, reply: FastifyReply): Promise<FastifyReply>;
  show(request: Request, reply: FastifyReply): Promise<FastifyReply>;
  /** For a page that is open: the answers to payer questions, which it does not wait for. */
  answers(request: Request, reply: FastifyReply): Promise<FastifyReply>;
  save(request: Request, reply: FastifyReply): Promise<FastifyReply>;
  confirm(request: Request, reply: FastifyReply): Promise<FastifyReply>;
  send(request: Request, reply: FastifyReply): Promise<FastifyReply>;
}

function createDesk(deps: Deps, pulls: Pulls, reading: Reading, kind: CaseKind): Desk {
  const { sections, path } = kindPages[kind];
  const hereOf = ({ home }: Visit, order: string) => `${home}/orders/${order}${path}`;
  const open = async (request: Request, launch: Launch, options: { readonly anew?: boolean } = {}) => {
    const opened = await openDraft(deps, pulls, { launch, order: orderOf(request), kind, ...options });
    if (!('sent' in opened)) request.caseId = opened.case.id;
    return opened;
  };
  const othersOf = async ({ case: { site, patient, order } }: Draft) => {
    const cases = await deps.cases.forPatient(site, patient);
    return {
      earlier: cases.filter((one): one is Ended => one.state === 'ended' && one.kind === kind && one.order === order),
      lacking: cases.filter((one) => isSent(one) && chartLacks(one).length > 0).length,
    };
  };
  const markOf = (launch: Launch) => deps.cases.patientMark(launch.site.id, `Patient/${launch.patient}`);

  const askedBefore = async ({ case: { site }, values, result }: Draft) =>
    kind === 'prior-auth'
      ? await deps.cases.keptQuestions({
          site,
          payer: String(values.get(targetOf('prior-auth', 'payer') ?? '') ?? ''),
          body: result.status === 'complete' ? result.body : result.draft,
        })
      : [];

  const viewOf = async (opened: Visit, draft: Draft, { hasAnswers, ...shown }: Shown): Promise<ReviewView> => {
    const others = await othersOf(draft);
    const own = sectionsFor(sectionsOf(sections, draft.schema), opened.launch.site, draft);
    return {
      launch: opened.launch,
      home: opened.home,
      token: opened.token,
      draft,
      answers: hasAnswers ? payerAnswersOf(deps, opened.launch, draft) : undefined,
      askedBefore: hasAnswers ? await askedBefore(draft) : [],
      ...others,
      sections: withEarlier(own, others.earlier),
      here: hereOf(opened, draft.order),
      patientMark: markOf(opened.launch),
      open: outsideBody(draft, deps.clock()),
      colleagues: colleaguesSince(draft.case, { user: userOf(opened.launch), since: shown.since }),
      isRecordable: kind === 'prior-auth' && deps.config.recordDir !== undefined,
      ...shown,
    };
  };
  const note = (draft: Draft) => noteShown(deps, draft, { sections, open: outsideBody(draft, deps.clock()) });
  /** Where the next answer is asked for; the verdict when none is. */
  const nextOf = (draft: Draft): string | undefined =>
    nextAnchor([...draft.result.gaps, ...outsideBody(draft, deps.clock())], sections);

  return {
    async show(request, reply) {
      const opened = await visit(deps, request);
      const order = orderOf(request);
      const waiting = await reading.chart({ opened, request, reply }, order);
      if (waiting !== undefined) return waiting.sent;
      const draft = await open(request, opened.launch, { anew: isAnew(request) });
      if ('sent' in draft) return reply.redirect(`${opened.home}/cases/${draft.sent.id}`, 303);
      const seen = deps.cases.seen(await note(draft));
      const { notice: told, since = deps.clock().toISOString(), technical, answers } = queryOf(request);
      const notice = told === 'unattested' ? undefined : told;
      const [isTechnical, hasAnswers] = [technical !== undefined, answers !== undefined];
      const shown = { notice, since, seen, asked: [], isTechnical, hasAnswers };
      return sendPage(reply, html(ReviewPage({ view: await viewOf(opened, draft, shown) })));
    },

    async changes(request, reply) {
      // A page that only looks keeps no session alive.
      const opened = await visit(deps, request, { touch: false });
      const { case: id, seen, asked, ...query } = Looking.parse(request.query);
      const owner = { site: opened.launch.site.id, patient: opened.launch.patient };
      if (await deps.cases.isSeen(id, owner, seen)) return reply.code(204).send();
      const draft = await open(request, opened.launch);
      // sent by a colleague: the page goes on to where it stands
      if ('sent' in draft) return reply.header('hx-redirect', `${opened.home}/cases/${draft.sent.id}`).code(204).send();
      const now = deps.cases.seen(await note(draft));
      const [isTechnical, hasAnswers] = [query.technical !== undefined, query['answers-shown'] !== undefined];
      const shown = { since: query.since, seen: now, asked, isTechnical, hasAnswers };
      return sendPage(reply, fragment(ReviewBody({ view: await viewOf(opened, draft, shown) })));
    },

    async answers(request, reply) {
      // What a page fetches by itself keeps no session alive.
      const opened = await visit(deps, request, { touch: false });
      const draft = editable(await open(request, opened.launch));
      const answers = payerAnswersOf(deps, opened.launch, draft);
      if (answers === undefined) throw new BridgeError('not_found', { what: 'the answers' });
      const isTechnical = queryOf(request).technical !== undefined;
      const { carried } = draft.case;
      return sendPage(
        reply,
        fragment(PayerAnswersPart({ answers, carried, isTechnical, askedBefore: await askedBefore(draft) })),
      );
    },

    async save(request, reply) {
      const order = orderOf(request);
      const typed: Keep = ({ launch, form }) => keepTyped(deps, { launch, form, kind, order, sections });
      const opened = await postedTo(deps, request, typed);
      const { launch, form } = opened;
      checkPatient(form, markOf(launch));
      const here = hereOf(opened, order);
      // the EHR may end the session too, or be away
      const draft = editable(
        await open(request, launch).catch(async (error: unknown) => {
          throw await orKept(error, typed({ launch, form }));
        }),
      );
      await keep(deps, draft, form, launch);
      const action = textOf(form, 'action');
      if (action === 'pull') await pulls.of(launch, { order, again: true });
      const checked = editable(await open(request, launch));
      const { notice, goTo } = afterSave({
        action,
        reset: textOf(form, 'reset'),
        next: nextOf(checked),
        draft: checked,
      });
      if (isFromScript(request)) {
        // htmx follows this header; a redirect would be followed inside of the request.
        if (goTo === 'confirm') return reply.header('hx-redirect', `${here}/confirm`).code(204).send();
        const seen = deps.cases.seen(await note(checked));
        const view = await viewOf(opened, checked, { ...shownBy(form, deps.clock()), seen, notice, goTo });
        return sendPage(reply, fragment(ReviewBody({ view })));
      }
      if (goTo === 'confirm') return reply.redirect(`${here}/confirm`, 303);
      const told = colleaguesSince(checked.case, { user: userOf(launch), since: textOf(form, 'since') });
      const query = new URLSearchParams({
        ...(notice === undefined ? {} : { notice }),
        ...(told.length === 0 ? {} : { since: textOf(form, 'since') }),
        ...(textOf(form, 'technical') === '' ? {} : { technical: '1' }),
        ...(textOf(form, answerNames.shown) === '' ? {} : { answers: '1' }),
      }).toString();
      return reply.redirect(`${here}${query === '' ? '' : `?${query}`}${goTo === undefined ? '' : `#${goTo}`}`, 303);
    },

    async confirm(request, reply) {
      const opened = await visit(deps, request);
      const order = orderOf(request);
      const waiting = await reading.chart({ opened, request, reply }, order);
      if (waiting !== undefined) return waiting.sent;
      const draft = await open(request, opened.launch);
      if ('sent' in draft) return reply.redirect(`${opened.home}/cases/${draft.sent.id}`, 303);
      const result = withPayerAnswers(draft, goingAnswersOf(deps, opened.launch, draft));
      const here = hereOf(opened, order);
      if (draft.rulesChange !== undefined) return reply.redirect(`${here}?notice=rules`, 303);
      if (result.status !== 'complete' || !isReady(draft)) return reply.redirect(`${here}?notice=incomplete`, 303);
      await note(draft);
      const view = {
        ...opened,
        draft,
        earlier: (await othersOf(draft)).earlier,
        sections: sectionsOf(sections, draft.schema),
        open: outsideBody(draft, deps.clock()),
        review: here,
        patientMark: markOf(opened.launch),
        duplicates: await deps.cases.duplicates(draft.case.id, result.body),
        result,
        body: result.body,
        digest: digestOf(result),
        isUnattested: queryOf(request).notice === 'unattested',
      };
      return sendPage(reply, html(ConfirmPage({ view })));
    },

    async send(request, reply) {
      const opened = await postedTo(deps, request);
      const { launch, form, home } = opened;
      const order = orderOf(request);
      const draft = editable(await open(request, launch));
      await assertActs(deps, launch, { action: 'send', caseId: draft.case.id });
      const going = goingAnswersOf(deps, launch, draft);
      const result = withPayerAnswers(draft, going);
      if (draft.rulesChange !== undefined || !isUnderRules(form, draft))
        return reply.redirect(`${hereOf(opened, order)}?notice=rules`, 303);
      if (result.status !== 'complete' || !isReady(draft)) throw new BridgeError('case_not_ready');
      if (textOf(form, 'digest') !== digestOf(result))
        return reply.redirect(`${hereOf(opened, order)}?notice=changed`, 303);
      if (launch.site.attestation !== undefined && textOf(form, 'attested') === '')
        return reply.redirect(`${hereOf(opened, order)}/confirm?notice=unattested#attestation`, 303);
      await deps.cases.saveDraft(draft.case.id, chosenOf(draft));
      const by = userOf(launch);
      const { body, gaps, provenance } = result;
      await auditAttested(deps, launch, draft.case.id);
      await auditSensitive(deps, launch, draft, sensitiveGoing(going));
      const sent = await sendUnlessDuplicate(deps, draft.case.id, {
        body,
        provenance,
        gaps,
        mappedBy: draft.mappedBy,
        by,
        expectedPatient: textOf(form, 'patient'),
        launch: launch.id,
        duplicatesSeen: textOf(form, 'duplicates').split(' '),
      });
      if (sent === undefined) return reply.redirect(`${hereOf(opened, order)}/confirm#duplicates`, 303);
      if (!isEditable(sent)) {
        await noteUsed(deps, draft);
        await measureSent(deps, sent, [...draft.provenance.values()]);
      }
      return reply.redirect(isEditable(sent) ? hereOf(opened, order) : `${home}/cases/${sent.id}`, 303);
    },
  };
}

// Asked, never refused: the last page shows the other request and what to tick.
async function sendUnlessDuplicate(deps: Deps, id: string, submission: Submission): Promise<Case | undefined> {
  try {
    return await deps.cases.send(id, submission);
  } catch (thrown) {
    if (thrown instanceof BridgeError && thrown.code === 'case_duplicate') return undefined;
    throw thrown;
  }
}

function editable(opened: Draft | { readonly sent: Sent }): Draft {
  if ('sent' in opened) throw new BridgeError('case_already_sent', { case: opened.sent.id });
  return opened;
}

const Anew = z.object({ anew: z.literal('1') });

function isAnew(request: Request): boolean {
  return Anew.safeParse(request.query).success;
}

// Made of the entries as they are stored then: a colleague may have saved since the page's chart was read.
async function keep(deps: Deps, draft: Draft, form: Form, launch: Launch): Promise<void> {
  const user = userOf(launch);
  const now = deps.clock();
  const plan = draft.chart.choice('coverage')?.chosen;
  const { banner } = draft.case;
  await deps.cases.saveDraft(draft.case.id, (stored) => {
    const before = entriesFor(stored, plan);
    const edits = editsOf(form, kindPages[draft.kind].sections, before.edits, draft.chartValues);
    const answers = answersWith(draft, answersOf(form, before.answers), textOf(form, 'action'), launch.site);
    return {
      edits,
      enteredBy: enteredByOf(before, { edits, answers }, { user, at: now.toISOString() }),
      answers,
      enteredFor: enteredForOf(form, before, edits),
      ...sheetEntriesOf(form, stored, { user, at: now.toISOString() }),
      ...setAsideIn(before),
      // Who saves a page has looked through it; a page that was made under other rules shows nothing of these.
      ...(isUnderRules(form, draft) ? { mappedBy: draft.mappedBy } : {}),
      ...consentOf(form, { ...before, banner, today: draft.chart.today }, user, now),
    };
  });
}

// One button ticks what is suggested, as the page lists it, beside what is ticked; never what is sensitive.
function answersWith({ chart }: Draft, answers: Answers, action: string, { evidence }: Site): Answers {
  if (action !== 'attach' || evidence === 'each') return answers;
  const choice = chart.choice('evidence');
  const taken = (choice?.candidates ?? []).filter(({ taken }) => taken === true).map(({ reference }) => reference);
  return { ...answers, evidence: [...new Set([...(answers.evidence ?? taken), ...suggestedIn(choice)])] };
}

/** What a page is told and where its reader is taken after a save: `confirm`, or the id of a field or section. */
function afterSave({
  action,
  reset,
  next,
  draft,
}: {
  readonly action: string;
  readonly reset: string;
  readonly next: string | undefined;
  readonly draft: Draft;
}): { readonly notice: Notice | undefined; readonly goTo: string | undefined } {
  if (reset !== '') return { notice: undefined, goTo: fieldId(reset) };
  if (action === 'pull') return { notice: 'pulled', goTo: undefined };
  if (action === 'attach') return { notice: 'saved', goTo: 'section-evidence' };
  if (action !== 'check') return { notice: 'saved', goTo: action === '' ? undefined : (next ?? 'verdict') };
  if (draft.rulesChange !== undefined) return { notice: 'rules', goTo: undefined };
  return next === undefined ? { notice: undefined, goTo: 'confirm' } : { notice: 'incomplete', goTo: next };
}

/** What a page that is open shows already, as its form says. */
function shownBy(form: Form, now: Date): Omit<Shown, 'seen'> {
  const since = z.iso.datetime().safeParse(textOf(form, 'since'));
  return {
    since: since.success ? since.data : now.toISOString(),
    asked: textsOf(form, 'asked'),
    isTechnical: textOf(form, 'technical') !== '',
    hasAnswers: textOf(form, answerNames.shown) !== '',
  };
}

function isFromScript({ headers }: Request): boolean {
  return headers['hx-request'] === 'true';
}

function isUnderRules(form: Form, { mappedBy }: Draft): boolean {
  return textOf(form, 'rules') === marksRules(mappedBy);
}

// The Task in the chart names the drug, the coverage and the prescriber that the request was made with.
function chosenOf(draft: Draft): { title: string; coverage?: string; prescriber?: string } {
  const coverage = draft.chart.choices.find((choice) => choice.role === 'coverage')?.chosen;
  const prescriber = draft.chart.root('prescriber')?.nodes[0]?.source?.resource;
  return {
    title: draft.title,
    ...(coverage === undefined ? {} : { coverage }),
    ...(prescriber === undefined ? {} : { prescriber }),
  };
}

function isReady(draft: Draft): boolean {
  const isStopped = [...codeGaps(draft), ...unfitFiles(draft)].some(({ severity }) => severity === 'blocks');
  return (
    draft.result.status === 'complete' &&
    !isStopped &&
    (draft.kind !== 'enrollment' || draft.case.consent !== undefined)
  );
}

/** What the body cannot know. */
function outsideBody(draft: Draft, now: Date): Gap[] {
  return [...codeGaps(draft), ...unfitFiles(draft), ...consentGaps(draft, now)];
}

// Attached while the service of the site took PDFs.
function unfitFiles({ case: { attached }, schema }: Draft): Gap[] {
  return unplacedIn(attached, schema).map(({ title }) => ({
    target: 'evidence',
    severity: 'blocks',
    reason: 'invalid',
    message: attachWords.noPdf(title),
    looks: [],
  }));
}

// An enrollment goes only with a recorded consent.
function consentGaps(draft: Draft, now: Date): Gap[] {
  if (draft.kind !== 'enrollment' || draft.case.consent !== undefined) return [];
  const { by, on, how } = draft.case.consentEntry ?? { by: '', on: '', how: '' };
  const isTyped = [by, on, how].some((text) => text !== '');
  const life = { now, today: draft.chart.today, birthDate: draft.case.banner.birthDate };
  const faults = consentFaults({ by, on, how }, life);
  const message = isTyped
    ? 'The consent is not recorded: ' +
      `${faults.join(', ')}. What you typed is kept; nothing is sent before it is complete.`
    : consentWords.first;
  return [{ target: 'consent', severity: 'blocks', reason: isTyped ? 'invalid' : 'missing', message, looks: [] }];
}

function checkPatient(form: Form, mark: string): void {
  if (textOf(form, 'patient') !== mark) throw new BridgeError('case_changed');
}

const OrderId = z.string().regex(/^[A-Za-z0-9.-]{1,64}$/);

/** The MedicationRequest id that the address names; throws not_found for what cannot be one. */
export function orderOf(request: Request): string {
  const order = OrderId.safeParse(request.params.order);
  if (!order.success) throw new BridgeError('not_found');
  return order.data;
}

function queryOf(request: Request): z.infer<typeof Query> {
  return Query.parse(request.query);
}
