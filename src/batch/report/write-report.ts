import { extname } from 'node:path';
import { writeAll } from '../../base/writing.ts';
import { placed } from '../file-ledger.ts';
import { countedFacts } from './order-facts.ts';
import type { OrderLine } from './order-line.ts';
import type { RunReport } from './report.ts';

/** A report and its lines. Each line is JSON of an `OrderLine`. */
export interface WholeReport {
  readonly report: RunReport;
  readonly lines: () => Iterable<string>;
}

/** Writes a report line by line, in the format of the file's extension: `.ndjson`, `.csv`, else JSON. */
export function writeReport(path: string, whole: WholeReport): void {
  writeAll(path, (forms[extname(path).toLowerCase()] ?? reportJson)(whole));
}

const forms: Readonly<Record<string, (whole: WholeReport) => Iterable<string>>> = {
  '.ndjson': reportLines,
  '.csv': reportCsv,
};

export function* reportJson({ report, lines }: WholeReport): Generator<string> {
  const { mapping, now, totals, missing, notEligible, by, files } = report;
  yield `${JSON.stringify({ mapping, now, totals, missing, notEligible }).slice(0, -1)},\n"by":{`;
  for (const [at, fact] of countedFacts.entries()) {
    yield `${at === 0 ? '' : ','}\n${JSON.stringify(fact)}:[`;
    yield* apart(jsonOf(by[fact]));
    yield ']';
  }
  yield '},\n"orders":[';
  yield* apart(lines());
  yield '],\n"files":[';
  yield* apart(jsonOf(files));
  yield ']}\n';
}

function* jsonOf(values: Iterable<object>): Generator<string> {
  for (const value of values) yield JSON.stringify(value);
}

/** Yields a JSON list with each item on a line of its own. */
function* apart(items: Iterable<string>): Generator<string> {
  let before = '\n';
  for (const item of items) {
    yield `${before}${item}`;
    before = ',\n';
  }
}

function* reportLines({ report, lines }: WholeReport): Generator<string> {
  for (const line of lines()) yield `${line}\n`;
  for (const file of report.files) yield `${JSON.stringify(file)}\n`;
}

const columns = 'file line path order patient state reason missing why advice written'.split(
  ' ',
) as (keyof OrderLine)[];

function* reportCsv({ report, lines }: WholeReport): Generator<string> {
  yield `${columns.join(',')}\r\n`;
  const row = (order: Readonly<Partial<Record<keyof OrderLine, CellValue>>>) =>
    `${columns.map((column) => cell(order[column])).join(',')}\r\n`;
  for (const line of lines()) yield row(JSON.parse(line) as OrderLine); // this run wrote the lines
  for (const { file, problems } of report.files)
    for (const problem of problems) yield row({ ...problem, file, state: 'unreadable', reason: placed(problem) });
}

type CellValue = OrderLine[keyof OrderLine] | 'unreadable';

/** A spreadsheet would evaluate a cell that begins like a formula. A leading quote makes it text. */
function cell(value: CellValue): string {
  const text = typeof value === 'object' ? [...new Set(wordsOf(value))].join(' ') : String(value ?? '');
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function wordsOf(value: readonly string[] | NonNullable<OrderLine['why']>): readonly string[] {
  return Array.isArray(value) ? value : Object.entries(value).map(([field, why]) => `${field}=${why}`);
}
