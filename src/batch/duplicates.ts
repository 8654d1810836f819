import { hash } from 'node:crypto';
import type { Resource } from 'fhir/r4.js';
import type { MappingResult } from '../core/mapping/result.ts';
import { type OrderOutcome, type Place, placeWords } from './outcome.ts';

/** JSON of what a result says: of a request its body, of any other the draft. */
export function jsonOfResult(result: MappingResult<unknown>): string {
  return JSON.stringify(result.status === 'complete' ? result.body : result.draft);
}

/**
 * Equal for results that are one request, so that it is not made twice from two exports of the same chart. A request
 * says itself whom and what it is about; a draft may lack just that, so drafts are the same only when order and patient
 * are the same resources as well. 128 bits of a SHA-256, in hexadecimal. `content` is what `jsonOfResult` gave for the
 * result. Runs are compared with digests of earlier ones: the form stays.
 */
export function digestOf(
  { status }: Pick<MappingResult<unknown>, 'status'>,
  content: string,
  about: readonly Resource[],
): string {
  const text = status === 'complete' ? `["request",${content}]` : `["draft",${content},${JSON.stringify(about)}]`;
  return hash('sha256', text, 'hex').slice(0, 32);
}

/** What a duplicate says of the order that it repeats. */
export function duplicateReason(first: { readonly order: string; readonly place: Place }): string {
  return `the same request as ${first.order} (${placeWords(first.place)})`;
}

/** Remembers what was mapped: an outcome whose request was made before becomes a duplicate that names it. */
export function createDuplicates(): (outcome: OrderOutcome) => OrderOutcome {
  const known = new Map<string, OrderOutcome>();
  return (outcome) => {
    if (!('result' in outcome)) return outcome;
    const { place, order, patient, digest } = outcome;
    const first = known.get(digest);
    if (first !== undefined)
      return {
        place,
        order,
        ...(patient === undefined ? {} : { patient }),
        state: 'duplicate',
        reason: duplicateReason(first),
      };
    known.set(digest, { place, order, state: 'duplicate', reason: '' });
    return outcome;
  };
}
