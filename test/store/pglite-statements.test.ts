import { PGlite } from '@electric-sql/pglite';
import { Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PreparedDialect } from '../../src/store/pglite-dialect.ts';

interface Tables {
  rows: { id: number; name: string | null };
}

let pglite: PGlite;
let db: Kysely<Tables>;

beforeAll(async () => {
  pglite = await PGlite.create();
  db = new Kysely<Tables>({ dialect: new PreparedDialect(pglite) });
});
afterAll(() => db.destroy());
beforeEach(async () => void (await pglite.exec('drop table if exists rows; create table rows (id int, name text)')));

const add = (id: number, name: string | null, within: Kysely<Tables> = db) =>
  within.insertInto('rows').values({ id, name }).executeTakeFirstOrThrow();
const ids = async () => (await db.selectFrom('rows').select('id').orderBy('id').execute()).map(({ id }) => id);

describe('a statement of the embedded database', () => {
  test('gives rows in their types and counts what it changed', async () => {
    expect((await add(1, null)).numInsertedOrUpdatedRows).toBe(1n);
    expect((await add(2, 'two')).numInsertedOrUpdatedRows).toBe(1n);
    expect((await db.updateTable('rows').set({ name: 'x' }).executeTakeFirst()).numUpdatedRows).toBe(2n);
    const { rows } = await sql`
      select id, ${'2026-11-21T15:00:00Z'}::timestamptz as at, true as yes, ${JSON.stringify({ a: 1 })}::json as one,
        null as nothing, array[1, 2] as list, 1.5::float8 as number
      from rows where id = ${2}`.execute(db);
    const at = new Date('2026-11-21T15:00:00Z');
    expect(rows).toEqual([{ id: 2, at, yes: true, one: { a: 1 }, nothing: null, list: [1, 2], number: 1.5 }]);
  });

  test('may come more often than one is kept prepared', async () => {
    for (let id = 0; id < 450; id += 1) await add(id, 'x');
    expect(await ids()).toHaveLength(450);
  });

  test('is one of many: the oldest are forgotten by the database too', async () => {
    for (let one = 0; one < 250; one += 1) await sql.raw(`select ${one} as one`).execute(db);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_prepared_statements`.execute(
      db,
    );
    expect(rows[0]?.count).toBeLessThan(110);
  });

  test('gives the columns of a table as they are after it was changed', async () => {
    await add(1, 'one');
    const all = () => db.selectFrom('rows').selectAll().execute();
    expect(await all()).toEqual([{ id: 1, name: 'one' }]);
    await db.schema.alterTable('rows').addColumn('more', 'text').execute();
    expect(await all()).toEqual([{ id: 1, name: 'one', more: null }]);
  });

  test('that fails says how, and the next one works', async () => {
    await sql`create unique index rows_once on rows (id)`.execute(db);
    await add(1, 'one');
    await expect(add(1, 'again')).rejects.toMatchObject({ code: '23505' });
    await expect(sql`select nothing from rows`.execute(db)).rejects.toMatchObject({ code: '42703' });
    await add(2, 'two');
    expect(await ids()).toEqual([1, 2]);
  });
});

describe('a transaction of the embedded database', () => {
  test('is kept as a whole, or not at all', async () => {
    await db.transaction().execute(async (trx) => {
      await add(1, 'one', trx);
      await add(2, 'two', trx);
    });
    const failing = db.transaction().execute(async (trx) => {
      await add(3, 'three', trx);
      throw new Error('not this one');
    });
    await expect(failing).rejects.toThrow('not this one');
    expect(await ids()).toEqual([1, 2]);
  });

  test('whose first statement fails leaves none open', async () => {
    const failing = db.transaction().execute((trx) => sql`select 1/0`.execute(trx));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(pglite.isInTransaction()).toBe(false);
    await add(1, 'one');
    expect(await ids()).toEqual([1]);
  });

  test('that goes on after a failure is refused at its end', async () => {
    const going = db.transaction().execute(async (trx) => {
      await add(1, 'one', trx);
      await sql`select 1/0`.execute(trx).catch(() => undefined);
    });
    await expect(going).rejects.toThrow();
    expect(await ids()).toEqual([]);
  });

  test('without a statement does nothing', async () => {
    await db.transaction().execute(async () => undefined);
    expect(pglite.isInTransaction()).toBe(false);
  });

  test('keeps others out until its end, also those that ask PGlite itself', async () => {
    const order: string[] = [];
    const working = db.transaction().execute(async (trx) => {
      await add(1, 'one', trx);
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push('end');
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const others = [
      pglite.query('select 1').then(() => order.push('pglite')),
      ids().then(() => order.push('query')),
      db.transaction().execute(async (trx) => void (await add(2, 'two', trx))),
    ];
    await Promise.all([working, ...others]);
    expect(order[0]).toBe('end');
    expect(order).toHaveLength(3);
  });
});
