import { type Kysely, sql } from 'kysely';

/** The tables of the first version: one sealed JSON text per case. */
export async function start(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('cases')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('site', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('status', 'text')
    .addColumn('service_id', 'text')
    .addColumn('patient_mark', 'text', (column) => column.notNull())
    .addColumn('order_mark', 'text', (column) => column.notNull())
    .addColumn('unwritten', 'boolean', (column) => column.notNull())
    .addColumn('waiting', 'boolean', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('cases_patient').on('cases').column('patient_mark').execute();
  await db.schema.createIndex('cases_state').on('cases').columns(['state', 'site']).execute();
  await db.schema.createIndex('cases_service').on('cases').columns(['site', 'service_id']).unique().execute();
  // Two windows that open the same order get the same case; a new one may start when the last has ended.
  await db.schema
    .createIndex('cases_live')
    .on('cases')
    .column('order_mark')
    .unique()
    .where(sql.ref('state'), '<>', 'ended')
    .execute();
  await db.schema
    .createTable('webhooks')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('site', 'text', (column) => column.notNull())
    .addColumn('service_id', 'text', (column) => column.notNull())
    .addColumn('event_type', 'text', (column) => column.notNull())
    .addColumn('received_at', 'timestamptz', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('webhooks_service').on('webhooks').columns(['site', 'service_id']).execute();
  await db.schema
    .createTable('files')
    .addColumn('case_id', 'text', (column) => column.notNull().references('cases.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('files_key', ['case_id', 'name'])
    .execute();
  await db.schema
    .createTable('launches')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('state_hash', 'text', (column) => column.notNull().unique())
    .addColumn('session_hash', 'text', (column) => column.notNull())
    .addColumn('consumed_at', 'text')
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('launches_session').on('launches').column('session_hash').execute();
  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('until', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('allowances')
    .addColumn('site', 'text', (column) => column.primaryKey())
    .addColumn('next_ms', 'double precision', (column) => column.notNull())
    .execute();
}
