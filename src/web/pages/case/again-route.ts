import type { FastifyInstance, FastifyReply } from 'fastify';
import { isDenied } from '../../../cases/appeal.ts';
import { type Case, type Entries, type SheetEntries, userText } from '../../../cases/case.ts';
import type { Statement } from '../../../core/answers/sheet.ts';
import { cellNames } from '../../../core/contract/answers-sheet.ts';
import { BridgeError } from '../../../core/errors.ts';
import { refusalOf } from '../../http/rights.ts';
import { userOf } from '../../http/user.ts';
import { type Form, textOf, textsOf } from '../../request/form.ts';
import { openDraft } from '../../request/open-draft.ts';
import { answersNow } from '../../request/reply-answers.ts';
import { carriedFrom } from '../../request/typed/carried.ts';
import { html } from '../../ui/page.tsx';
import { sendPage, type Visit, visit } from '../launch/route.ts';
import { AgainPage } from './again.tsx';
import { appealDeadlineOf } from './appeal.ts';
import { reviewPlace } from './case-place.ts';
import { answersToDenial, denialWay, exceptionOf, knownOf, sectionOf } from './denial-way.ts';
import {
  type CaseDeps,
  type CaseParams,
  type CaseRequest,
  caseOf,
  casePath,
  startedOf,
  todayAtSite,
} from './open-case.ts';

/** The page that starts a new request after a denial. */
export function registerAgain(app: FastifyInstance, page: CaseDeps): void {
  app.get<{ Params: CaseParams }>(`${casePath}/again`, (request, reply) => showAgain(page, request, reply));
}

async function showAgain(page: CaseDeps, request: CaseRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps, pulls } = page;
  const opened = await visit(deps, request);
  const one = await caseOf(page, opened, request);
  const here = `${opened.home}/cases/${one.id}`;
  if (one.state !== 'ended' || !isDenied(one) || one.followed !== undefined || refusalOf(opened.launch) !== undefined)
    return reply.redirect(here, 303);
  const { site } = opened.launch;
  const carried = await carriedFrom(deps, pulls, opened.launch, one);
  const by = { questions: deps.mappings.questions, evidence: site.evidence };
  const view = {
    ...opened,
    case: one,
    here,
    carried,
    answers: answersToDenial(one, answersNow(deps, opened.launch, carried.draft), by),
    started: await startedOf(page, opened, one),
    appeal: appealDeadlineOf(one, site),
    today: todayAtSite(deps, opened),
  };
  return sendPage(reply, html(AgainPage({ view })));
}

type Posted = Visit & { readonly form: Form };

/** Opens the new request with the entries carried over, unless one is open already. Returns its URL. */
export async function startAgain(page: CaseDeps, { launch, home, form }: Posted, one: Case): Promise<string> {
  const { deps, pulls } = page;
  if (one.state !== 'ended' || !isDenied(one)) throw new BridgeError('case_not_ready', { case: one.id });
  const order = one.order.replace('MedicationRequest/', '');
  const started = await startedOf(page, { launch, home }, one);
  if (started !== undefined) return started;
  const { entries, offered, suggested } = await carriedFrom(deps, pulls, launch, one);
  const opened = await openDraft(deps, pulls, { launch, order, kind: one.kind, anew: true });
  if ('sent' in opened) return `${home}/cases/${opened.sent.id}`;
  const { edits, answers, enteredFor, enteredBy } = entries;
  const chosen = textsOf(form, 'evidence');
  const added = suggested.flatMap(({ reference }) => (chosen.includes(reference) ? [reference] : []));
  const said = { text: reasonIn(form), by: userText(userOf(launch)), at: deps.clock().toISOString() };
  const exception = exceptionOf(launch.site, said);
  await deps.cases.saveDraft(opened.case.id, {
    ...exception,
    ...statedIn(opened.case, { sheet: entries.sheet, offered, reason: exception.sheet }),
    edits: { ...edits, ...knownOf(one, launch.site), ...exception.edits },
    answers: added.length === 0 ? answers : { ...answers, evidence: [...(answers.evidence ?? []), ...added] },
    ...(enteredFor === undefined ? {} : { enteredFor }),
    ...(enteredBy === undefined ? {} : { enteredBy }),
  });
  return `${home}/${reviewPlace(one)}${sectionOf(denialWay(one, launch.site), launch.site)}`;
}

/**
 * The answers for the new request: those that were typed for the denied request, and the reason for an exception, which
 * replaces an earlier statement.
 */
function statedIn(
  { sheet: begun, carried }: Entries,
  {
    sheet,
    offered,
    reason,
  }: {
    readonly sheet: SheetEntries | undefined;
    readonly offered: readonly Statement[];
    readonly reason: SheetEntries | undefined;
  },
): Pick<Entries, 'sheet' | 'carried'> {
  if (sheet === undefined) return {};
  const typed = sheet.statements ?? [];
  const [now, before] = [reason?.statements ?? [], carried?.statements ?? []];
  return {
    sheet: { ...begun, ...sheet, ...reason, statements: firstOfEach([...now, ...typed]) },
    carried: { kept: [], dropped: [], ...carried, statements: firstOfEach([...typed, ...offered, ...before]) },
  };
}

function firstOfEach(statements: readonly Statement[]): Statement[] {
  return cellNames.flatMap((cell) => statements.find((one) => one.cell === cell) ?? []);
}

// Browsers send line breaks in forms as CRLF.
function reasonIn(form: Form): string {
  return textOf(form, 'reason').replaceAll('\r\n', '\n').trim();
}
