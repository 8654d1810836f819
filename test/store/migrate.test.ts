import { Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { worklistRules } from '../../src/cases/worklist-entry.ts';
import { silentLog } from '../../src/log.ts';
import type { OldCase } from '../../src/store/migrations/0003-old-case.ts';
import { openStore } from '../../src/store/open.ts';
import { startPglite } from '../../src/store/pglite.ts';
import type { Store, StoredCase } from '../../src/store/types.ts';
import { createVault } from '../../src/vault.ts';
import { type Dump, readDump } from '../cases/earlier-version/dump.ts';
import { restoreTables } from '../cases/earlier-version/restore.ts';
import { storeFolder } from '../support/embedded.ts';
import { type Cluster, startCluster } from '../support/postgres.ts';
import { postgres, queues, sqlOf } from './backends.ts';

const dumps: readonly (readonly [string, Dump])[] = [
  ['the data folder of ca2e819', readDump('ca2e819')],
  ['every path of a case of ca2e819', readDump('ca2e819', 'paths.json')],
  ['every path of a case of a2008dd', readDump('a2008dd', 'paths.json')],
];

/** A database with the tables of the dump, and how the present version opens it. */
interface Restored {
  open(): Promise<Store>;
  readonly schema: string;
  close(): Promise<void>;
}

async function onPglite(dump: Dump): Promise<Restored> {
  const folder = await storeFolder('migrate');
  const pglite = await startPglite(folder.path);
  await restoreTables(new Kysely({ dialect: new PGliteDialect({ pglite }) }), 'bridge', dump);
  await pglite.close();
  const config = { keys: [dump.key], dataDir: folder.path };
  return {
    schema: 'bridge',
    open: () => openStore({ config, log: silentLog, queues, worklist: worklistRules }),
    close: async () => folder.remove(),
  };
}

let cluster: Cluster | undefined;
let schemas = 0;

afterAll(() => cluster?.remove());

async function onPostgres(dump: Dump): Promise<Restored> {
  cluster ??= await startCluster();
  const databaseUrl = cluster.url;
  const pool = new pg.Pool({ connectionString: databaseUrl });
  schemas += 1;
  const schema = `earlier_${schemas}`;
  await restoreTables(new Kysely({ dialect: new PostgresDialect({ pool }) }), schema, dump);
  await pool.end();
  const config = { keys: [dump.key], dataDir: '', databaseUrl };
  const open = () => openStore({ config, log: silentLog, queues, schema, worklist: worklistRules });
  return { schema, open, close: async () => {} };
}

const engines: (readonly [string, (dump: Dump) => Promise<Restored>])[] = [['the embedded database', onPglite]];
if ('missing' in postgres) test.skip(`migrations on PostgreSQL: ${postgres.missing}`, () => {});
else engines.push([`PostgreSQL`, onPostgres]);

for (const [engine, restore] of engines)
  describe.each(dumps)(`%s on ${engine}`, (_, dump) => {
    const vault = createVault([dump.key]);
    const old = dump.tables.cases.map(
      ({ id, sealed }) => JSON.parse(vault.open(String(sealed), `case|${id}`)) as OldCase, // as that version wrote it
    );
    let restored: Restored;
    let store: Store;

    beforeAll(async () => {
      restored = await restore(dump);
      store = await restored.open();
    });

    afterAll(async () => {
      await store?.close();
      await restored?.close();
    });

    test('every case has its line in the worklist, found by the patient’s name', async () => {
      for (const { id, site, title, banner: given } of old) {
        const banner = given as { readonly name: string }; // as that version wrote it
        const row = await store.worklist.find(id);
        expect(row?.line.value()).toMatchObject({ patient: banner.name, drug: title });
        const query = { site, viewer: { user: 'Practitioner/none' }, limit: 500, search: banner.name };
        expect((await store.worklist.page(query)).rows.map((line) => line.case)).toContain(id);
      }
    });

    const found = async (id: string): Promise<StoredCase> => {
      const one = await store.cases.find(id);
      if (one === undefined) throw new Error('the case is gone');
      return one;
    };

    test('keeps what every case holds', async () => {
      expect(old.length).toBeGreaterThan(0);
      for (const was of old) {
        const is = await found(was.id);
        const row = dump.tables.cases.find(({ id }) => id === was.id);
        expect(is).toMatchObject({
          ...known(was, ['id', 'site', 'kind', 'state', 'status', 'serviceId', 'sentAt', 'readAt']),
          ...known(was, ['changedAt', 'endedAt', 'createdAt', 'updatedAt']),
          unwritten: row?.unwritten,
          waiting: row?.waiting,
          ...(was.problem === undefined ? {} : { problem: was.problem.code }),
          attempt: was.history.filter(({ what }) => what === 'Sent').length,
        });
        expect(is.notArrivedAt).toBe(was.kind === 'enrollment' ? undefined : was.notArrived?.at);
        expect(is.head.value()).toMatchObject(
          known(was, ['patient', 'order', 'launch', 'banner', 'title', 'problem', 'others', 'cancellation', 'sentBy']),
        );
        expect(is.draft?.value()).toMatchObject(known(was, ['edits', 'answers', 'consent', 'consentEntry']));
        expect(is.record?.value()).toEqual(was.record);
        expect(is.writes).toHaveLength(was.writes.length);
        expect(is.writes).toEqual(expect.arrayContaining([...was.writes]));
        const bodies = is.submissions.map(({ sealed }) => (sealed.value() as { readonly body: unknown }).body);
        if (was.body !== undefined) expect(bodies.at(-1)).toEqual(was.body);
        if (was.notArrived?.left.body !== undefined) expect(bodies).toContainEqual(was.notArrived.left.body);
      }
    });

    test('makes typed events of the words of a history, without a name or a reason', async () => {
      for (const was of old) {
        const { events, head } = await found(was.id);
        expect(events.map(({ at }) => at)).toEqual(was.history.map(({ at }) => at));
        expect(events.filter(({ type }) => type === 'noted')).toEqual([]);
        expect(JSON.stringify(events)).not.toMatch(/Loper|Nurse|mistake/);
        const { users } = head.value() as { readonly users: Record<string, string> };
        for (const [index, { by }] of was.history.entries()) {
          const { actor } = events[index] ?? {};
          if (by === 'bridge') expect(actor).toBe('bridge');
          else {
            expect(actor).toBe(by.fhirUser ?? 'user-1');
            expect(users[actor ?? '']).toBe(by.name);
          }
        }
      }
    });

    test('opens files, webhooks and launches, and finds cases by their marks', async () => {
      for (const { case_id, name } of dump.tables.files)
        expect(Buffer.from((await store.cases.file(String(case_id), String(name))) ?? []).toString('latin1')).toMatch(
          /^%PDF-/,
        );
      for (const { site, service_id } of dump.tables.webhooks)
        expect(await store.webhooks.lastClaim(String(site), String(service_id))).toBeTypeOf('object');
      for (const { id } of dump.tables.launches)
        expect(await store.launches.get(String(id))).toMatchObject({ id, site: expect.any(String) });
      for (const { site, patient, id, serviceId } of old) {
        expect((await store.cases.forPatient(site, patient)).map((one) => one.id)).toContain(id);
        if (serviceId !== undefined) expect((await store.cases.byServiceId(site, serviceId))?.id).toBe(id);
      }
    });

    test('leaves nothing of the old form, and is opened again without being moved once more', async () => {
      const { schema } = restored;
      const columns = await sqlOf(store)(
        `select table_name, column_name from information_schema.columns where table_schema = $1`,
        [schema],
      );
      const names = columns.map(({ table_name, column_name }) => `${table_name}.${column_name}`);
      expect(names).not.toContain('cases.sealed');
      expect(names).not.toContain('leases.name');
      expect(names).not.toContain('cases.duplicate_mark');
      const count = async () => (await sqlOf(store)(`select count(*)::int as n from "${schema}".events`))[0]?.n;
      const before = await count();
      await store.close();
      store = await restored.open();
      expect(await count()).toBe(before);
    });
  });

test.skipIf('missing' in postgres)('two processes that start at once move the data once', async () => {
  const dump = readDump('a2008dd', 'paths.json');
  const restored = await onPostgres(dump);
  const stores = await Promise.all([restored.open(), restored.open(), restored.open()]);
  try {
    for (const store of stores) expect(await store.cases.list({})).toHaveLength(dump.tables.cases.length);
  } finally {
    for (const store of stores) await store.close();
  }
});

describe('every path of a case, by what became of it', () => {
  const dump = readDump('a2008dd', 'paths.json');
  let restored: Restored;
  let store: Store;

  beforeAll(async () => {
    restored = await onPglite(dump);
    store = await restored.open();
  });

  afterAll(async () => {
    await store?.close();
    await restored?.close();
  });

  test.each([
    ['draft with entries', 'draft', [], ['draft_opened']],
    ['not sent', 'draft', ['1 not_sent'], ['draft_opened', 'sent', 'not_sent']],
    ['refused', 'refused', ['1 refused'], ['draft_opened', 'sent', 'refused']],
    ['unclear', 'unknown', ['1 unclear'], ['draft_opened', 'sent', 'unclear']],
    ['sending', 'sending', ['1 sending'], ['draft_opened', 'sent']],
    ['not arrived', 'draft', ['1 not_arrived'], ['draft_opened', 'sent', 'unclear', 'not_arrived']],
    ['refused, then accepted', 'open', ['2 accepted'], ['draft_opened', 'sent', 'refused', 'sent', 'accepted']],
    [
      'not arrived, sent again',
      'open',
      ['1 not_arrived', '2 accepted'],
      ['draft_opened', 'sent', 'unclear', 'not_arrived', 'sent', 'accepted'],
    ],
    [
      'not arrived, found later',
      'open',
      ['1 accepted'],
      ['draft_opened', 'sent', 'unclear', 'not_arrived', 'accepted', 'found', 'status'],
    ],
    [
      'a second request found',
      'open',
      ['1 not_arrived', '2 accepted'],
      ['draft_opened', 'sent', 'unclear', 'not_arrived', 'sent', 'accepted', 'second_found'],
    ],
    ['ended: enrollment', 'ended', ['1 accepted'], ['draft_opened', 'sent', 'accepted']],
    ['cancelled', 'ended', ['1 accepted'], ['draft_opened', 'sent', 'accepted', 'cancel_asked', 'status']],
    [
      'reported after its end',
      'ended',
      ['1 accepted'],
      ['draft_opened', 'sent', 'accepted', 'status', 'reported_after_end'],
    ],
    ['write-back asked for', 'open', ['1 accepted'], ['draft_opened', 'sent', 'accepted', 'writeback_asked']],
  ])('%s', async (name, state, submissions, events) => {
    const one = await store.cases.find(dump.cases[name] ?? '');
    expect(one?.state).toBe(state);
    expect(one?.submissions.map((each) => `${each.attempt} ${each.state}`)).toEqual(submissions);
    expect(one?.events.map(({ type }) => type)).toEqual(events);
  });

  test('the followed request is the one that goes on', async () => {
    const one = await store.cases.find(dump.cases['the other request followed'] ?? '');
    const followed = one?.events.find(({ type }) => type === 'followed_other');
    expect(followed?.facts).toEqual({ from: expect.stringMatching(/^pa_/), to: one?.serviceId });
    expect(one?.submissions.map(({ state, serviceId }) => [state, serviceId])).toContainEqual([
      'accepted',
      one?.serviceId,
    ]);
  });
});

test('a store whose key is not known stays as it was, and opens once the key is there', async () => {
  const dump = readDump('a2008dd', 'paths.json');
  const folder = await storeFolder('migrate');
  try {
    const pglite = await startPglite(folder.path);
    await restoreTables(new Kysely({ dialect: new PGliteDialect({ pglite }) }), 'bridge', dump);
    await pglite.close();
    const open = (key: string) => openStore({ config: { keys: [key], dataDir: folder.path }, log: silentLog, queues });
    await expect(open(Buffer.alloc(32, 7).toString('base64'))).rejects.toMatchObject({
      code: 'store_unavailable',
      facts: { record: 'case' },
    });
    const store = await open(dump.key);
    expect((await store.cases.list({})).length).toBe(dump.tables.cases.length);
    await store.close();
  } finally {
    folder.remove();
  }
});

function known(was: OldCase, names: readonly (keyof OldCase)[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (was[name] === undefined ? [] : [[name, was[name]]])));
}
