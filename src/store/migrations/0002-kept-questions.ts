import { type Kysely, sql } from 'kysely';

/** Payers' questions that a person kept, to be shown for later requests. They are deleted with their case. */
export async function keptQuestions(db: Kysely<unknown>, { schema }: { readonly schema: string }): Promise<void> {
  await sql`set local search_path to ${sql.ref(schema)}`.execute(db);
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table kept_questions (
    case_id text not null references cases (id) on delete cascade,
    round integer not null,
    about text not null,
    kept_at timestamptz not null,
    sealed text not null,
    constraint kept_questions_key primary key (case_id, round, about)
  )`,
  'create index kept_questions_about on kept_questions (about, kept_at)',
];
