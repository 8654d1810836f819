import { sql, type Transaction } from 'kysely';
import type { Connection } from '../database.ts';
import { serviceMark } from '../keyed-marks.ts';
import type { Database } from '../schema.ts';
import type { Seals } from '../seals.ts';
import type { Job, WebhookTable } from '../types.ts';

export function createWebhookTable(
  { read, transaction, now }: Connection,
  seals: Seals,
  enqueue: (jobs: readonly Job[], trx: Transaction<Database>) => Promise<void>,
): WebhookTable {
  return {
    async receive({ key, site, serviceId, eventType, claim }, jobs) {
      const { sealed } = seals.seal(claim, `webhook|${key}`);
      return await transaction(async (trx) => {
        if (await isErased(trx, serviceMark(seals, site, serviceId))) return 'erased';
        const stored = await trx
          .insertInto('webhooks')
          .values({ key, site, service_id: serviceId, event_type: eventType, received_at: now(), sealed })
          .onConflict((conflict) => conflict.doNothing())
          .returning('key')
          .execute();
        if (stored.length === 0) return 'duplicate';
        await enqueue(jobs, trx);
        return 'accepted';
      });
    },
    async lastClaim(site, serviceId, except) {
      const row = await read((db) =>
        db
          .selectFrom('webhooks')
          .select(['key', 'sealed'])
          .where('site', '=', site)
          .where('service_id', '=', serviceId)
          .$if(except !== undefined, (query) => query.where('event_type', '<>', except!))
          .orderBy('received_at', 'desc')
          .limit(1)
          .executeTakeFirst(),
      );
      return row === undefined ? undefined : seals.open(row.sealed, `webhook|${row.key}`);
    },
    async claims(site, serviceId, eventType) {
      const rows = await read((db) =>
        db
          .selectFrom('webhooks')
          .select(['key', 'sealed'])
          .where('site', '=', site)
          .where('service_id', '=', serviceId)
          .where('event_type', '=', eventType)
          .orderBy('received_at')
          .orderBy('key')
          .execute(),
      );
      return rows.map(({ key, sealed }) => seals.open(sealed, `webhook|${key}`));
    },
    async purge(olderThanSeconds) {
      const { numDeletedRows } = await read((db) =>
        db
          .deleteFrom('webhooks')
          .where('received_at', '<', sql<Date>`${now()} - ${olderThanSeconds} * interval '1 second'`)
          .executeTakeFirst(),
      );
      return Number(numDeletedRows);
    },
  };
}

async function isErased(trx: Transaction<Database>, mark: string): Promise<boolean> {
  const found = await trx.selectFrom('erasures').select('mark').where('mark', '=', mark).executeTakeFirst();
  return found !== undefined;
}
