import { sql } from 'kysely';
import type { Connection } from './database.ts';

/** The database's time, computed without a query from this process's monotonic clock and the measured offset. */
export interface DatabaseClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Measures the offset again. */
  measure(): Promise<void>;
}

/** Until the first measurement, the clock shows this machine's own time. */
export function createDatabaseClock(connection: Connection): DatabaseClock {
  // performance.now() never jumps, so setting the machine's clock has no effect.
  let aheadMs = Date.now() - performance.now();
  return {
    now: () => aheadMs + performance.now(),
    async measure() {
      // The measurement with the shortest round trip is the most exact. In a busy process, the response to another
      // measurement may have been read late.
      let quickest = Number.POSITIVE_INFINITY;
      for (let sample = 0; sample < 3; sample += 1) {
        const before = performance.now();
        const ms = await databaseMs(connection);
        const after = performance.now();
        if (after - before >= quickest) continue;
        quickest = after - before;
        aheadMs = ms - (before + after) / 2;
      }
    },
  };
}

async function databaseMs(connection: Connection): Promise<number> {
  return await connection.read(async (db) => {
    const { rows } = await sql<{ ms: number | string }>`
      select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms`.execute(db);
    return Number(rows[0]?.ms);
  });
}
