import { type Kysely, sql } from 'kysely';

/** How often and for how long people worked on a case, and a way to find what a practice sent lately. */
export async function effort(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('effort')
    .addColumn('case_id', 'text', (column) => column.primaryKey().references('cases.id').onDelete('cascade'))
    .addColumn('touches', 'integer', (column) => column.notNull())
    .addColumn('seconds', 'integer', (column) => column.notNull())
    .addColumn('seen_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('events_sent').on('events').columns(['at']).where(sql.ref('type'), '=', 'sent').execute();
}
