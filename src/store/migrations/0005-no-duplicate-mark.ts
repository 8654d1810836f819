import type { Kysely } from 'kysely';

/**
 * One mark of drug and prescriber could not say that two requests have the same name and only one of them a code: the
 * requests themselves are compared. The index goes with its column.
 */
export async function noDuplicateMark(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('cases').dropColumn('duplicate_mark').execute();
}
