import { createHash } from 'node:crypto';
import type { Resource } from 'fhir/r4.js';
import type { MappingResult } from '../mapping/result.ts';
import type { Place } from './outcome.ts';

interface Seen {
  readonly order: string;
  readonly place: Place;
}

/** Remembers by content what was mapped, so that one request is not made twice from two exports of the same chart. */
export interface Duplicates {
  /**
   * The earlier order with the same request, if any. A request says itself whom and what it is about; a draft may lack
   * just that, so drafts are the same only when order and patient are the same resources as well.
   */
  seen(result: MappingResult<unknown>, of: readonly Resource[], at: Seen): Seen | undefined;
}

export function createDuplicates(): Duplicates {
  const known = new Map<string, Seen>();
  return {
    seen(result, of, at) {
      const content = result.status === 'complete' ? ['request', result.body] : ['draft', result.draft, of];
      const key = createHash('sha256').update(JSON.stringify(content)).digest('base64');
      const earlier = known.get(key);
      if (earlier === undefined) known.set(key, { order: at.order, place: at.place });
      return earlier;
    },
  };
}
