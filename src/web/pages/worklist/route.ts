import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Case } from '../../../cases/case.ts';
import { maySign } from '../../../cases/signature.ts';
import { BridgeError } from '../../../core/errors.ts';
import { dayAfter } from '../../../core/fhir/time/calendar-days.ts';
import { todayAt } from '../../../core/fhir/time/today.ts';
import type { StaffMember, WorklistQuery, WorklistRow, WorklistTable } from '../../../store/types.ts';
import { recordByStaff } from '../../http/audit-rows.ts';
import type { Deps } from '../../http/deps.ts';
import {
  actsOnLine,
  isInvolved,
  isManager,
  type LineRights,
  lineRights,
  seesName,
  seesOwnOnly,
} from '../../http/rights.ts';
import { sendCaseFile } from '../../http/send-file.ts';
import { checkForm, clearSession, launchesIn, sessionOf } from '../../http/session.ts';
import { userOf } from '../../http/user.ts';
import { Form, textOf, textsOf } from '../../request/form.ts';
import { html } from '../../ui/page.tsx';
import { type CaseFileName, caseFile, caseFileNames, caseFilesOf } from '../case/case-files.ts';
import { placeFor } from '../case/case-place.ts';
import { sentLatelyText } from '../case/work-words.ts';
import { type LaunchParams, sendPage } from '../launch/route.ts';
import { EndedPage } from '../sign-in/ended.tsx';
import { type Line, queryText, WorklistPage } from './page.tsx';
import { byText, waitsText, waitsToSign, worklistWords as words } from './words.ts';
import { type StaffVisit, signedFor, viewerOf, visitStaff } from './worklist-access.ts';
import { ListFilter, ListShown } from './worklist-asked.ts';
import { WorklistCasePage } from './worklist-case.tsx';
import { csvLine } from './worklist-csv.ts';

interface CaseParams extends LaunchParams {
  readonly case: string;
}

const pageRows = 25;
const summaryDays = 30;

/** What the handlers of the worklist need. */
interface WorklistDeps {
  readonly deps: Deps;
  readonly worklist: WorklistTable;
}
type ListRequest = FastifyRequest<{ Params: LaunchParams }>;
type CaseRequest = FastifyRequest<{ Params: CaseParams }>;

/** The worklist of a practice, one case of it, and what its staff do there. */
export function registerWorklist(app: FastifyInstance, deps: Deps): void {
  const { worklist } = deps;
  if (worklist === undefined) return;
  const page: WorklistDeps = { deps, worklist };
  const path = '/app/:launch/worklist';
  app.get<{ Params: LaunchParams }>(path, (request, reply) => showList(page, request, reply));
  app.post<{ Params: LaunchParams }>(path, (request, reply) => searchList(page, request, reply));
  app.get<{ Params: LaunchParams }>(`${path}.csv`, (request, reply) => exportList(page, request, reply));
  app.get<{ Params: CaseParams }>(`${path}/:case`, (request, reply) => showCase(page, request, reply));
  app.get<{ Params: CaseParams }>(`${path}/:case/again`, (request, reply) => startAgain(page, request, reply));
  for (const name of caseFileNames)
    app.get<{ Params: CaseParams }>(`${path}/:case/${name}`, (request, reply) =>
      sendCaseDocument(page, request, reply, name),
    );
  app.post<{ Params: CaseParams }>(`${path}/:case`, (request, reply) => actOnCase(page, request, reply));
  app.post<{ Params: LaunchParams }>('/app/:launch/sign-out', (request, reply) => signOut(deps, request, reply));
}

async function showList(
  { deps, worklist }: WorklistDeps,
  request: ListRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = await visitStaff(deps, request);
  const shown = ListShown.parse(request.query);
  const asked = ListFilter.parse(request.query);
  return list(deps, worklist, { visit, asked, search: '', shown, hasCharts: chartsMayBeOpen(request, visit) }, reply);
}

async function searchList(
  { deps, worklist }: WorklistDeps,
  request: ListRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { form, ...visit } = await postedByStaff(deps, request);
  const search = textOf(form, 'search').slice(0, 100);
  const asked = ListFilter.parse({ ...form });
  const hasCharts = chartsMayBeOpen(request, visit);
  if (!('assign' in form || 'close' in form))
    return list(deps, worklist, { visit, asked, search, shown: ListShown.parse({}), hasCharts }, reply);
  const did = await actTogether(deps, worklist, visit, form);
  // What was searched for must not be in an address: those lines are shown at once.
  if (search !== '')
    return list(deps, worklist, { visit, asked, search, shown: ListShown.parse(did), hasCharts }, reply);
  const said = Object.entries(did).map(([name, value]) => [name, String(value)]);
  return reply.redirect(`${visit.home}/worklist${queryText(asked, {})}&${new URLSearchParams(said)}`, 303);
}

// Another launch of this browser may have a chart; its page looks.
function chartsMayBeOpen(request: ListRequest, { staff }: StaffVisit): boolean {
  return staff.patient !== undefined || launchesIn(request).size > 1;
}

async function exportList(
  { deps, worklist }: WorklistDeps,
  request: ListRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return sendCsv(deps, worklist, await visitStaff(deps, request), ListFilter.parse(request.query), reply);
}

async function showCase(
  { deps, worklist }: WorklistDeps,
  request: CaseRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = await visitStaff(deps, request);
  const { row, one } = await caseFor(deps, worklist, visit, request.params.case);
  request.caseId = one.id;
  const chart = await chartOf(deps, request, visit, one);
  if (chart !== undefined) return reply.redirect(`${chart}/${placeFor(one, visit.staff)}`, 303);
  const acts = await lineRights(deps, visit.staff, row, one.patient);
  const open = seesName(worklist, visit.staff, row) || acts.sees;
  await recordByStaff(deps, visit.staff, {
    action: 'worklist_case_viewed',
    one,
    facts: open ? {} : { restricted: true },
  });
  const view = {
    ...visit,
    row,
    now: deps.clock(),
    today: todayAt(deps.clock(), visit.staff.site.timeZone).day,
    ...(open ? { one, staffList: await worklist.staff(visit.staff.site.id) } : {}),
    acts,
    files: acts.sees ? await caseFilesOf(deps, one) : [],
    questions: deps.mappings.questions,
    isSaved: Saved.safeParse(request.query).success,
  };
  return sendPage(reply, html(WorklistCasePage({ view })));
}

/** From a denied line to its next request: where the chart is open, else to the line, which says how to open it. */
async function startAgain(
  { deps, worklist }: WorklistDeps,
  request: CaseRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = await visitStaff(deps, request);
  const { one } = await caseFor(deps, worklist, visit, request.params.case);
  request.caseId = one.id;
  const chart = await chartOf(deps, request, visit, one);
  const to = chart === undefined ? `${visit.home}/worklist/${one.id}` : `${chart}/cases/${one.id}/again`;
  return reply.redirect(to, 303);
}

async function sendCaseDocument(
  { deps, worklist }: WorklistDeps,
  request: CaseRequest,
  reply: FastifyReply,
  name: CaseFileName,
): Promise<FastifyReply> {
  const visit = await visitStaff(deps, request);
  const { row, one } = await caseFor(deps, worklist, visit, request.params.case);
  request.caseId = one.id;
  const { sees } = await lineRights(deps, visit.staff, row, one.patient);
  if (!sees) {
    await recordByStaff(deps, visit.staff, {
      action: 'letter_downloaded',
      one,
      facts: { refused: name },
      outcome: 'failure',
    });
    throw new BridgeError('not_yours', { case: one.id });
  }
  const file = await caseFile(deps, one, visit.staff.site, name);
  await recordByStaff(deps, visit.staff, { action: 'letter_downloaded', one, facts: { file: name } });
  return sendCaseFile(reply, file);
}

/** `/app/<launch>` of a launch of this browser in which this person has the patient's chart open. */
async function chartOf(deps: Deps, request: CaseRequest, visit: StaffVisit, one: Case): Promise<string | undefined> {
  if (visit.staff.patient !== undefined && one.patient === `Patient/${visit.staff.patient}`) return visit.home;
  const chart = await openChartOf(deps, request, visit, one);
  return chart === undefined ? undefined : `/app/${chart}`;
}

/** A launch of this browser in which the same person has the patient's chart open: there the request itself opens. */
async function openChartOf(
  { smart }: Deps,
  request: CaseRequest,
  { staff }: StaffVisit,
  { patient }: Case,
): Promise<string | undefined> {
  for (const id of await smart.own(launchesIn(request))) {
    const other = await smart.staff(id, sessionOf(request, id)).catch(() => undefined);
    const isSame = other?.site.id === staff.site.id && other.fhirUser === staff.fhirUser;
    if (isSame && `Patient/${other.patient}` === patient) return id;
  }
  return undefined;
}

const Saved = z.object({ saved: z.literal('1') });

async function actOnCase(
  { deps, worklist }: WorklistDeps,
  request: CaseRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { form, ...visit } = await postedByStaff(deps, request);
  const { row, one } = await caseFor(deps, worklist, visit, request.params.case);
  request.caseId = one.id;
  await act(deps, worklist, visit, { row, one, form });
  const here = `${visit.home}/worklist`;
  return reply.redirect(textOf(form, 'action') === 'seen' ? here : `${here}/${one.id}?saved=1`, 303);
}

async function signOut(deps: Deps, request: ListRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { staff } = await postedByStaff(deps, request);
  await deps.smart.endSession(staff.id);
  clearSession(reply, staff.id);
  return sendPage(reply, html(EndedPage({ site: staff.site })));
}

async function postedByStaff(deps: Deps, request: ListRequest): Promise<StaffVisit & { readonly form: Form }> {
  const form = Form.safeParse(request.body ?? {});
  const visit = await visitStaff(deps, request);
  if (!form.success) throw new BridgeError('bad_request');
  checkForm(deps, request, visit.staff.id, textOf(form.data, 'token'));
  return { ...visit, form: form.data };
}

interface Listing {
  readonly visit: StaffVisit;
  readonly asked: ListFilter;
  readonly search: string;
  readonly shown: ListShown;
  readonly hasCharts: boolean;
}

async function list(
  deps: Deps,
  worklist: WorklistTable,
  { visit, asked, search, shown, hasCharts }: Listing,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { staff } = visit;
  const query = queryOf(deps, visit, asked, search);
  const [page, counts, takenOver, sent, staffList] = await Promise.all([
    worklist.page(query),
    worklist.counts({
      site: staff.site.id,
      viewer: query.viewer,
      own: seesOwnOnly(staff),
      ending: soonOf(deps, visit),
      toSign: signedFor(staff),
    }),
    worklist.takenOver(staff.site.id, staff.fhirUser),
    deps.effort?.sent(staff.site.id, summaryDays),
    worklist.staff(staff.site.id),
  ]);
  const lines = page.rows.map((row) => lineOf(worklist, visit, row));
  await recordLines(deps, visit, 'worklist_viewed', lines, { part: asked.part, searched: search !== '' });
  const view = {
    ...visit,
    asked,
    search,
    lines,
    counts,
    takenOver: takenOver.map((row) => lineOf(worklist, visit, row)),
    work: sent === undefined ? '' : sentLatelyText(sent, summaryDays),
    next: page.next,
    now: deps.clock(),
    today: todayAt(deps.clock(), staff.site.timeZone).day,
    staffList,
    people: Object.assign({}, ...page.rows.map(({ line }) => line.value().people)),
    shown,
    hasCharts,
  };
  return sendPage(reply, html(WorklistPage({ view })));
}

function queryOf(deps: Deps, visit: StaffVisit, asked: ListFilter, search: string): WorklistQuery {
  const { site, fhirUser } = visit.staff;
  const { ending, unwritten } = asked;
  const toSign = asked.sign === undefined ? undefined : signedFor(visit.staff);
  // A search covers the whole practice, whatever the request waits for.
  const isWhole = search !== '' || unwritten !== undefined || ending !== undefined || toSign !== undefined;
  return {
    site: site.id,
    viewer: viewerOf(visit.staff),
    limit: pageRows,
    // Who signs for the practice sees what waits for that, whoever prescribed it.
    own: toSign === undefined && seesOwnOnly(visit.staff),
    ...(toSign === undefined ? {} : { toSign }),
    ...(isWhole ? {} : { part: asked.part }),
    ...(search === '' ? {} : { search }),
    ...(asked.holder === undefined ? {} : { holder: asked.holder === 'nobody' ? null : asked.holder }),
    ...(asked.mine === undefined ? {} : { holder: fhirUser }),
    ...(ending === undefined ? {} : { ending: soonOf(deps, visit) }),
    ...(unwritten === undefined ? {} : { unwritten: true }),
    ...(asked.after === undefined ? {} : { after: asked.after }),
  };
}

function soonOf(deps: Deps, { staff: { site } }: StaffVisit): { readonly from: string; readonly to: string } {
  const { day } = todayAt(deps.clock(), site.timeZone);
  return { from: day, to: dayAfter(day, site.worklist.endsSoonDays) };
}

function lineOf(worklist: WorklistTable, { staff }: StaffVisit, row: WorklistRow): Line {
  const line = row.line.value();
  const holder = row.assigned ?? row.owner;
  const nameOf = (person: string | undefined) =>
    person === undefined ? undefined : (line.people[person] ?? words.colleague);
  const [says, needed, lacks, takenBy] = [line.says, line.needed, line.lacks, nameOf(line.takenBy)];
  return {
    row,
    drug: line.drug,
    isYours: holder === staff.fhirUser,
    acts: actsOnLine(worklist, staff, row),
    signs: waitsToSign(row) && maySign(staff.site, row, staff),
    sendsAgain: row.waits === 'denied' && row.part === 'needs' && actsOnLine(worklist, staff, row) && !isManager(staff),
    ...(seesName(worklist, staff, row) ? { patient: line.patient } : {}),
    ...(holder === undefined ? {} : { holder: nameOf(holder) ?? words.colleague }),
    ...(says === undefined ? {} : { says }),
    ...(needed === undefined ? {} : { needed }),
    ...(lacks === undefined ? {} : { lacks }),
    ...(takenBy === undefined ? {} : { takenBy }),
  };
}

/** Throws case_not_found for a case of another site, or one that this person does not see. */
async function caseFor(
  deps: Deps,
  worklist: WorklistTable,
  { staff }: StaffVisit,
  id: string,
): Promise<{ readonly row: WorklistRow; readonly one: Case }> {
  const known = z.uuid().safeParse(id);
  const row = known.success ? await worklist.find(known.data) : undefined;
  if (row === undefined || row.site !== staff.site.id) throw new BridgeError('case_not_found');
  if (seesOwnOnly(staff) && !isInvolved(worklist, staff, row)) throw new BridgeError('case_not_found');
  return { row, one: await deps.cases.get(row.case) };
}

interface Acting {
  readonly row: WorklistRow;
  readonly one: Case;
  readonly form: Form;
}

// Everybody who sees a line may leave a note; all other acts need the rights that the site's rule gives.
async function act(deps: Deps, worklist: WorklistTable, visit: StaffVisit, { row, one, form }: Acting): Promise<void> {
  const { cases } = deps;
  const by = userOf(visit.staff);
  const action = textOf(form, 'action');
  if (action === 'seen') return void (await cases.seeTakeOver(one.id, by));
  const rights = await lineRights(deps, visit.staff, row, one.patient);
  if (!allows(rights, action) && !(action === 'note' && seesName(worklist, visit.staff, row))) {
    const facts = { refused: action.slice(0, 20) };
    await recordByStaff(deps, visit.staff, { action: 'worklist_case_viewed', one, facts, outcome: 'failure' });
    throw new BridgeError('not_yours', { case: one.id });
  }
  if (action === 'note') await cases.addNote(one.id, { text: textOf(form, 'text'), by });
  else if (action === 'take') await cases.takeOver(one.id, by);
  else if (action === 'done') await cases.markDone(one.id, by);
  else if (action === 'assign') await cases.assign(one.id, { by, ...(await assigneeIn(worklist, visit, form, 'to')) });
  else throw new BridgeError('bad_request', { reason: 'unknown action' });
}

function allows({ assigns, takes }: LineRights, action: string): boolean {
  return action === 'take' ? takes : assigns;
}

/** Whom a form names to work on a request; nobody for an empty name. Throws bad_request for a stranger. */
async function assigneeIn(
  worklist: WorklistTable,
  { staff }: StaffVisit,
  form: Form,
  field: string,
): Promise<{ readonly to?: StaffMember }> {
  const chosen = textOf(form, field);
  if (chosen === '') return {};
  const to = (await worklist.staff(staff.site.id)).find(({ fhirUser }) => fhirUser === chosen);
  if (to === undefined) throw new BridgeError('bad_request', { fields: [field] });
  return { to };
}

const mostTogether = 100;

/** Assigns or closes the checked lines that this person may act on, and counts the others. */
async function actTogether(
  deps: Deps,
  worklist: WorklistTable,
  visit: StaffVisit,
  form: Form,
): Promise<{ readonly did: 'assign' | 'close'; readonly done: number; readonly left: number }> {
  const did = 'assign' in form ? 'assign' : 'close';
  const ids = [...new Set(textsOf(form, 'case'))].slice(0, mostTogether);
  const by = userOf(visit.staff);
  const assignee = did === 'assign' ? await assigneeIn(worklist, visit, form, 'assign') : {};
  let done = 0;
  for (const id of ids) {
    const { row, one } = await caseFor(deps, worklist, visit, id);
    const { assigns } = await lineRights(deps, visit.staff, row, one.patient);
    if (!assigns) {
      const facts = { refused: did };
      await recordByStaff(deps, visit.staff, { action: 'worklist_case_viewed', one, facts, outcome: 'failure' });
      continue;
    }
    if (did === 'close' && one.state !== 'ended') continue;
    if (did === 'assign') await deps.cases.assign(id, { by, ...assignee });
    else await deps.cases.markDone(id, by);
    done += 1;
  }
  return { did, done, left: ids.length - done };
}

const perEntry = 100;

/** Records the cases before they are shown, so that nothing is shown that cannot be recorded. */
async function recordLines(
  { audit }: Deps,
  { staff }: StaffVisit,
  action: string,
  lines: readonly Line[],
  facts: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  const who = { site: staff.site.id, actor: staff.fhirUser, launch: staff.id };
  for (let from = 0; from === 0 || from < lines.length; from += perEntry) {
    const shown = lines.slice(from, from + perEntry);
    const cases = shown.map(({ row }) => row.case).join(' ');
    await audit?.record({ ...who, action, facts: { ...facts, rows: shown.length, cases } });
  }
}

const mostRows = 10_000;

async function sendCsv(
  deps: Deps,
  worklist: WorklistTable,
  visit: StaffVisit,
  asked: ListFilter,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!visit.staff.site.worklist.csv) throw new BridgeError('not_found');
  const lines: Line[] = [];
  const query = { ...queryOf(deps, visit, asked, ''), limit: 500 };
  for (let after = asked.after; lines.length < mostRows; ) {
    const page = await worklist.page({ ...query, ...(after === undefined ? {} : { after }) });
    lines.push(...page.rows.map((row) => lineOf(worklist, visit, row)));
    after = page.next;
    if (after === undefined) break;
  }
  await recordLines(deps, visit, 'worklist_exported', lines, { part: asked.part });
  const { columns, since, by, owner } = words;
  const { day: today } = todayAt(deps.clock(), visit.staff.site.timeZone);
  const heads = [columns.patient, columns.drug, 'Group', columns.waits, since, by, owner];
  const table = [
    csvLine(heads),
    ...lines.map((line) => {
      const { row, patient, drug, holder } = line;
      return csvLine([
        patient ?? words.restricted,
        drug,
        words.parts[row.part],
        waitsText(row, line),
        row.since,
        byText({ ...row, line: row.line.value() }, visit.staff.site, today),
        holder ?? '',
      ]);
    }),
  ].join('');
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="worklist.csv"')
    .send(`\ufeff${table}`);
}
