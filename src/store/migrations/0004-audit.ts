import type { Kysely } from 'kysely';

/**
 * The audit trail: one chain of rows per site, each with a hash over itself and the one before; and what was erased,
 * by mark, so that nothing brings it back.
 */
export async function audit(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('site', 'text', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('patient_mark', 'text')
    .addColumn('case_id', 'text')
    .addColumn('launch', 'text')
    .addColumn('recipient', 'text')
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_key', ['site', 'seq'])
    .execute();
  await db.schema.createIndex('audit_patient').on('audit').column('patient_mark').execute();
  await db.schema
    .createTable('audit_chains')
    .addColumn('site', 'text', (column) => column.primaryKey())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('from_seq', 'bigint', (column) => column.notNull())
    .addColumn('from_hash', 'text', (column) => column.notNull())
    .addColumn('checkpoint', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('erasures')
    .addColumn('mark', 'text', (column) => column.primaryKey())
    .addColumn('site', 'text', (column) => column.notNull())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .execute();
}
