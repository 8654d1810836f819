import type { FastifyReply } from 'fastify';
import { BridgeError } from '../../../core/errors.ts';
import { todayAt } from '../../../core/fhir/time/today.ts';
import type { WorklistTable } from '../../../store/types.ts';
import type { Deps } from '../../http/deps.ts';
import { recordLines } from './list-audit.ts';
import { lineOf } from './list-line.ts';
import { queryOf } from './list-query.ts';
import type { Line } from './view.ts';
import { byText, waitsText, worklistWords as words } from './words.ts';
import { type ListRequest, type StaffVisit, visitStaff, type WorklistDeps } from './worklist-access.ts';
import { ListFilter } from './worklist-asked.ts';
import { csvLine } from './worklist-csv.ts';

export async function exportList(
  { deps, worklist }: WorklistDeps,
  request: ListRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return sendCsv(deps, worklist, await visitStaff(deps, request), ListFilter.parse(request.query), reply);
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
