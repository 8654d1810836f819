import { orderStates, orderWords, placed } from '../batch/ledger.ts';
import { fileLine, type Report } from '../batch/report.ts';
import { count, table } from './text.ts';

/**
 * The report for a person: a line per file, then what became of the orders, what is missing, and where the files are.
 */
export function reportText(
  report: Report,
  { folder, files }: { readonly folder: string | undefined; readonly files: boolean },
): string {
  const { totals } = report;
  const parts = [
    ...(files ? [report.files.map(fileLine).join('\n')] : []),
    `${count(totals.files, 'file')}, ${count(totals.patients, 'patient')}, ` +
      `${count(totals.orders, 'medication order')}; mapping ${report.mapping}, as of ${report.now.slice(0, 10)}`,
    table(
      orderStates.map((state) => ['', orderWords[state], totals[state].toLocaleString('en-US')]),
      [2],
    ),
    ...section('Missing, by field (number of orders)', report.missing, ({ field, orders }) => [field, orders]),
    ...section('Not a candidate, and why', report.notCandidates, ({ reason, orders }) => [reason, orders]),
    ...list(
      'Cannot be mapped',
      report.orders
        .filter((order) => order.state === 'cannot_map')
        .map((order) => `${order.file}: ${placed({ ...order, reason: `${order.order}: ${order.reason ?? ''}` })}`),
    ),
    ...list(
      'Could not be read',
      report.files.flatMap((file) => file.problems.map((problem) => `${file.file}: ${placed(problem)}`)),
    ),
    ...list(
      'Not used',
      report.files.flatMap((file) => file.conflicts.map((conflict) => `${file.file}: ${placed(conflict)}`)),
    ),
    ...(folder === undefined
      ? []
      : [
          `Written to ${folder}: ${count(totals.ready, 'request')}, ${count(totals.needs_information, 'draft')}, ` +
            'report.json',
        ]),
  ];
  return parts.join('\n\n');
}

function section<Row>(title: string, rows: readonly Row[], cells: (row: Row) => readonly [string, number]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(cells).map(([text, number]) => ['', text, number.toLocaleString('en-US')]);
  return [`${title}\n${table(lines, [2])}`];
}

const listed = 50;

function list(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > listed ? [`  and ${lines.length - listed} more: see the report`] : [];
  return [[title, ...lines.slice(0, listed).map((line) => `  ${line}`), ...more].join('\n')];
}
