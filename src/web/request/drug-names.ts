import type { CodeableConcept, Medication } from 'fhir/r4.js';
import { meaningful } from '../../core/fhir/text/placeholder.ts';
import type { Chart } from '../../core/roles/chart.ts';

const most = 12;

/** All names that the chart has for the order's drug: texts, and displays of codes and ingredients. */
export function drugNamesIn(chart: Chart): readonly string[] {
  const { ingredient = [], code } = chartValue<Partial<Medication>>(chart, 'medication') ?? {};
  const concepts = [
    chartValue<CodeableConcept>(chart, 'drugConcept'),
    code,
    ...ingredient.map(({ itemCodeableConcept }) => itemCodeableConcept),
  ];
  const names = concepts.flatMap((concept) => [
    concept?.text,
    ...(concept?.coding ?? []).map(({ display }) => display),
  ]);
  return [...new Set(names.flatMap((name) => meaningful(name) ?? []))].slice(0, most);
}

function chartValue<Value>(chart: Chart, role: string): Value | undefined {
  return chart.root(role).nodes[0]?.value as Value | undefined;
}
