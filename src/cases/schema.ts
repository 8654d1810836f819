import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { CaseKind, CaseState } from './case.ts';

/**
 * The tables. What is about patients, users or tokens stands in `sealed` columns only; the other columns are what is
 * searched by. Times are timestamptz, written as ISO strings and never read back: the sealed record has them.
 */
export interface Database {
  cases: {
    /** UUID */
    id: string;
    site: string;
    kind: CaseKind;
    state: CaseState;
    status: string | null;
    service_id: string | null;
    /** Keyed hashes of site and patient, and of site, patient, order and kind. */
    patient_mark: string;
    order_mark: string;
    /** A write to the chart is planned, under way or unclear. */
    unwritten: boolean;
    /** A write waits for the next launch of this patient. */
    waiting: boolean;
    /** When a person said that a request did not arrive, of cases whose record could still be told by a webhook. */
    not_arrived_at: string | null;
    created_at: string;
    updated_at: string;
    sealed: string;
  };
  /** One row per webhook event met, so that a repeated one has no effect. */
  webhooks: { key: string; site: string; service_id: string; event_type: string; received_at: string; sealed: string };
  /** Files that belong to a case: the payer's letter. */
  files: { case_id: string; name: string; created_at: string; sealed: string };
  /** See smart/store.ts; times are ISO text, which compares as time. */
  launches: {
    id: string;
    state_hash: string;
    session_hash: string;
    consumed_at: string | null;
    due_at: string;
    sealed: string;
  };
  /** Work on one thing that only one worker may do at a time. */
  leases: { name: string; holder: string; until: string };
  /** When a site's service may be asked next, in milliseconds since 1970. */
  allowances: { site: string; next_ms: number };
}

export const migrations: Record<string, Migration> = {
  '0001_start': {
    async up(db: Kysely<unknown>) {
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
    },
  },
  '0002_not_arrived': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('cases').addColumn('not_arrived_at', 'timestamptz').execute();
    },
  },
};
