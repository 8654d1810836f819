import type { Kysely } from 'kysely';

/** How often a write was tried in vain, and when last: the next try counts from there. */
export async function tries(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('writes').addColumn('tries', 'integer').addColumn('tried_at', 'timestamptz').execute();
}
