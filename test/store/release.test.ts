import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { newKey } from '../../src/base/vault.ts';
import { queues } from '../../src/cases/work/queues.ts';
import { codeQuery } from '../../src/config/code-query.ts';
import { putEmptyDatabase } from '../../src/store/empty-database.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/types.ts';
import { aSubmission } from '../cases/clinic.ts';
import { storeFolder } from '../support/embedded.ts';
import { installedPostgres, startCluster } from '../support/postgres.ts';
import { tempFolder } from '../support/temp.ts';
import { sqlOf } from './backends.ts';
import { clinicOf, type Shown, shownOf } from './release/story.ts';

const fixture = join(import.meta.dirname, '..', '..', 'fixtures', 'data-folder-0.1.0');

/** What a release left, and a store without cases that the present tables were made for. */
interface Opened {
  readonly store: Store;
  readonly fresh: Store;
  readonly shown: Readonly<Record<string, Shown>>;
  close(): Promise<void>;
}

function shownIn(file: string): { readonly key: string; readonly shown: Opened['shown'] } {
  // The file is of our own making.
  return JSON.parse(readFileSync(join(fixture, file), 'utf8')) as ReturnType<typeof shownIn>;
}

const open = (key: string, config: { readonly dataDir: string; readonly databaseUrl?: string }) =>
  openStore({ config: { keys: [key], ...config }, log: silentLog, queues });

async function onPglite(): Promise<Opened> {
  const { key, shown } = shownIn('data-folder.json');
  const [folder, other] = [tempFolder('release'), await storeFolder('fresh')];
  putEmptyDatabase(folder.path, join(fixture, 'data-folder.zst'));
  const store = await open(key, { dataDir: folder.path });
  const fresh = await open(newKey(), { dataDir: other.path });
  const close = async () => {
    for (const each of [store, fresh]) await each.close();
    for (const each of [folder, other]) each.remove();
  };
  return { store, fresh, shown, close };
}

async function onPostgres(): Promise<Opened> {
  const { key, shown } = shownIn('database.json');
  const [cluster, other] = [await startCluster(), await startCluster()];
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  await client.query(readFileSync(join(fixture, 'database.sql'), 'utf8'));
  await client.end();
  const store = await open(key, { dataDir: '', databaseUrl: cluster.url });
  const fresh = await open(newKey(), { dataDir: '', databaseUrl: other.url });
  const close = async () => {
    for (const each of [store, fresh]) await each.close();
    for (const each of [cluster, other]) each.remove();
  };
  return { store, fresh, shown, close };
}

const engines: (readonly [string, () => Promise<Opened>])[] = [['the data folder', onPglite]];
if (installedPostgres() === undefined) test.skip('the database of 0.1.0: PostgreSQL is not installed', () => {});
else engines.push(['the database on PostgreSQL', onPostgres]);

/** Tables of later migrations. */
const added: ReadonlySet<string> = new Set(['kept_questions', 'saved_views']);

describe.each(engines)('%s of 0.1.0', (_, begin) => {
  let opened: Opened;
  let store: Store;
  beforeAll(async () => {
    opened = await begin();
    store = opened.store;
  });
  afterAll(() => opened?.close());

  const shown = (name: string): Shown => {
    const found = opened.shown[name];
    if (found === undefined) throw new Error(`the story has no case ${name}`);
    return found;
  };

  test('has rows in every table', async () => {
    const tables = await sqlOf(store)(`select tablename as name from pg_tables where schemaname = 'bridge'`);
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables.filter((table) => !added.has(`${table.name}`))) {
      const [row] = await sqlOf(store)(`select count(*)::int as rows from bridge."${name}"`);
      expect([name, row?.rows]).not.toEqual([name, 0]);
    }
  });

  test('has the tables that a new store has, once it is opened', async () => {
    expect(await tablesOf(store)).toEqual(await tablesOf(opened.fresh));
  });

  test('every case shows what that release showed', async () => {
    expect(Object.keys(opened.shown)).toHaveLength(8);
    const { cases } = clinicOf(store);
    for (const each of Object.values(opened.shown))
      expect(JSON.parse(JSON.stringify(await shownOf(cases, each.id)))).toEqual(each);
  });

  test('what stands beside cases opens: letter, claim, launch, codes, what was used, work', async () => {
    const { id } = shown('ended: written to the chart');
    const letter = await store.cases.file(id, 'determination-fax-1');
    expect(Buffer.from(letter ?? []).toString()).toBe('%PDF-1.4 letter');
    const serviceId = (await store.cases.columns(id))?.serviceId ?? '';
    expect(await store.webhooks.lastClaim('valley', serviceId)).toEqual({});
    expect(await store.launches.get('launch-of-0-1-0')).toMatchObject({
      phase: 'open',
      tokens: { refreshToken: 'refresh' },
      context: { patient: 'p1' },
    });
    const found = await store.codes.find('icd-10-cm', codeQuery('hypert'), 5);
    expect(found.map(({ code }) => code)).toEqual(['I10']);
    const [used] = await store.used.most('valley', 'pharmacy', 5);
    expect(used).toMatchObject({ content: { name: 'Main Street Pharmacy' }, count: 1 });
    expect(await store.effort.of(shown('draft with entries').id)).toMatchObject({ touches: 1 });
  });

  test('its audit trail verifies and goes on', async () => {
    expect((await store.audit.verify()).flatMap(({ faults }) => faults)).toEqual([]);
    await store.audit.record({ site: 'valley', action: 'exported', actor: 'operator' });
    expect((await store.audit.verify()).flatMap(({ faults }) => faults)).toEqual([]);
  });

  test('a draft is found by its patient and sent; what was sent is not sent again', async () => {
    const clinic = clinicOf(store);
    const draft = shown('draft with entries');
    expect((await clinic.cases.forPatient('valley', draft.patient)).map(({ id }) => id)).toContain(draft.id);
    const sent = await clinic.cases.send(draft.id, aSubmission(clinic, await clinic.cases.get(draft.id)));
    expect(sent).toMatchObject({ state: 'open', attempt: 1 });
    expect(clinic.service.creates).toHaveLength(1);
    const { id } = shown('open');
    const again = clinic.cases.send(id, aSubmission(clinic, await clinic.cases.get(id)));
    await expect(again).rejects.toMatchObject({ code: 'case_already_sent' });
  });

  test('what waits for a launch is written with its token', async () => {
    const clinic = clinicOf(store);
    const { id, patient } = shown('ended: waits for a launch');
    expect(await clinic.cases.flushWaiting({ id: 'l2', site: 'valley', patient })).toBe(1);
    const done = await clinic.cases.retryWriteback(id, 'bridge', 'l2');
    expect(done.writes.filter(({ state }) => state !== 'done')).toEqual([]);
  });
});

/** Columns, indexes and constraints of the bridge's tables, in an order of their own. */
async function tablesOf(store: Store): Promise<readonly unknown[]> {
  return [
    await sqlOf(store)(
      `select table_name, column_name, data_type, is_nullable, column_default, collation_name
       from information_schema.columns where table_schema = 'bridge' order by 1, 2`,
    ),
    await sqlOf(store)(`select indexdef from pg_indexes where schemaname = 'bridge' order by 1`),
    await sqlOf(store)(
      `select conrelid::regclass::text as "on", conname, pg_get_constraintdef(oid) as says
       from pg_constraint where connamespace = 'bridge'::regnamespace order by 1, 2`,
    ),
    await sqlOf(store)(
      `select relname, reloptions, attname, attstorage from pg_class join pg_attribute on attrelid = pg_class.oid
       where relnamespace = 'bridge'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped order by 1, 3`,
    ),
  ];
}
