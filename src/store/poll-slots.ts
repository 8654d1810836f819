import { sql } from 'kysely';
import type { Connection } from './database.ts';
import type { Allowance } from './types.ts';

export function createAllowance(connection: Connection): Allowance {
  const { read, now } = connection;
  return {
    async reserve(site, readsPerMinute) {
      const interval = sql`${60_000 / readsPerMinute} * interval '1 millisecond'`;
      const row = await read((db) =>
        db
          .insertInto('allowances')
          .values({ site, next_at: sql`${now()} + ${interval}` })
          .onConflict((conflict) =>
            conflict.column('site').doUpdateSet({ next_at: sql`greatest(allowances.next_at, ${now()}) + ${interval}` }),
          )
          .returning(
            sql<number>`(extract(epoch from next_at - ${interval} - ${now()}) * 1000)::double precision`.as('wait'),
          )
          .executeTakeFirstOrThrow(),
      );
      return Math.max(0, row.wait);
    },
    async hold(site, seconds) {
      const until = sql<string>`${now()} + ${seconds} * interval '1 second'`;
      await read((db) =>
        db
          .insertInto('allowances')
          .values({ site, next_at: until })
          .onConflict((conflict) =>
            conflict.column('site').doUpdateSet({ next_at: sql`greatest(allowances.next_at, ${until})` }),
          )
          .execute(),
      );
    },
    async heldSeconds(site) {
      const row = await read((db) =>
        db
          .selectFrom('allowances')
          .select(sql<number>`extract(epoch from next_at - ${now()})::double precision`.as('seconds'))
          .where('site', '=', site)
          .executeTakeFirst(),
      );
      return Math.max(0, row?.seconds ?? 0);
    },
  };
}
