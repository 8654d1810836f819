import { BridgeError } from '../core/errors.ts';
import type { Delivery } from './delivery.ts';
import type { Ours } from './find.ts';
import { lettersInChart } from './ledger.ts';
import { writableType } from './retract.ts';
import { judgeFailure } from './retry.ts';

/** What became of a write: the answer, or what it threw. */
type Ended<T> = { readonly answer: T } | { readonly error: unknown };

/**
 * Sends a write of something that names other resources of ours. An EHR that checks references refuses it until they
 * are there: where one is not in the chart yet, throws `ehr_change_not_shown`, and where the EHR cannot say now whether
 * it is, throws as the EHR does. Where all are there, the last one may have come after the refusal: the write is sent
 * once more, and what that comes to counts.
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

/** What may have been missing when `resource` was refused: the letters of a Task, the target of a Provenance. */
function namedBy(delivery: Delivery, resource: Ours, error: unknown): readonly string[] {
  if (!(error instanceof BridgeError) || isOfNone(error)) return [];
  const { code } = error;
  if (resource.resourceType === 'Task' && code === 'ehr_write_refused')
    return lettersInChart(delivery.rows()).flatMap(({ reference }) => reference ?? []);
  // An EHR that looks at the target cannot say whose patient it is about.
  const isRefusal = code === 'ehr_write_refused' || code === 'ehr_forbidden';
  if (resource.resourceType === 'Provenance' && isRefusal)
    return resource.target.flatMap(({ reference }) => reference ?? []);
  return [];
}

// Said of the address, whatever is sent to it (RFC 9110 15.5.6, 15.6.2).
function isOfNone({ facts }: BridgeError): boolean {
  return facts.http === 405 || facts.http === 501;
}

// An EHR that does not let it be read leaves open whether it is there; one that cannot answer now is asked again.
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
