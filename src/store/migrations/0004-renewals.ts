import { type Kysely, sql } from 'kysely';

/** Columns that determine when an approval in the worklist can be renewed. */
export async function renewals(db: Kysely<unknown>, { schema }: { readonly schema: string }): Promise<void> {
  await sql`set local search_path to ${sql.ref(schema)}`.execute(db);
  await sql`alter table worklist add payer_mark text, add done_at timestamptz`.execute(db);
}
