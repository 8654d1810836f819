import { type Kysely, sql } from 'kysely';

/** Worklist views that a person saved under a name. */
export async function savedViews(db: Kysely<unknown>, { schema }: { readonly schema: string }): Promise<void> {
  await sql`set local search_path to ${sql.ref(schema)}`.execute(db);
  await sql.raw(statement).execute(db);
}

const statement = `create table saved_views (
    site text not null,
    person text not null,
    mark text not null,
    saved_at timestamptz not null,
    sealed text not null,
    constraint saved_views_key primary key (site, person, mark)
  )`;
