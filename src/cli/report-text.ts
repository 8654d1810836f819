import { orderCount, orderStates, placed } from '../batch/file-ledger.ts';
import { lacking, type OrderLine } from '../batch/order-line.ts';
import type { OrderState } from '../batch/order-outcome.ts';
import { fileLine, type RunReport } from '../batch/report.ts';
import { counted } from '../core/counted.ts';
import type { Paint, TextTone } from './paint.ts';
import { textTable } from './text.ts';

interface ReportTextOptions {
  /** Where files were written. */
  readonly folder: string | undefined;
  readonly format: 'files' | 'ndjson';
  /** Whether each file has its line. */
  readonly files: boolean;
  readonly paint: Paint;
}

const tones: Readonly<Record<OrderState, TextTone>> = {
  ready: 'good',
  needs_information: 'attention',
  not_candidate: 'title',
  duplicate: 'title',
  left_out: 'title',
  cannot_map: 'bad',
};

/**
 * The report for a person: a line per file, what became of the orders, what each of them lacks, and where the files
 * are.
 */
export function reportText(report: RunReport, { folder, format, files, paint }: ReportTextOptions): string {
  const { totals } = report;
  const list = (title: string, tone: TextTone, lines: readonly string[], all = lines.length) =>
    listed(paint(tone, title), lines, all);
  const parts = [
    ...(files && report.files.length > 0 ? [report.files.map(fileLine).join('\n')] : []),
    `${counted(totals.files, 'file')}, ${counted(totals.patients, 'patient')}, ` +
      `${totals.orders === 0 ? 'no medication orders' : counted(totals.orders, 'medication order')}; ` +
      `mapping ${report.mapping}, as of ${report.now.slice(0, 10)}`,
    ...(totals.orders === 0 ? [] : [orderStates.flatMap((state) => totalLine(report, state, paint)).join('\n')]),
    ...list(
      'Orders that need information, and which',
      'attention',
      linesOf(report, 'needs_information', lackOf),
      totals.needs_information,
    ),
    ...section(paint('title', 'Missing, by field (number of orders)'), report.missing, ({ field, orders }) => [
      field,
      orders,
    ]),
    ...section(paint('title', 'Not eligible, and why'), report.notCandidates, ({ reason, orders }) => [reason, orders]),
    ...list('Duplicates', 'title', linesOf(report, 'duplicate', reasonOf), totals.duplicate),
    ...list('Cannot be mapped', 'bad', linesOf(report, 'cannot_map', reasonOf), totals.cannot_map),
    ...list(
      'Could not be read',
      'bad',
      report.files.flatMap((file) => file.problems.map((problem) => `${file.file}: ${placed(problem)}`)),
    ),
    ...list(
      'Not used',
      'title',
      report.files.flatMap((file) => file.conflicts.map((conflict) => `${file.file}: ${placed(conflict)}`)),
    ),
    ...(folder === undefined
      ? []
      : [
          `Written to ${folder}${format === 'ndjson' ? ' as lines' : ''}: ${counted(totals.ready, 'request')}, ` +
            `${counted(totals.needs_information, 'draft')}, report.json`,
        ]),
  ];
  return parts.join('\n\n');
}

function totalLine({ totals }: RunReport, state: OrderState, paint: Paint): string[] {
  return totals[state] === 0 ? [] : [`  ${paint(tones[state], orderCount(state, totals[state]))}`];
}

function linesOf({ shown }: RunReport, state: OrderState, says: (order: OrderLine) => string): string[] {
  return shown[state].map((order) => `${order.file}: ${placed({ ...order, reason: says(order) })}`);
}

/** `MedicationRequest/9 of Patient/1: diagnoses, prescription.quantity` */
function lackOf(line: OrderLine): string {
  const { order, patient } = line;
  return `${order}${patient === undefined ? '' : ` of ${patient}`}: ${lacking(line).join(', ')}`;
}

function reasonOf({ order, reason = '' }: OrderLine): string {
  return `${order}: ${reason}`;
}

function section<Row>(title: string, rows: readonly Row[], cells: (row: Row) => readonly [string, number]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(cells).map(([text, number]) => ['', text, number.toLocaleString('en-US')]);
  return [`${title}\n${textTable(lines, [2])}`];
}

const shown = 50;

function listed(title: string, lines: readonly string[], all: number): string[] {
  if (lines.length === 0) return [];
  const rest = all - Math.min(lines.length, shown);
  const more = rest > 0 ? [`  and ${rest.toLocaleString('en-US')} more: see the report`] : [];
  return [[title, ...lines.slice(0, shown).map((line) => `  ${line}`), ...more].join('\n')];
}
