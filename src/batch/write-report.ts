import { closeSync, openSync } from 'node:fs';
import { extname } from 'node:path';
import { fileLines } from './file-lines.ts';
import { placed } from './ledger.ts';
import { countedFacts } from './order-facts.ts';
import type { OrderLine } from './order-line.ts';
import type { Problem } from './outcome.ts';
import type { Report } from './report.ts';
import { reportPage } from './report-page.ts';
import { writeWhole } from './write-whole.ts';

/** A report and the file that holds its lines, one JSON a line. */
export interface WholeReport {
  readonly report: Report;
  readonly lines: string;
}

/** Writes a report line by line, in the form that the file's name ends with: `.ndjson`, `.csv`, `.html`, else JSON. */
export function writeReport(path: string, whole: WholeReport): void {
  const file = openSync(path, 'w', 0o600);
  try {
    for (const text of gathered(forms[extname(path).toLowerCase()] ?? reportJson, whole))
      writeWhole(file, Buffer.from(text));
  } finally {
    closeSync(file);
  }
}

const forms: Readonly<Record<string, (whole: WholeReport) => Iterable<string>>> = {
  '.ndjson': reportLines,
  '.csv': reportCsv,
  '.html': ({ report }) => [reportPage(report)],
};

/** JSON with a line for each count, order and file. */
export function* reportJson({ report, lines }: WholeReport): Generator<string> {
  const { mapping, now, totals, missing, notCandidates, by, files } = report;
  yield `${JSON.stringify({ mapping, now, totals, missing, notCandidates }).slice(0, -1)},\n"by":{`;
  let before = '\n';
  for (const fact of countedFacts) {
    yield `${before}${JSON.stringify(fact)}:[`;
    yield* apart(jsonOf(by[fact]));
    yield ']';
    before = ',\n';
  }
  yield '},\n"orders":[';
  yield* apart(fileLines(lines));
  yield '],\n"files":[';
  yield* apart(jsonOf(files));
  yield ']}\n';
}

function* jsonOf(values: Iterable<object>): Generator<string> {
  for (const value of values) yield JSON.stringify(value);
}

/** The items of a JSON list, a line each. */
function* apart(items: Iterable<string>): Generator<string> {
  let before = '\n';
  for (const item of items) {
    yield `${before}${item}`;
    before = ',\n';
  }
}

function* reportLines({ report, lines }: WholeReport): Generator<string> {
  for (const line of fileLines(lines)) yield `${line}\n`;
  for (const file of report.files) yield `${JSON.stringify(file)}\n`;
}

const columns = [
  'file',
  'line',
  'path',
  'order',
  'patient',
  'state',
  'reason',
  'missing',
  'why',
  'advice',
  'written',
] as const;

function* reportCsv({ report, lines }: WholeReport): Generator<string> {
  yield `${columns.join(',')}\r\n`;
  for (const line of fileLines(lines)) {
    const order = JSON.parse(line) as OrderLine; // written by this run
    yield `${columns.map((column) => cell(order[column])).join(',')}\r\n`;
  }
  for (const { file, problems } of report.files)
    for (const problem of problems) yield `${unreadCells(file, problem).map(cell).join(',')}\r\n`;
}

function unreadCells(file: string, problem: Problem): (string | number | undefined)[] {
  return [file, problem.line, problem.path, '', '', 'unreadable', placed(problem), '', '', '', ''];
}

/** A spreadsheet takes a cell that begins like a formula for one: a quote before it makes it text. */
function cell(value: string | number | readonly string[] | OrderLine['why']): string {
  const text = typeof value === 'object' ? [...new Set(wordsOf(value))].join(' ') : String(value ?? '');
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function wordsOf(value: readonly string[] | NonNullable<OrderLine['why']>): readonly string[] {
  return Array.isArray(value) ? value : Object.entries(value).map(([field, why]) => `${field}=${why}`);
}

/** A longer text would stay in memory until all of it is collected. */
const writtenAtOnce = 1 << 16;

function* gathered(form: (whole: WholeReport) => Iterable<string>, whole: WholeReport): Generator<string> {
  let texts: string[] = [];
  let length = 0;
  for (const text of form(whole)) {
    texts.push(text);
    length += text.length;
    if (length < writtenAtOnce) continue;
    yield texts.join('');
    [texts, length] = [[], 0];
  }
  yield texts.join('');
}
