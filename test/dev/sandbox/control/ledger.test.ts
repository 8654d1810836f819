import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openLedger } from '../../../../src/dev/sandbox/control/ledger.ts';
import { tempFolder } from '../../../support/temp.ts';

const folder = tempFolder('ledger');
afterAll(() => folder.remove());

const clock = () => new Date('2026-11-21T10:00:00Z');
const kinds = { happened: { meaning: 'm', facts: 'f' } };

test('entries are numbered from 1 and read from any of them on', () => {
  const ledger = openLedger(kinds, undefined, clock);
  for (const id of ['a', 'b', 'c']) ledger.add('happened', { id });
  expect(ledger.after(0, 1)).toEqual([{ seq: 1, at: '2026-11-21T10:00:00.000Z', kind: 'happened', id: 'a' }]);
  expect(ledger.after(1, 10).map(({ seq, id }) => [seq, id])).toEqual([
    [2, 'b'],
    [3, 'c'],
  ]);
  expect(ledger.count()).toBe(3);
});

test('each entry is in the file when add comes back, and a later process goes on from there', () => {
  const file = join(folder.path, 'deep', 'ledger.ndjson');
  const first = openLedger(kinds, file, clock);
  first.add('happened', { id: 'a' });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ seq: 1, id: 'a' });
  const second = openLedger(kinds, file, clock); // the first was killed: it never closed its file
  second.add('happened', { id: 'b' });
  expect(second.after(0, 10).map(({ seq, id }) => [seq, id])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
  first.close();
  second.close();
});

test('a line that was cut off is read as none and spoils no other', () => {
  const file = join(folder.path, 'cut.ndjson');
  const first = openLedger(kinds, file, clock);
  first.add('happened', { id: 'a' });
  first.close();
  appendFileSync(file, '{"seq":2,"kin');
  const second = openLedger(kinds, file, clock);
  second.add('happened', { id: 'b' });
  second.close();
  expect(openLedger(kinds, file, clock).after(0, 10)).toMatchObject([
    { seq: 1, id: 'a' },
    { seq: 2, id: 'b' },
  ]);
});
