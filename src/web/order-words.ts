import type { HumanName, MedicationRequest } from 'fhir/r4.js';
import { dayText } from '../fhir/time/day-text.ts';
import type { Chart } from '../roles/chart.ts';

/** What tells an order from another one of the same drug: its directions, its day and who ordered it. */
export function orderWords(chart: Chart): string[] {
  const valueIn = (role: string) => chart.root(role).nodes[0]?.value;
  const directions = valueIn('directions');
  const order = valueIn('order') as MedicationRequest | undefined; // what these two roles hold
  const name = valueIn('prescriberName') as HumanName | undefined;
  const by = [...(name?.given ?? []), name?.family].filter((part) => typeof part === 'string').join(' ');
  return [
    ...(typeof directions === 'string' && directions !== '' ? [directions] : []),
    ...(order?.authoredOn === undefined ? [] : [`ordered ${dayText(order.authoredOn)}`]),
    ...(by === '' ? [] : [`by ${by}`]),
  ];
}
