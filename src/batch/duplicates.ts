import { createHash } from 'node:crypto';
import type { MappingResult } from '../mapping/result.ts';
import type { Place } from './outcome.ts';

interface Seen {
  readonly order: string;
  readonly place: Place;
}

/** Remembers by content what was mapped, so that one request is not made twice from two exports of the same chart. */
export interface Duplicates {
  /** The earlier order with the same request, if any. Drafts are the same only when they are of the same order: what is missing in both may differ. */
  seen(result: MappingResult<unknown>, at: Seen): Seen | undefined;
}

export function createDuplicates(): Duplicates {
  const known = new Map<string, Seen>();
  return {
    seen(result, at) {
      const content = result.status === 'complete' ? ['request', result.body] : ['draft', at.order, result.draft];
      const key = createHash('sha256').update(JSON.stringify(content)).digest('base64');
      const earlier = known.get(key);
      if (earlier === undefined) known.set(key, { order: at.order, place: at.place });
      return earlier;
    },
  };
}
