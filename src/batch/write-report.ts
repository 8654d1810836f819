import { extname } from 'node:path';
import { counted } from '../core/counted.ts';
import { orderCount, orderStates, placed } from './file-ledger.ts';
import { writeAll } from './files.ts';
import { type CountedFact, countedFacts } from './order-facts.ts';
import { lacking, type OrderLine } from './order-line.ts';
import { type FactCount, fileLine, type RunReport } from './report.ts';

/** A report and its lines, JSON of an `OrderLine` each. */
export interface WholeReport {
  readonly report: RunReport;
  readonly lines: () => Iterable<string>;
}

/** Writes a report line by line, in the form that the file's name ends with: `.ndjson`, `.csv`, `.html`, else JSON. */
export function writeReport(path: string, whole: WholeReport): void {
  writeAll(path, (forms[extname(path).toLowerCase()] ?? reportJson)(whole));
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

/** The items of a JSON list, a line each. */
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
  for (const line of lines()) yield row(JSON.parse(line) as OrderLine); // written by this run
  for (const { file, problems } of report.files)
    for (const problem of problems) yield row({ ...problem, file, state: 'unreadable', reason: placed(problem) });
}

type CellValue = OrderLine[keyof OrderLine] | 'unreadable';

/** A spreadsheet takes a cell that begins like a formula for one: a quote before it makes it text. */
function cell(value: CellValue): string {
  const text = typeof value === 'object' ? [...new Set(wordsOf(value))].join(' ') : String(value ?? '');
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function wordsOf(value: readonly string[] | NonNullable<OrderLine['why']>): readonly string[] {
  return Array.isArray(value) ? value : Object.entries(value).map(([field, why]) => `${field}=${why}`);
}

/** The report as one page without scripts and without anything from elsewhere. */
function reportPage(report: RunReport): string {
  const { totals, missing, notCandidates, by, files, shown } = report;
  const [orders, patients] = [counted(totals.orders, 'medication order'), counted(totals.patients, 'patient')];
  const states = orderStates.filter((state) => totals[state] > 0);
  const incomplete = shown.needs_information.map((line) => [
    line.file,
    line.order,
    line.patient ?? '',
    lacking(line).join(', '),
  ]);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Orders of ${escaped(report.now.slice(0, 10))}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
table{border-collapse:collapse}td,th{padding:.2rem 1rem .2rem 0;text-align:left;vertical-align:top}
td.number{text-align:right}</style></head><body>
<h1>${orders} of ${patients}</h1>
<p>Mapping ${escaped(report.mapping)}, as of ${escaped(report.now.slice(0, 10))}.
Nothing about a patient stands here but references.</p>
<ul>${states.map((state) => `<li>${escaped(orderCount(state, totals[state]))}</li>`).join('')}</ul>
${section(
  'What is missing, by field',
  ['Field', 'Orders'],
  missing.map(({ field, orders }) => [field, orders]),
)}
${countedFacts.map((fact) => section(titles[fact], ['', 'Orders', 'Lack something'], rowsOf(by[fact]))).join('\n')}
${section(
  'Not eligible, and why',
  ['Reason', 'Orders'],
  notCandidates.map(({ reason, orders }) => [reason, orders]),
)}
${section(`The first orders that need information`, ['File', 'Order', 'Patient', 'Fields'], incomplete)}
${section(
  'Files',
  ['File'],
  files.map((file) => [fileLine(file)]),
)}
</body></html>
`;
}

const titles: Readonly<Record<CountedFact, string>> = {
  drug: 'By drug',
  payer: 'By payer',
  prescriber: 'By prescriber',
};

const rowsShown = 200;

function rowsOf(counts: readonly FactCount[]): (string | number)[][] {
  const rows = counts.slice(0, rowsShown).map(({ name, orders, lacking }) => [name || 'not stated', orders, lacking]);
  const more = counts.length - rows.length;
  return more === 0 ? rows : [...rows, [`and ${more.toLocaleString('en-US')} more: see report.json`]];
}

function section(title: string, names: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  if (rows.length === 0) return '';
  const head = names.map((name) => `<th scope="col">${escaped(name)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map(td).join('')}</tr>`).join('\n');
  return `<h2>${escaped(title)}</h2>\n<table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

function td(value: string | number): string {
  if (typeof value === 'number') return `<td class="number">${value.toLocaleString('en-US')}</td>`;
  return `<td>${escaped(value)}</td>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
