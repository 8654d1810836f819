import type { MedicationRequest } from 'fhir/r4.js';
import { type Case, isEditable, type ListedCase, lacksOrder } from '../../cases/case.ts';
import type { Pull } from '../http/chart-reading.ts';
import type { Deps } from '../http/deps.ts';

/** Final statuses of a MedicationRequest. */
const ended: ReadonlySet<string> = new Set(['stopped', 'cancelled', 'completed', 'entered-in-error']);

/** The case after storing whether its order has ended in the chart; unchanged if the chart does not have the order. */
export async function withOrderNoted<One extends ListedCase>(
  { cases }: Pick<Deps, 'cases'>,
  { entries }: Pull,
  one: One,
): Promise<One | Case> {
  if (!isEditable(one)) return one;
  const read = entries.find(({ resource: { resourceType, id } }) => `${resourceType}/${id}` === one.order);
  if (read === undefined) return one;
  const isEnded = ended.has((read.resource as MedicationRequest).status);
  return isEnded === lacksOrder(one) ? one : await cases.noteOrder(one.id, { isEnded });
}
