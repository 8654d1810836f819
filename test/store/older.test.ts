import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { newKey } from '../../src/base/vault.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { openStore } from '../../src/store/open.ts';
import { storeFolder } from '../support/embedded.ts';
import { type PostgresBackend, postgres, postgresBackend, queues } from './backends.ts';

/** What a build before the first release left: its own tables and the names of its own migrations. */
const earlierTables = (schema: string) => `
  create schema "${schema}";
  create table "${schema}".kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
  insert into "${schema}".kysely_migration
    values ('0001_start', '2026-10-01T00:00:00.000Z'), ('0011_ehr_says', '2026-11-20T00:00:00.000Z');
  create table "${schema}".cases (id text primary key, sealed text not null);
  insert into "${schema}".cases values ('1', 'v2.of-then');`;

describe('a data folder of a build before the first release', () => {
  const key = newKey();
  let folder: Awaited<ReturnType<typeof storeFolder>>;
  const open = () => openStore({ config: { keys: [key], dataDir: folder.path }, log: silentLog, queues });
  const inDatabase = async (statements: string) => {
    const pglite = await PGlite.create(join(folder.path, 'pg'));
    await pglite.exec(statements);
    await pglite.close();
  };

  beforeEach(async () => {
    folder = await storeFolder('older');
  });
  afterEach(() => folder.remove());

  test('is refused with its name, and every byte of it stays', async () => {
    await inDatabase(earlierTables('bridge'));
    rmSync(join(folder.path, 'release'));
    const before = contentsOf(folder.path);
    expect(Object.keys(before).length).toBeGreaterThan(100);
    await expect(open()).rejects.toMatchObject({ code: 'store_older', facts: { folder: folder.path } });
    expect(contentsOf(folder.path)).toEqual(before);
  });

  test('is refused by its tables as well: its database may stand in a folder of this release', async () => {
    await inDatabase(earlierTables('bridge'));
    await expect(open()).rejects.toMatchObject({
      code: 'store_older',
      facts: { schema: 'bridge', found: '0011_ehr_says' },
    });
  });

  test('is not one that was begun and has no database yet', async () => {
    rmSync(join(folder.path, 'pg'), { recursive: true });
    rmSync(join(folder.path, 'release'));
    writeFileSync(join(folder.path, 'lock'), '');
    await (await open()).close();
    expect(readFileSync(join(folder.path, 'release'), 'utf8')).toBe('0.1.0\n');
    expect(existsSync(join(folder.path, 'pg', 'PG_VERSION'))).toBe(true);
    await (await open()).close();
  });
});

/** Every file and folder with what it holds, its permissions and its time. */
function contentsOf(folder: string): Record<string, string> {
  const members = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    members.map((member) => {
      const path = join(folder, member);
      const { mode, mtimeMs } = lstatSync(path);
      const bytes = lstatSync(path).isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
      return [member, `${mode} ${mtimeMs} ${bytes}`];
    }),
  );
}

if ('missing' in postgres) test.skip(`older tables on PostgreSQL: ${postgres.missing}`, () => {});
else
  describe(`tables of a build before the first release, on ${postgres.title}`, () => {
    let backend: PostgresBackend;
    let client: pg.Client;

    beforeAll(async () => {
      backend = await postgresBackend();
      client = new pg.Client({ connectionString: backend.databaseUrl });
      await client.connect();
    });
    afterEach(() => client.query(`drop schema if exists "${backend.schema}" cascade`));
    afterAll(async () => {
      await client?.end();
      await backend?.close();
    });

    /** What is in the database: its schemas, its tables with their files, and the rows of the older ones. */
    const contents = async () => {
      const { rows: schemas } = await client.query('select nspname from pg_namespace order by 1');
      const { rows: tables } = await client.query(
        `select relname, relfilenode, relnamespace::regnamespace::text as schema from pg_class
         where relnamespace = to_regnamespace($1) order by 1`,
        [`"${backend.schema}"`],
      );
      const rowsOf = async ({ relname }: { readonly relname: string }) =>
        (await client.query(`select one::text from "${backend.schema}"."${relname}" as one order by 1`)).rows;
      const named = tables.filter(({ relname }) => relname === 'cases' || relname === 'kysely_migration');
      return { schemas, tables, rows: await Promise.all(named.map(rowsOf)) };
    };

    test.each([
      ['with the names of its migrations', '', '0011_ehr_says'],
      ['without a table of migrations', `drop table "SCHEMA".kysely_migration`, 'none'],
      ['with the names alone', `drop table "SCHEMA".cases`, '0011_ehr_says'],
    ])('%s are refused and stay as they are', async (_, more, found) => {
      await client.query(earlierTables(backend.schema));
      await client.query(more.replace('SCHEMA', backend.schema));
      const before = await contents();
      expect(before.tables.length).toBeGreaterThan(1);
      await expect(backend.open()).rejects.toMatchObject({
        code: 'store_older',
        facts: { schema: backend.schema, found },
      });
      expect(await contents()).toEqual(before);
    });

    test('are neither an empty schema nor what a process left that was killed at its start', async () => {
      const { schema } = backend;
      await client.query(`create schema "${schema}"`);
      await (await backend.open()).close();
      await client.query(`drop schema "${schema}" cascade; create schema "${schema}";
        create table "${schema}".kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
        create table "${schema}".kysely_migration_lock (id varchar(255) primary key, is_locked integer not null)`);
      await (await backend.open()).close();
      const { rows } = await client.query(`select name from "${schema}".kysely_migration`);
      expect(rows).toEqual(Object.keys(migrations).map((name) => ({ name })));
    });
  });
