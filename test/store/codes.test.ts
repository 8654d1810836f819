import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Code } from '../../src/config/code.ts';
import { codeQuery } from '../../src/config/code-query.ts';
import { readIcd10File } from '../../src/config/read-icd10-file.ts';
import type { Store } from '../../src/store/types.ts';
import { orderLine, smallFile } from '../config/order-lines.ts';
import { type Backend, pgliteBackend, postgres, postgresBackend, sqlOf } from './backends.ts';

const system = 'icd-10-cm';

function codesIn(text: string): readonly Code[] {
  const read = readIcd10File(text);
  if ('problems' in read) throw new Error('the test’s own file is wrong');
  return read.codes;
}

describeCodes('codes on the embedded database', pgliteBackend);
if ('missing' in postgres) test.skip(`codes: ${postgres.missing}`, () => {});
else describeCodes(`codes on ${postgres.title}`, postgresBackend);

function describeCodes(title: string, start: () => Promise<Backend>): void {
  describe(title, () => {
    let backend: Backend;
    let store: Store;
    const found = async (text: string, limit = 20) =>
      (await store.codes.find(system, codeQuery(text), limit)).map(({ code }) => code);

    beforeAll(async () => {
      backend = await start();
      store = await backend.open();
    });
    afterAll(async () => {
      await store?.close();
      await backend?.close();
    });

    test('without a file nothing is found and no code is known', async () => {
      expect(await store.codes.current(system)).toBeUndefined();
      expect(await found('rheum')).toEqual([]);
      expect(await store.codes.named(system, ['I10'])).toEqual({ codes: [] });
    });

    test('a loaded file is found by code and by the beginnings of words, never a category', async () => {
      await store.codes.load(system, { source: 'small.txt', year: '2026', codes: codesIn(smallFile) });
      expect(await store.codes.current(system)).toMatchObject({
        source: 'small.txt',
        year: '2026',
        total: 12,
        billable: 9,
      });
      expect(await found('m05')).toEqual(['M05.9', 'M05.79']);
      expect(await found('M0579')).toEqual(['M05.79']);
      expect(await found('L40')).toEqual(['L40.0', 'L40.50']);
      expect(await found('psor')).toEqual(['L40.0', 'L40.50']);
      expect(await found('arth rheum fact mult')).toEqual(['M05.79']);
      expect(await found('type 2 diab')).toEqual(['E11.9']);
      expect(await found('crohns')).toEqual(['K50.90']);
      expect(await found('zebra')).toEqual([]);
      expect(await found('rheum', 1)).toEqual(['M06.9']);
    });

    test('codes are named with their titles, categories too', async () => {
      const named = await store.codes.named(system, ['L40', 'I10', 'Z99.9']);
      expect(named.file?.source).toBe('small.txt');
      expect(named.codes.toSorted((one, other) => (one.code < other.code ? -1 : 1))).toEqual([
        { code: 'I10', title: 'Essential (primary) hypertension', billable: true },
        { code: 'L40', title: 'Psoriasis', billable: false },
      ]);
    });

    test('a code stays known while as many others are asked for as are kept', async () => {
      const others = Array.from({ length: 5000 }, (_, index) => `X${index}`);
      await store.codes.named(system, ['I10']);
      const [, named] = await Promise.all([
        store.codes.named(system, others),
        store.codes.named(system, ['I10', 'Y1']),
      ]);
      expect(named.codes.map(({ code }) => code)).toEqual(['I10']);
    });

    test('the file of another year takes the place of the first, and leaves no row of it behind', async () => {
      const codes = codesIn(orderLine(1, 'I10', 1, 'Hypertension, as another year calls it'));
      await store.codes.load(system, { source: 'next.txt', codes });
      expect(await found('hypert')).toEqual(['I10']);
      expect(await found('rheum')).toEqual([]);
      expect((await store.codes.current(system))?.year).toBeUndefined();
      expect((await store.codes.named(system, ['L40', 'I10'])).codes).toEqual([
        { code: 'I10', title: 'Hypertension, as another year calls it', billable: true },
      ]);
      const rows = await sqlOf(store)(`select count(*)::int as count from "${backend.schema}".codes`);
      expect(rows).toEqual([{ count: 1 }]);
    });

    test('what a practice used is counted by site, the most used first, and is sealed', async () => {
      const item = (code: string) => ({ key: code, content: { code, canary: 'CANARY-USED' } });
      await store.used.note('valley', 'diagnosis', [item('I10'), item('E11.9')]);
      await store.used.note('valley', 'diagnosis', [item('E11.9')]);
      await store.used.note('lakeview', 'diagnosis', [item('L40.0')]);
      const most = await store.used.most('valley', 'diagnosis', 10);
      expect(most.map(({ count, content }) => [count, (content as { code: string }).code])).toEqual([
        [2, 'E11.9'],
        [1, 'I10'],
      ]);
      expect(await store.used.most('valley', 'pharmacy', 10)).toEqual([]);
      const rows = await sqlOf(store)(`select * from "${backend.schema}".used`);
      expect(JSON.stringify(rows)).not.toMatch(/CANARY-USED|E11\.9/);
      expect(await store.maintenance.rekey()).toMatchObject({ unreadable: 0 });
      expect(await store.used.purge('valley', '2000-01-01T00:00:00Z')).toBe(0);
      expect(await store.used.purge('valley', '2100-01-01T00:00:00Z')).toBe(2);
      expect(await store.used.most('lakeview', 'diagnosis', 10)).toHaveLength(1);
    });
  });
}
