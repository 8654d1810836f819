import type { MedicationDispense } from 'fhir/r4.js';
import { cite, nodeOf } from '../evidence/cite.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import type { Node } from '../mapping/input.ts';
import type { Answering } from './answering.ts';
import { isFilledFrom } from './history.ts';

/** One node for each fill of this order. A fill may differ from what the order states. */
export function dispensedAround({ histories, chart }: Answering): Node[] {
  return histories()
    .flatMap(({ entries }) => entries)
    .filter((entry) => isFilledFrom(entry, { located: chart.order }, chart))
    .map(nodeOfFill);
}

function nodeOfFill({ located, drug, handedOver, daysSupply }: TherapyEntry): Node {
  const { quantity } = located.resource as MedicationDispense; // only dispenses are filled from an order
  const dispensed = {
    day: handedOver,
    product: drug.product,
    quantity: quantity && cite(located, quantity, 'quantity'),
    days: daysSupply === undefined ? undefined : cite(located, daysSupply, 'daysSupply'),
    source: cite(located, located.reference),
  };
  return nodeOf({ dispensed }, located);
}
