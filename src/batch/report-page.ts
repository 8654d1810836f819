import { counted } from '../core/counted.ts';
import { orderCount, orderStates } from './ledger.ts';
import { type CountedFact, countedFacts } from './order-facts.ts';
import { lacking } from './order-line.ts';
import { type FactCount, fileLine, type Report } from './report.ts';

/** The report as one page without scripts and without anything from elsewhere. */
export function reportPage(report: Report): string {
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
