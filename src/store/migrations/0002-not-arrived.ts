import type { Kysely } from 'kysely';

export async function notArrived(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('cases').addColumn('not_arrived_at', 'timestamptz').execute();
}
