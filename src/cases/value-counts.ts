import { z } from 'zod';
import type { Provenance } from '../core/mapping/result.ts';
import type { Case } from './case.ts';

/** Values of a request by where they came from. What a site or a mapping puts in by itself is in none. */
export interface ValueCounts {
  readonly chart: number;
  /** Entered where the chart had nothing. */
  readonly typed: number;
  /** Entered in the place of what the chart had. */
  readonly changed: number;
}

/** Of one request; documents that go with it are not values. */
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

/** Of the request that left last; undefined where none did. */
export function countsSent({ events }: Pick<Case, 'events'>): ValueCounts | undefined {
  return Counts.safeParse(events.findLast(({ type }) => type === 'sent')?.facts).data;
}
