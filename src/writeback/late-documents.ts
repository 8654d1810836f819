import { BridgeError } from '../core/errors.ts';
import type { Delivery } from './delivery.ts';
import type { Ours } from './find.ts';
import { lettersInChart } from './ledger.ts';
import { writableType } from './retract.ts';
import { judgeFailure } from './retry.ts';

/** How a write ended: with a response, or with an error. */
type Ended<T> = { readonly answer: T } | { readonly error: unknown };

/**
 * Sends a resource that refers to other resources of the bridge. An EHR that checks references refuses the resource
 * until the other resources are in the chart. If one of them is not there yet, throws `ehr_change_not_shown`; if the
 * EHR cannot say, throws the EHR's error. If all are there, the last may have arrived after the refusal. So the
 * resource is sent once more, and the result of that is returned.
 */
export async function sendNaming<T>(delivery: Delivery, resource: Ours, send: () => Promise<T>): Promise<Ended<T>> {
  const first = await ended(send);
  if ('answer' in first) return first;
  const named = namedBy(delivery, resource, first.error);
  if (named.length === 0) return first;
  for (const reference of named) {
    if (await isShown(delivery, reference)) continue;
    throw new BridgeError('ehr_change_not_shown', { case: delivery.facts.id }, { cause: first.error });
  }
  return await ended(send);
}

async function ended<T>(send: () => Promise<T>): Promise<Ended<T>> {
  try {
    return { answer: await send() };
  } catch (error) {
    return { error };
  }
}

/**
 * Returns the references that may have been missing when `resource` was refused: the letters of a Task, the target of a
 * Provenance.
 */
function namedBy(delivery: Delivery, resource: Ours, error: unknown): readonly string[] {
  if (!(error instanceof BridgeError) || isOfNone(error)) return [];
  const { code } = error;
  if (resource.resourceType === 'Task' && code === 'ehr_write_refused')
    return lettersInChart(delivery.rows()).flatMap(({ reference }) => reference ?? []);
  // An EHR that checks the patient of the target may answer 403 if the target is missing.
  const isRefusal = code === 'ehr_write_refused' || code === 'ehr_forbidden';
  if (resource.resourceType === 'Provenance' && isRefusal)
    return resource.target.flatMap(({ reference }) => reference ?? []);
  return [];
}

// These statuses concern the URL, whatever is sent to it (RFC 9110 15.5.6, 15.6.2).
function isOfNone({ facts }: BridgeError): boolean {
  return facts.http === 405 || facts.http === 501;
}

// A resource that the EHR forbids reading may exist, so it counts as shown. If the EHR cannot answer now, its error is
// thrown and the write is retried.
async function isShown({ api }: Delivery, reference: string): Promise<boolean> {
  const type = writableType(reference);
  try {
    return (await api.read<Ours>(type, reference.replace(`${type}/`, ''))) !== undefined;
  } catch (error) {
    const { verdict } = judgeFailure(error);
    if (verdict === 'retry' || verdict === 'wait' || !(error instanceof BridgeError)) throw error;
    return true;
  }
}
