import { type JudgedCriterion, judgeCriteria, namesBy } from '../core/answers/criteria/criteria.ts';
import { answersSheet } from '../core/answers/sheet.ts';
import { isObject } from '../core/fhir/is-object.ts';
import { todayAt } from '../core/fhir/time/today.ts';
import type { Chart } from '../core/roles/chart.ts';
import type { ChosenMapping } from './mappings.ts';

/**
 * Judges the site's payer criteria for the ordered drug. `chart`: the chart chosen by the roles of the answers mapping.
 */
export function criteriaOfChart({ answers, site }: ChosenMapping, chart: Chart, now: Date): JudgedCriterion[] {
  const { mapping, knowledge, criteria } = answers;
  if (criteria.length === 0) return [];
  const sheet = answersSheet(mapping, chart);
  const drug = sheet.cell('dose').value?.drug ?? '';
  const { day } = todayAt(now, site.timeZone);
  return judgeCriteria(criteria, sheet, { payer: payerOf(chart), drug, isNamed: namesBy(knowledge), day });
}

// As in the request: the name of the payer's Organization, or else the payer's name in the Coverage.
function payerOf(chart: Chart): string {
  const member = (role: string, key: string) => {
    const value = chart.root(role).nodes[0]?.value;
    const text = isObject(value) ? value[key] : undefined;
    return typeof text === 'string' ? text : undefined;
  };
  return member('payer', 'name') ?? member('payor', 'display') ?? '';
}

export function formatCriterion({ verdict, row, because, cost, read }: JudgedCriterion): string[] {
  const places = [...new Set(read.flatMap(({ source }) => (source === undefined ? [] : [source.resource])))];
  const from = [row.source, row.readOn === undefined ? undefined : `read on ${row.readOn}`, row.readBy];
  return [
    `  ${verdict}: ${row.text}`,
    `    ${because}`,
    ...(cost === undefined ? [] : [`    to be found: ${cost}`]),
    ...(places.length === 0 ? [] : [`    ${places.join(', ')}`]),
    `    ${from.filter((part) => part !== undefined).join(', ')}`,
  ];
}
