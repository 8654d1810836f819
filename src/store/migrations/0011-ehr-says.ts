import type { Kysely } from 'kysely';

/** What the EHR says in its own words of a write that it refused: it may quote a chart, so that it is sealed. */
export async function ehrSays(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('writes').addColumn('says', 'text').execute();
}
