import { orderCount, orderStates, placed } from '../batch/file-ledger.ts';
import { lacking, type OrderLine } from '../batch/report/order-line.ts';
import type { InputProblem, OrderState } from '../batch/report/order-outcome.ts';
import { fileLine, type RunReport } from '../batch/report/report.ts';
import type { Paint, TextTone } from './paint.ts';
import { textWords } from './report/words.ts';
import { textTable } from './text.ts';

interface ReportTextOptions {
  /** The folder of the written files; undefined if none were written. */
  readonly folder: string | undefined;
  readonly format: 'files' | 'ndjson';
  /** Whether the report has a line for each file. */
  readonly files: boolean;
  readonly paint: Paint;
}

const tones: Readonly<Record<OrderState, TextTone>> = {
  ready: 'good',
  incomplete: 'attention',
  not_eligible: 'title',
  duplicate: 'title',
  left_out: 'title',
  cannot_map: 'bad',
};

/** Text for a person: the number of orders by state, what they lack, the first orders of each state, and the files. */
export function reportText(report: RunReport, { folder, format, files, paint }: ReportTextOptions): string {
  const { totals } = report;
  const list = (title: string, tone: TextTone, lines: readonly string[], all = lines.length) =>
    listed(paint(tone, title), lines, all);
  const orders = (state: OrderState, title: string, says: (order: OrderLine) => string) =>
    list(title, tones[state], linesOf(report, state, says), totals[state]);
  const { lists } = textWords;
  const parts = [
    textWords.head(report),
    ...(totals.orders === 0 ? [] : [orderStates.flatMap((state) => totalLine(report, state, paint)).join('\n')]),
    ...section(paint('title', textWords.missing), report.missing, ({ field, orders }) => [field, orders]),
    ...section(paint('title', textWords.notEligible), report.notEligible, ({ reason, orders }) => [reason, orders]),
    ...orders('incomplete', lists.incomplete, lackOf),
    ...orders('duplicate', lists.duplicate, reasonOf),
    ...orders('cannot_map', lists.cannotMap, reasonOf),
    ...list(lists.unread, 'bad', problemsOf(report, 'problems')),
    ...list(lists.unused, 'title', problemsOf(report, 'conflicts')),
    ...(files
      ? list(lists.files, 'title', report.files.map(fileLine), 0)
      : list(lists.ignored, 'title', ignoredOf(report))),
    ...(folder === undefined ? [] : [textWords.written(folder, format, totals)]),
  ];
  return parts.join('\n\n');
}

function totalLine({ totals }: RunReport, state: OrderState, paint: Paint): string[] {
  return totals[state] === 0 ? [] : [`  ${paint(tones[state], orderCount(state, totals[state]))}`];
}

function linesOf({ shown }: RunReport, state: OrderState, says: (order: OrderLine) => string): string[] {
  return shown[state].map((order) => `${order.file}: ${placed({ ...order, reason: says(order) })}`);
}

function problemsOf({ files }: RunReport, kind: 'problems' | 'conflicts'): string[] {
  return files.flatMap((file) => file[kind].map((problem: InputProblem) => `${file.file}: ${placed(problem)}`));
}

function ignoredOf({ files }: RunReport): string[] {
  return files.filter(({ state }) => state === 'ignored').map(fileLine);
}

/** Example: `MedicationRequest/9 of Patient/1: diagnoses, prescription.quantity`. */
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

const shown = 20;

/** The first lines and how many more of `all` there are. If `all` is 0, all lines. */
function listed(title: string, lines: readonly string[], all: number): string[] {
  if (lines.length === 0) return [];
  const first = all === 0 ? lines : lines.slice(0, shown);
  const rest = all - first.length;
  return [[title, ...first.map((line) => `  ${line}`), ...(rest > 0 ? [`  ${textWords.more(rest)}`] : [])].join('\n')];
}
