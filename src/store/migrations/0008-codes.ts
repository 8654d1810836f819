import { type Kysely, sql } from 'kysely';

/**
 * Code files that an operator loads, and what a practice used before. `codes` holds the rows of one loading under its
 * `edition`; `code_sets` says which edition counts, so that a new file takes the place of the old one in one step.
 */
export async function codes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('code_sets')
    .addColumn('system', 'text', (column) => column.primaryKey())
    .addColumn('edition', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('year', 'text')
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('billable', 'integer', (column) => column.notNull())
    .addColumn('loaded_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('codes')
    .addColumn('edition', 'text', (column) => column.notNull())
    .addColumn('code', sql`text collate "C"`, (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('billable', 'boolean', (column) => column.notNull())
    .addColumn('words', sql`tsvector`, (column) => column.notNull())
    .addPrimaryKeyConstraint('codes_key', ['edition', 'code'])
    .execute();
  await db.schema.createIndex('codes_words').on('codes').using('gin').column('words').execute();
  await db.schema
    .createTable('used')
    .addColumn('site', 'text', (column) => column.notNull())
    .addColumn('what', 'text', (column) => column.notNull())
    .addColumn('mark', 'text', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('used_at', 'timestamptz', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('used_key', ['site', 'what', 'mark'])
    .execute();
  await db.schema.createIndex('used_most').on('used').columns(['site', 'what', 'count']).execute();
}
