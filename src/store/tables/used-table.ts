import { sql } from 'kysely';
import type { Connection } from '../database.ts';
import type { Seals } from '../seals.ts';
import type { UsedTable } from '../types.ts';

export function usedAbout(site: string, what: string, mark: string): string {
  return `used|${site}|${what}|${mark}`;
}

/** Implements `UsedTable`. The value is sealed, since a person may have typed anything. */
export function createUsedTable({ read, transaction, now }: Connection, seals: Seals): UsedTable {
  return {
    async note(site, what, items) {
      const rows = items.map(({ key, content }) => {
        const mark = seals.mark(`used|${site}|${what}|${key}`);
        return { site, what, mark, sealed: seals.seal(content, usedAbout(site, what, mark)).sealed };
      });
      // A fixed order, so that two simultaneous calls do not wait for each other.
      const ordered = rows.toSorted((one, other) => (one.mark < other.mark ? -1 : 1));
      await transaction(async (trx) => {
        for (const row of ordered)
          await trx
            .insertInto('used')
            .values({ ...row, count: 1, used_at: now() })
            .onConflict((conflict) =>
              conflict
                .columns(['site', 'what', 'mark'])
                .doUpdateSet({ count: sql<number>`used.count + 1`, used_at: now(), sealed: row.sealed }),
            )
            .execute();
      });
    },
    async most(site, what, limit) {
      const rows = await read((db) =>
        db
          .selectFrom('used')
          .select(['mark', 'count', 'sealed'])
          .where('site', '=', site)
          .where('what', '=', what)
          .orderBy('count', 'desc')
          .orderBy('used_at', 'desc')
          .limit(limit)
          .execute(),
      );
      return rows.map(({ mark, count, sealed }) => ({
        count,
        content: seals.open(sealed, usedAbout(site, what, mark)),
      }));
    },
    async purge(site, before) {
      const { numDeletedRows } = await read((db) =>
        db
          .deleteFrom('used')
          .where('site', '=', site)
          .where('used_at', '<', sql<Date>`${before}::timestamptz`)
          .executeTakeFirst(),
      );
      return Number(numDeletedRows);
    },
  };
}
