import type { HumanName, MedicationRequest, Reference } from 'fhir/r4.js';
import { addressOf } from '../../../core/fhir/address.ts';
import { cleanText } from '../../../core/fhir/text/text.ts';
import type { Chart } from '../../../core/roles/chart.ts';

/** Details that distinguish orders of the same drug. A detail is absent if the chart does not state it. */
export interface OrderDetails {
  readonly directions?: string;
  /** `MedicationRequest.authoredOn`, unchanged. */
  readonly written?: string;
  readonly prescriber?: string;
}

export function orderFacts(chart: Chart): OrderDetails {
  const valueIn = (role: string) => chart.root(role).nodes[0]?.value;
  const directions = valueIn('directions');
  const order = valueIn('order') as MedicationRequest | undefined; // the types of these two roles
  const name = valueIn('prescriberName') as HumanName | undefined;
  const read = [...(name?.given ?? []), name?.family].filter((part) => typeof part === 'string').join(' ');
  const prescriber = read === '' ? namedBy(order?.requester) : read;
  return {
    ...(typeof directions === 'string' && directions !== '' ? { directions } : {}),
    ...(order?.authoredOn === undefined ? {} : { written: order.authoredOn }),
    ...(prescriber === '' ? {} : { prescriber }),
  };
}

// The list of orders may lack the prescriber's resource, so the display of the reference is used.
function namedBy({ reference = '', type, display }: Reference = {}): string {
  const stated = type ?? addressOf(reference)?.type ?? '';
  return ['Patient', 'RelatedPerson', 'Device'].includes(stated) ? '' : cleanText(display ?? '');
}

/** Newest first. Orders without a date come last, in the order of the chart. */
export function newestOrdersFirst<Order extends OrderDetails>(orders: readonly Order[]): Order[] {
  const at = ({ written }: Order) => (written === undefined ? Number.NEGATIVE_INFINITY : Date.parse(written) || 0);
  return orders.toSorted((one, other) => (at(one) === at(other) ? 0 : at(other) - at(one)));
}
