import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Case, type CaseKind, type Ended, isEditable, type Sent, type User } from '../cases/case.ts';
import type { Submission } from '../cases/requests.ts';
import { BridgeError } from '../errors.ts';
import type { Gap } from '../mapping/result.ts';
import type { Launch } from '../smart/types.ts';
import { auditSensitive } from './audit.ts';
import type { Deps } from './deps.ts';
import { type Draft, digestOf, openDraft } from './draft.ts';
import { enteredByOf } from './entered-by.ts';
import { enteredForOf, otherPlanGaps } from './entered-for.ts';
import { answersOf, consentFaults, consentOf, editsOf, type Form, textOf } from './form.ts';
import { keepTyped } from './keep-typed.ts';
import { enrollmentSections, fieldId, priorAuthSections, type SectionSpec } from './labels.ts';
import { type Keep, type LaunchParams, orKept, postedTo, sendPage, type Visit, visit } from './launch.ts';
import { nextAnchor } from './open-points.ts';
import { ConfirmPage } from './pages/confirm.tsx';
import { type Notice, ReviewPage } from './pages/review.tsx';
import { html } from './parts/page.tsx';
import type { Pulls } from './pull.ts';
import { marksRules, shownOf } from './rules-change.ts';

interface OrderParams extends LaunchParams {
  readonly order: string;
}
type Request = FastifyRequest<{ Params: OrderParams }>;

const sections: Readonly<Record<CaseKind, readonly SectionSpec[]>> = {
  'prior-auth': priorAuthSections,
  enrollment: enrollmentSections,
};

/** The review of one order, for a prior authorization or an enrollment: look, edit, confirm, send. */
export function registerReview(app: FastifyInstance, deps: Deps, pulls: Pulls): void {
  for (const [kind, path] of [
    ['prior-auth', '/app/:launch/orders/:order'],
    ['enrollment', '/app/:launch/orders/:order/enrollment'],
  ] as const) {
    const desk = createDesk(deps, pulls, kind);
    app.get<{ Params: OrderParams }>(path, (request, reply) => desk.show(request, reply));
    app.post<{ Params: OrderParams }>(path, { bodyLimit: 512 * 1024 }, (request, reply) => desk.save(request, reply));
    app.get<{ Params: OrderParams }>(`${path}/confirm`, (request, reply) => desk.confirm(request, reply));
    app.post<{ Params: OrderParams }>(`${path}/confirm`, (request, reply) => desk.send(request, reply));
  }
}

interface Desk {
  show(request: Request, reply: FastifyReply): Promise<FastifyReply>;
  save(request: Request, reply: FastifyReply): Promise<FastifyReply>;
  confirm(request: Request, reply: FastifyReply): Promise<FastifyReply>;
  send(request: Request, reply: FastifyReply): Promise<FastifyReply>;
}

function createDesk(deps: Deps, pulls: Pulls, kind: CaseKind): Desk {
  const hereOf = ({ home }: Visit, order: string) =>
    `${home}/orders/${order}${kind === 'enrollment' ? '/enrollment' : ''}`;
  const open = (launch: Launch, order: string, options: { readonly anew?: boolean } = {}) =>
    openDraft(deps, pulls, { launch, order, kind, ...options });
  const earlierOf = async ({ case: { site, patient, order } }: Draft) =>
    (await deps.cases.forPatient(site, patient)).filter(
      (one): one is Ended => one.state === 'ended' && one.kind === kind && one.order === order,
    );
  const markOf = (launch: Launch) => deps.cases.patientMark(launch.site.id, `Patient/${launch.patient}`);

  return {
    async show(request, reply) {
      const opened = await visit(deps, request);
      const order = orderOf(request);
      const draft = await open(opened.launch, order, { anew: isAnew(request) });
      if ('sent' in draft) return reply.redirect(`${opened.home}/cases/${draft.sent.id}`, 303);
      await noteShown(deps, draft);
      const earlier = await earlierOf(draft);
      const view = {
        ...opened,
        draft,
        earlier,
        sections: sections[kind],
        here: hereOf(opened, order),
        patientMark: markOf(opened.launch),
        open: outsideBody(draft, deps.clock()),
        notice: noticeOf(request),
        isRecordable: kind === 'prior-auth' && deps.config.recordDir !== undefined,
      };
      return sendPage(reply, html(ReviewPage({ view })));
    },

    async save(request, reply) {
      const order = orderOf(request);
      const typed: Keep = ({ launch, form }) =>
        keepTyped(deps, { launch, form, kind, order, sections: sections[kind] });
      const opened = await postedTo(deps, request, typed);
      const { launch, form } = opened;
      checkPatient(form, markOf(launch));
      const here = hereOf(opened, order);
      // the EHR may end the session too, or be away
      const draft = editable(
        await open(launch, order).catch(async (error: unknown) => {
          throw await orKept(error, typed({ launch, form }));
        }),
      );
      await keep(deps, draft, form, userOf(launch));
      const action = textOf(form, 'action');
      const reset = textOf(form, 'reset');
      if (reset !== '') return reply.redirect(`${here}#${fieldId(reset)}`, 303);
      if (action === 'pull') await pulls.of(launch, { order, again: true });
      if (action === 'pull') return reply.redirect(`${here}?notice=pulled`, 303);
      const checked = editable(await open(launch, order));
      const gaps = [...checked.result.gaps, ...outsideBody(checked, deps.clock())];
      const next = nextAnchor(gaps, sections[kind]);
      if (action !== 'check') return reply.redirect(`${here}?notice=saved#${next ?? 'verdict'}`, 303);
      if (checked.rulesChange !== undefined) return reply.redirect(`${here}?notice=rules`, 303);
      return reply.redirect(next === undefined ? `${here}/confirm` : `${here}?notice=incomplete#${next}`, 303);
    },

    async confirm(request, reply) {
      const opened = await visit(deps, request);
      const order = orderOf(request);
      const draft = await open(opened.launch, order);
      if ('sent' in draft) return reply.redirect(`${opened.home}/cases/${draft.sent.id}`, 303);
      const { result } = draft;
      const here = hereOf(opened, order);
      if (draft.rulesChange !== undefined) return reply.redirect(`${here}?notice=rules`, 303);
      if (result.status !== 'complete' || !isReady(draft)) return reply.redirect(`${here}?notice=incomplete`, 303);
      await noteShown(deps, draft);
      const view = {
        ...opened,
        draft,
        earlier: await earlierOf(draft),
        sections: sections[kind],
        open: outsideBody(draft, deps.clock()),
        review: here,
        patientMark: markOf(opened.launch),
        duplicates: await deps.cases.duplicates(draft.case.id, result.body),
        body: result.body,
        digest: digestOf(result),
      };
      return sendPage(reply, html(ConfirmPage({ view })));
    },

    async send(request, reply) {
      const opened = await postedTo(deps, request);
      const { launch, form, home } = opened;
      const order = orderOf(request);
      const draft = editable(await open(launch, order));
      const { result } = draft;
      if (draft.rulesChange !== undefined || !isUnderRules(form, draft))
        return reply.redirect(`${hereOf(opened, order)}?notice=rules`, 303);
      if (result.status !== 'complete' || !isReady(draft)) throw new BridgeError('case_not_ready');
      if (textOf(form, 'digest') !== digestOf(result))
        return reply.redirect(`${hereOf(opened, order)}?notice=changed`, 303);
      await deps.cases.saveDraft(draft.case.id, chosenOf(draft));
      const by = userOf(launch);
      const { body, gaps } = result;
      await auditSensitive(deps, launch, draft);
      const sent = await sendUnlessDuplicate(deps, draft.case.id, {
        body,
        provenance: [...draft.provenance.values()],
        gaps,
        mappedBy: draft.mappedBy,
        by,
        expectedPatient: textOf(form, 'patient'),
        launch: launch.id,
        duplicatesSeen: textOf(form, 'duplicates').split(' '),
      });
      if (sent === undefined) return reply.redirect(`${hereOf(opened, order)}/confirm#duplicates`, 303);
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

function isAnew(request: Request): boolean {
  return z.object({ anew: z.literal('1') }).safeParse(request.query).success;
}

async function keep(deps: Deps, draft: Draft, form: Form, user: User): Promise<void> {
  const edits = editsOf(form, sections[draft.kind], draft.case.edits, draft.chartValues);
  await deps.cases.saveDraft(draft.case.id, {
    edits,
    enteredBy: enteredByOf(draft.case, edits, user),
    answers: answersOf(form, draft.case.answers),
    enteredFor: enteredForOf(form, sections[draft.kind], draft.case, edits),
    // Who saves a page has looked through it; a page that was made under other rules shows nothing of these.
    ...(isUnderRules(form, draft) ? { mappedBy: draft.mappedBy } : {}),
    ...consentOf(form, draft.case, user, deps.clock()),
  });
}

function isUnderRules(form: Form, { mappedBy }: Draft): boolean {
  return textOf(form, 'rules') === marksRules(mappedBy);
}

// So that a later change of the rules can be told by what it changed. Under other rules, what was seen stays until the
// page is saved.
async function noteShown(deps: Deps, { case: one, mappedBy, rulesChange, values }: Draft): Promise<void> {
  const shown = shownOf(values);
  if (rulesChange !== undefined || JSON.stringify(shown) === JSON.stringify(one.shown)) return;
  await deps.cases.saveDraft(one.id, { mappedBy, shown });
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
  return draft.result.status === 'complete' && (draft.kind !== 'enrollment' || draft.case.consent !== undefined);
}

/** What the body cannot know. */
function outsideBody(draft: Draft, now: Date): Gap[] {
  return [...otherPlanGaps(draft, sections[draft.kind]), ...consentGaps(draft, now)];
}

// An enrollment goes only with a recorded consent.
function consentGaps(draft: Draft, now: Date): Gap[] {
  if (draft.kind !== 'enrollment' || draft.case.consent !== undefined) return [];
  const { by, on, how } = draft.case.consentEntry ?? { by: '', on: '', how: '' };
  const isTyped = [by, on, how].some((text) => text !== '');
  const message = isTyped
    ? 'The consent is not recorded: ' +
      `${consentFaults({ by, on, how }, { now, birthDate: draft.case.banner.birthDate }).join(', ')}. What you ` +
      'typed is kept; nothing is sent before it is complete.'
    : 'Nothing is sent before a consent is recorded: who gave it, when (not after today), and how.';
  return [{ target: 'consent', severity: 'blocks', reason: isTyped ? 'invalid' : 'missing', message, looks: [] }];
}

function checkPatient(form: Form, mark: string): void {
  if (textOf(form, 'patient') !== mark) throw new BridgeError('case_changed');
}

/** The MedicationRequest id that the address names; throws not_found for what cannot be one. */
export function orderOf(request: Request): string {
  const order = z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,64}$/)
    .safeParse(request.params.order);
  if (!order.success) throw new BridgeError('not_found');
  return order.data;
}

/** Who works in this launch, as far as the EHR said. */
export function userOf({ fhirUser, userName }: Launch): User {
  return { ...(fhirUser === undefined ? {} : { fhirUser }), ...(userName === undefined ? {} : { name: userName }) };
}

function noticeOf(request: Request): Notice | undefined {
  const query = z
    .object({ notice: z.enum(['saved', 'pulled', 'incomplete', 'changed', 'rules']).optional() })
    .safeParse(request.query);
  return query.success ? query.data.notice : undefined;
}
