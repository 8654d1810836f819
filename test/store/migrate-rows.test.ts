import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/log.ts';
import { migrate, steps } from '../../src/store/migrations/index.ts';
import { openStore } from '../../src/store/open.ts';
import { startPglite } from '../../src/store/pglite.ts';
import type { Store } from '../../src/store/types.ts';
import { createVault } from '../../src/vault.ts';
import { queues } from '../../src/work/queues.ts';
import { aClinic, aSubmission } from '../cases/clinic.ts';
import { storeFolder } from '../support/embedded.ts';
import { type Cluster, startCluster } from '../support/postgres.ts';
import { postgres } from './backends.ts';

/** What a build stored whose cases are rows already; see the README beside it. */
interface RowDump {
  readonly key: string;
  readonly migrations: readonly string[];
  readonly tables: Readonly<Record<string, readonly object[]>>;
  readonly shown: Readonly<Record<string, Shown>>;
}

interface Shown {
  readonly id: string;
  readonly patient: string;
  readonly bodies: readonly unknown[];
  readonly said: readonly string[];
  readonly [part: string]: unknown;
}

const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'data-folder-4f7242b');
// The file is of our own making.
const dump = JSON.parse(readFileSync(join(folder, 'rows.json'), 'utf8')) as RowDump;

async function restore(db: Kysely<unknown>): Promise<void> {
  const only = Object.fromEntries(Object.entries(steps).filter(([name]) => dump.migrations.includes(name)));
  await migrate(db, { schema: 'bridge', vault: createVault([dump.key]), only });
  for (const [table, rows] of Object.entries(dump.tables)) {
    const name = sql.table(`bridge.${table}`);
    await sql`delete from ${name}`.execute(db);
    await sql`insert into ${name}
      select * from json_populate_recordset(null::${name}, ${JSON.stringify(rows)}::json)`.execute(db);
  }
  for (const table of ['events', 'writes'])
    await sql`select setval(pg_get_serial_sequence(${`bridge.${table}`}, 'id'),
      (select max(id) from ${sql.table(`bridge.${table}`)}))`.execute(db);
}

interface Restored {
  readonly store: Store;
  close(): Promise<void>;
}

async function onPglite(): Promise<Restored> {
  const data = await storeFolder('migrate-rows');
  const pglite = await startPglite(data.path);
  await restore(new Kysely({ dialect: new PGliteDialect({ pglite }) }));
  await pglite.close();
  const store = await openStore({ config: { keys: [dump.key], dataDir: data.path }, log: silentLog, queues });
  return { store, close: () => store.close().then(data.remove) };
}

async function onPostgres(): Promise<Restored> {
  const cluster: Cluster = await startCluster();
  const pool = new pg.Pool({ connectionString: cluster.url });
  await restore(new Kysely({ dialect: new PostgresDialect({ pool }) }));
  await pool.end();
  const config = { keys: [dump.key], dataDir: '', databaseUrl: cluster.url };
  const store = await openStore({ config, log: silentLog, queues });
  return { store, close: () => store.close().then(() => cluster.remove()) };
}

/** What is said otherwise since. */
const wordsNow: Readonly<Record<string, string>> = {
  'Sent; no certain answer came back': 'Sent. No confirmation received',
  'Looked up: it did not arrive': 'Checked: it did not arrive',
  'Write-back asked for': 'Saving to the chart requested',
};

const engines: (readonly [string, () => Promise<Restored>])[] = [['the embedded database', onPglite]];
if ('missing' in postgres) test.skip(`schema 0004 on PostgreSQL: ${postgres.missing}`, () => {});
else engines.push([postgres.title, onPostgres]);

describe.each(engines)('what was stored before migration 0005, on %s', (_, open) => {
  let restored: Restored;
  let store: Store;
  beforeAll(async () => {
    restored = await open();
    store = restored.store;
  });
  afterAll(() => restored?.close());

  test.each(Object.entries(dump.shown))('%s: shows what that version showed', async (_name, shown) => {
    const { id, bodies, said, ...parts } = shown;
    const one = await aClinic(store).cases.get(id);
    expect(one).toMatchObject(parts);
    expect(one.requests.map(({ body }) => body)).toEqual(bodies);
    expect(one.history.map(({ what }) => what)).toEqual(said.map((what) => wordsNow[what] ?? what));
  });

  test('its audit trail verifies and goes on, letters open, webhooks are known', async () => {
    expect((await store.audit.verify()).flatMap(({ faults }) => faults)).toEqual([]);
    const { id } = dump.shown['ended: written to the chart'] as Shown;
    const letter = await store.cases.file(id, 'determination-fax-1');
    expect(Buffer.from(letter ?? []).toString()).toBe('%PDF-1.4 letter');
    expect(await store.webhooks.lastClaim('valley', (await store.cases.columns(id))?.serviceId ?? '')).toEqual({});
  });

  test('a draft is found by its patient, sent and followed; nothing that was sent is sent again', async () => {
    const clinic = aClinic(store);
    const draft = dump.shown['draft with entries'] as Shown;
    expect((await clinic.cases.forPatient('valley', draft.patient)).map(({ id }) => id)).toContain(draft.id);
    const sent = await clinic.cases.send(draft.id, aSubmission(clinic, await clinic.cases.get(draft.id)));
    expect(sent).toMatchObject({ state: 'open', attempt: 1 });
    expect(clinic.service.creates).toHaveLength(1);
    const open = dump.shown.open as Shown;
    const again = clinic.cases.send(open.id, aSubmission(clinic, await clinic.cases.get(open.id)));
    await expect(again).rejects.toMatchObject({ code: 'case_already_sent' });
    expect((await store.audit.verify()).flatMap(({ faults }) => faults)).toEqual([]);
  });

  test('what waits for a launch is written with its token', async () => {
    const clinic = aClinic(store);
    const { id, patient } = dump.shown['ended: waits for a launch'] as Shown;
    expect(await clinic.cases.flushWaiting({ id: 'l2', site: 'valley', patient })).toBe(1);
    const done = await clinic.cases.retryWriteback(id, 'bridge', 'l2');
    expect(done.writes.filter(({ state }) => state !== 'done')).toEqual([]);
  });
});
