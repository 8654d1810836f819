import { sql } from 'kysely';
import type { Clock } from '../log.ts';
import type { Store } from './store.ts';

/** One shared pace per site for reading records, for all cases and processes. */
export interface Allowance {
  /** Takes the next place and says in how many milliseconds it comes. */
  reserve(site: string, readsPerMinute: number): Promise<number>;
  /** The service asked to be left alone for a while (Retry-After). */
  hold(site: string, seconds: number): Promise<void>;
}

export function createAllowance(store: Store, clock: Clock): Allowance {
  return {
    async reserve(site, readsPerMinute) {
      const now = clock().getTime();
      const interval = 60_000 / readsPerMinute;
      const row = await store.read((db) =>
        db
          .insertInto('allowances')
          .values({ site, next_ms: now + interval })
          .onConflict((conflict) =>
            conflict.column('site').doUpdateSet({
              next_ms: sql`greatest(allowances.next_ms, ${now}::double precision) + ${interval}::double precision`,
            }),
          )
          .returning('next_ms')
          .executeTakeFirstOrThrow(),
      );
      return Math.max(0, row.next_ms - interval - now);
    },
    async hold(site, seconds) {
      const until = clock().getTime() + seconds * 1000;
      await store.read((db) =>
        db
          .insertInto('allowances')
          .values({ site, next_ms: until })
          .onConflict((conflict) =>
            conflict
              .column('site')
              .doUpdateSet({ next_ms: sql`greatest(allowances.next_ms, ${until}::double precision)` }),
          )
          .execute(),
      );
    },
  };
}
