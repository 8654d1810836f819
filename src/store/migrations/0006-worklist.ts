import { type Kysely, sql } from 'kysely';

/**
 * One short row a case for the worklist of a practice, and who of its staff has signed in. Rows of cases that are there
 * already are made when the store opens: they are derived from the cases (`worklist-table.ts`).
 */
export async function worklist(db: Kysely<unknown>, { schema }: { readonly schema: string }): Promise<void> {
  await db.schema
    .createTable('worklist')
    .addColumn('case_id', 'text', (column) => column.primaryKey().references('cases.id').onDelete('cascade'))
    .addColumn('made_by', 'integer', (column) => column.notNull())
    .addColumn('site', 'text', (column) => column.notNull())
    .addColumn('patient_mark', 'text', (column) => column.notNull())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('waits', 'text', (column) => column.notNull())
    .addColumn('since', 'timestamptz', (column) => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('assigned', 'text')
    .addColumn('holder', 'text')
    .addColumn('prescriber', 'text')
    .addColumn('told', 'text')
    .addColumn('approval_end', 'date')
    .addColumn('unwritten', 'boolean', (column) => column.notNull())
    .addColumn('restricted', 'boolean', (column) => column.notNull())
    .addColumn('marks', sql`text[]`, (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .execute();
  const index = (name: string, columns: readonly string[]) =>
    db.schema
      .createIndex(name)
      .on('worklist')
      .columns([...columns]);
  await index('worklist_part', ['site', 'part', 'since', 'case_id']).execute();
  await index('worklist_holder', ['site', 'holder', 'part', 'since', 'case_id']).execute();
  await index('worklist_ending', ['site', 'approval_end', 'case_id']).where(sql.ref('part'), '=', 'decided').execute();
  await index('worklist_unwritten', ['site', 'since', 'case_id']).where(sql.ref('unwritten'), '=', true).execute();
  await index('worklist_told', ['site', 'told']).where(sql.ref('told'), 'is not', null).execute();
  await sql`create index worklist_marks on ${sql.table(`${schema}.worklist`)} using gin (marks)`.execute(db);
  await db.schema
    .createTable('staff')
    .addColumn('site', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'timestamptz', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('staff_key', ['site', 'person'])
    .execute();
}
