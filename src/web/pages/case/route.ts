import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isDenied } from '../../../cases/appeal.ts';
import { type ApprovedTerms, approvedTerms } from '../../../cases/approved.ts';
import { type Actor, type Case, isSent, recordOf, roundsOf } from '../../../cases/case.ts';
import { lettersToFile } from '../../../cases/chart-standing.ts';
import { BridgeError } from '../../../core/errors.ts';
import { dayIn } from '../../../core/fhir/time/time-zone.ts';
import { letterInChart } from '../../../writeback/ledger.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { assertActs, refusalOf } from '../../http/rights.ts';
import { sendCaseFile, sendPatientFile } from '../../http/send-file.ts';
import { userOf } from '../../http/user.ts';
import { type Form, textOf, textsOf } from '../../request/form.ts';
import { openDraft } from '../../request/open-draft.ts';
import { answersNow } from '../../request/reply-answers.ts';
import { carriedFrom } from '../../request/typed/carried.ts';
import { fragment, html } from '../../ui/page.tsx';
import { type LaunchParams, postedTo, sendPage, type Visit, visit } from '../launch/route.ts';
import { AgainPage } from './again.tsx';
import { appealDeadlineOf } from './appeal.ts';
import { caseFile, caseFileNames, caseFilesOf, fileId } from './case-files.ts';
import { placeOf, reviewPlace } from './case-place.ts';
import { answersToDenial, denialWay, knownOf, sectionOf } from './denial-way.ts';
import { registerKeepQuestion } from './keep-question-route.ts';
import { CasePage, CaseUpdate } from './page.tsx';
import { roundsSeen } from './payer-asks.tsx';
import { actOnRound, type OfCase, registerQuestions, withOffers } from './question-route.ts';
import { registerReply } from './reply-route.ts';
import { sentCopyOf } from './sent-copy.ts';
import type { CaseView } from './view.ts';
import { mayBeWrong } from './writes.tsx';
import { WrongLetterPage } from './wrong-letter.tsx';

interface CaseParams extends LaunchParams {
  readonly case: string;
}
type Request = FastifyRequest<{ Params: CaseParams }>;

/** What the polling page has already: the version that it shows and what its actions offer. */
const known = z.string().optional().catch(undefined);
const Seen = z.object({ seen: known, state: known, rounds: known, form: known });

const Named = z.object({ reference: z.string().catch('') });

/** The page of one case, its polled part, its letters and prints, and what a person can do with it. */
export async function registerCase(app: FastifyInstance, deps: Deps, pulls: Pulls): Promise<void> {
  const path = '/app/:launch/cases/:case';

  app.get<{ Params: CaseParams }>(path, async (request, reply) => {
    const opened = await visit(deps, request);
    const view = await viewOf(deps, opened, await caseOf(deps, opened, request));
    return sendPage(reply, html(CasePage({ view: await withOffers(deps, pulls, view) })));
  });

  app.get<{ Params: CaseParams }>(`${path}/status`, async (request, reply) => {
    const opened = await visit(deps, request, { touch: false });
    const { seen, state, rounds, form } = Seen.parse(request.query);
    const { launch } = opened;
    const owner = { site: launch.site.id, patient: launch.patient };
    // Nothing sealed is opened as long as the page shows what stands.
    if (seen !== undefined && (await deps.cases.isSeen(request.params.case, owner, seen)))
      return reply.code(204).send();
    const one = await caseOf(deps, opened, request);
    const view = await viewOf(deps, opened, one);
    // A reply went on, and nobody types: the page is loaded again, with the chart read for what may be asked next.
    if (rounds !== undefined && rounds !== '' && form === undefined && rounds !== roundsSeen(view))
      return reply.header('hx-redirect', view.here).code(204).send();
    return sendPage(reply, fragment(CaseUpdate({ view, seenState: state, seenRounds: rounds })));
  });

  for (const name of caseFileNames)
    app.get<{ Params: CaseParams }>(`${path}/${name}`, async (request, reply) => {
      const opened = await visit(deps, request);
      const one = await caseOf(deps, opened, request);
      return sendCaseFile(reply, await caseFile(deps, one, opened.launch.site, name));
    });

  app.get<{ Params: CaseParams & { readonly file: string } }>(`${path}/consent/:file`, async (request, reply) => {
    const opened = await visit(deps, request);
    const one = await caseOf(deps, opened, request);
    const attached = isSent(one) ? one.entries.attached : undefined;
    const scan = attached?.find(({ id, kind }) => id === request.params.file && kind === 'consent');
    const bytes = scan === undefined ? undefined : await deps.cases.attached(one.id, scan.id);
    if (scan === undefined || bytes === undefined) throw new BridgeError('not_found', { what: 'the file' });
    return sendPatientFile(request, reply, scan.pdf === true ? 'application/pdf' : 'image/jpeg', bytes);
  });

  app.get<{ Params: CaseParams }>(`${path}/sent.json`, async (request, reply) => {
    const opened = await visit(deps, request);
    const one = await caseOf(deps, opened, request);
    const copy = sentCopyOf(one);
    if (copy === undefined) throw new BridgeError('not_found', { what: 'a request that was sent', case: one.id });
    reply.header('digest', `sha-256=${Buffer.from(copy.hash, 'hex').toString('base64')}`);
    const name = `request-${fileId(one)}.json`;
    return sendCaseFile(reply, { name, bytes: Buffer.from(copy.text), contentType: 'application/json' });
  });

  app.get<{ Params: CaseParams }>(`${path}/again`, async (request, reply) => {
    const opened = await visit(deps, request);
    const one = await caseOf(deps, opened, request);
    const here = `${opened.home}/cases/${one.id}`;
    if (one.state !== 'ended' || !isDenied(one) || refusalOf(opened.launch) !== undefined)
      return reply.redirect(here, 303);
    const { site } = opened.launch;
    const carried = await carriedFrom(deps, pulls, opened.launch, one);
    const by = { questions: deps.mappings.questions, evidence: site.evidence };
    const page = AgainPage({
      view: {
        ...opened,
        case: one,
        here,
        carried,
        answers: answersToDenial(one, answersNow(deps, opened.launch, carried.draft), by),
        started: await startedOf(deps, opened, one),
        appeal: appealDeadlineOf(one, site),
        today: todayAtSite(deps, opened),
      },
    });
    return sendPage(reply, html(page));
  });

  app.get<{ Params: CaseParams }>(`${path}/wrong-letter`, async (request, reply) => {
    const opened = await visit(deps, request);
    const one = await caseOf(deps, opened, request);
    const letter = letterInChart(one.writes, Named.parse(request.query).reference);
    const here = `${opened.home}/cases/${one.id}`;
    // Somebody has said so meanwhile, or it was an old page: its case shows how the letter stands.
    if (letter === undefined || !mayBeWrong(one, letter) || refusalOf(opened.launch) !== undefined)
      return reply.redirect(here, 303);
    return sendPage(reply, html(WrongLetterPage({ view: { ...opened, case: one, letter, here } })));
  });

  app.post<{ Params: CaseParams }>(path, async (request, reply) => {
    const opened = await postedTo(deps, request);
    const one = await caseOf(deps, opened, request);
    const action = textOf(opened.form, 'action');
    // Reading how it stands changes nothing.
    if (action !== 'refresh') await assertActs(deps, opened.launch, { action, caseId: one.id });
    if (action === 'again') return reply.redirect(await startAgain(deps, pulls, opened, one), 303);
    const by = userOf(opened.launch);
    const next =
      (await actOnRound(deps, one, opened.form, by)) ?? (await act(deps, one, opened.form, by, opened.launch.id));
    return reply.redirect(`${opened.home}/cases/${next.id}`, 303);
  });

  const ofCase: OfCase = {
    caseOf: (opened, request) => caseOf(deps, opened, request),
    viewOf: (opened, one) => viewOf(deps, opened, one),
  };
  registerKeepQuestion(app, deps, ofCase);
  await registerReply(app, deps, pulls, ofCase);
  await registerQuestions(app, deps, ofCase);
}

async function act(deps: Deps, one: Case, form: Form, by: Actor, launch: string): Promise<Case> {
  const { cases } = deps;
  const action = textOf(form, 'action');
  if (action === 'cancel') {
    const reason = textOf(form, 'reason');
    if (reason === '')
      throw new BridgeError(
        'bad_request',
        { case: one.id, reason: 'a cancellation needs a reason' },
        { next: 'Choose a reason for canceling.' },
      );
    return cases.cancel(one.id, { reason, by });
  }
  if (action === 'refresh') return cases.refresh(one.id);
  if (action === 'write') return cases.retryWriteback(one.id, by, launch);
  if (action === 'retract') return cases.retractLetter(one.id, { reference: textOf(form, 'reference'), by, launch });
  if (action === 'filed') return markFiled(deps, one, by);
  if (action === 'fetch-letter') return cases.fetchLetter(one.id, by);
  if (action === 'appeal') return cases.noteAppealDeadline(one.id, { on: deadlineIn(form), by });
  if (action === 'approved') return cases.noteApproved(one.id, { terms: termsIn(form), by, launch });
  if (action === 'not-arrived') return cases.markNotArrived(one.id, by);
  if (action === 'arrived') {
    const serviceId = textOf(form, 'serviceId');
    return cases.markArrived(one.id, { by, ...(serviceId === '' ? {} : { serviceId }) });
  }
  throw new BridgeError('bad_request', { reason: 'unknown action' });
}

// Whoever has the chart open and files the letter has done what was left to do.
async function markFiled({ cases }: Deps, one: Case, by: Actor): Promise<Case> {
  if (by === 'bridge' || lettersToFile(one).length === 0) return one;
  return await cases.markDone(one.id, by);
}

// A deadline may be past: a letter may come late. What is no day at all was mistyped.
function deadlineIn(form: Form): string {
  const on = textOf(form, 'on');
  if (on === '' || z.iso.date().safeParse(on).success) return on;
  throw new BridgeError('bad_request', { reason: 'not a date' }, { next: 'Enter the deadline as a date.' });
}

// A number that is none was mistyped.
function termsIn(form: Form): ApprovedTerms {
  const [quantity, days, strength] = approvedTerms.map((term) => textOf(form, term)) as [string, string, string];
  const isNumber = (text: string) => text === '' || /^\d{1,6}(\.\d{1,3})?$/.test(text);
  if (isNumber(quantity) && isNumber(days) && strength.length <= 60) return { quantity, days, strength };
  throw new BridgeError('bad_request', { reason: 'not a number' }, { next: 'Enter quantity and days as numbers.' });
}

type Posted = Visit & { readonly form: Form };

/** Opens the new request with what is carried over; one that was begun meanwhile stays as it is. */
async function startAgain(deps: Deps, pulls: Pulls, { launch, home, form }: Posted, one: Case): Promise<string> {
  if (one.state !== 'ended' || !isDenied(one)) throw new BridgeError('case_not_ready', { case: one.id });
  const order = one.order.replace('MedicationRequest/', '');
  const started = await startedOf(deps, { launch, home }, one);
  if (started !== undefined) return started;
  const { entries, suggested } = await carriedFrom(deps, pulls, launch, one);
  const opened = await openDraft(deps, pulls, { launch, order, kind: one.kind, anew: true });
  if ('sent' in opened) return `${home}/cases/${opened.sent.id}`;
  const { edits, answers, enteredFor, enteredBy } = entries;
  const chosen = textsOf(form, 'evidence');
  const added = suggested.flatMap(({ reference }) => (chosen.includes(reference) ? [reference] : []));
  await deps.cases.saveDraft(opened.case.id, {
    edits: { ...edits, ...knownOf(one, launch.site) },
    answers: added.length === 0 ? answers : { ...answers, evidence: [...(answers.evidence ?? []), ...added] },
    ...(enteredFor === undefined ? {} : { enteredFor }),
    ...(enteredBy === undefined ? {} : { enteredBy }),
  });
  return `${home}/${reviewPlace(one)}${sectionOf(denialWay(one, launch.site), launch.site)}`;
}

/** The page of a request for the same order that goes on, if there is one. */
async function startedOf(
  deps: Deps,
  { launch, home }: Pick<Visit, 'launch' | 'home'>,
  { kind, order }: Case,
): Promise<string | undefined> {
  const cases = await deps.cases.forPatient(launch.site.id, `Patient/${launch.patient}`);
  const live = cases.find((other) => other.kind === kind && other.order === order && other.state !== 'ended');
  if (live === undefined) return undefined;
  return `${home}/${placeOf(live)}`;
}

function todayAtSite({ clock }: Deps, { launch }: Pick<Visit, 'launch'>): string {
  return dayIn(clock().getTime(), launch.site.timeZone);
}

// A case of another patient or site does not exist for this launch.
async function caseOf(deps: Deps, { launch }: Visit, request: Request): Promise<Case> {
  const id = z.uuid().safeParse(request.params.case);
  if (!id.success) throw new BridgeError('case_not_found');
  const one = await deps.cases.get(id.data, { site: launch.site.id, patient: `Patient/${launch.patient}` });
  request.caseId = one.id;
  return one;
}

async function viewOf(deps: Deps, opened: Visit, one: Case): Promise<CaseView> {
  const record = recordOf(one);
  const here = `${opened.home}/cases/${one.id}`;
  const keeps = roundsOf(one).length > 0 && refusalOf(opened.launch) === undefined;
  const files = await caseFilesOf(deps, one);
  return {
    ...opened,
    case: one,
    seen: deps.cases.seen(one),
    here,
    documents: {
      ...(files.includes('letter.pdf') ? { summary: `${here}/letter.pdf` } : {}),
      ...(files.includes('payer-letter.pdf') ? { payerLetter: `${here}/payer-letter.pdf` } : {}),
    },
    effort: refusalOf(opened.launch) === undefined ? await deps.effort?.of(one.id) : undefined,
    appeal: appealDeadlineOf(one, opened.launch.site),
    platform: safeAddress(record?.url),
    today: todayAtSite(deps, opened),
    kept: keeps ? new Set(await deps.cases.keptRounds(one.id)) : undefined,
  };
}

/** The address when a browser may follow it: https, or http on this machine. */
function safeAddress(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null) return undefined;
  const isLocal = url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || isLocal ? url.href : undefined;
}
