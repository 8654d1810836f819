import { z } from 'zod';
import type { Provenance } from '../core/mapping/result.ts';
import type { Case } from './case.ts';

/** Counts of a request's values by their source. Values that a site or a mapping adds by itself are not counted. */
export interface ValueCounts {
  readonly chart: number;
  /** Entered where the chart had no value. */
  readonly typed: number;
  /** Entered in place of a value of the chart. */
  readonly changed: number;
}

/** The documents of the request are not counted. */
export function valueCounts(provenance: readonly Provenance[]): ValueCounts {
  const counts = { chart: 0, typed: 0, changed: 0 };
  for (const { target, kind, replaces } of provenance) {
    if (target.startsWith('evidence')) continue;
    if (kind === 'entered') counts[replaces === undefined ? 'typed' : 'changed'] += 1;
    else if (kind !== 'site' && kind !== 'constant') counts.chart += 1;
  }
  return counts;
}

const Counts = z.object({ chart: z.number(), typed: z.number(), changed: z.number() });

/** The counts of the last request that was sent; undefined before the first. */
export function countsSent({ events }: Pick<Case, 'events'>): ValueCounts | undefined {
  return Counts.safeParse(events.findLast(({ type }) => type === 'sent')?.facts).data;
}
