import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { EffortTable } from '../../../src/store/types.ts';
import { type GatheredEffort, gatherEffort } from '../../../src/web/http/gathered-effort.ts';

let notes: [string, number][];
let effort: GatheredEffort;

const table: EffortTable = {
  note: async (id, { agoMs = 0 } = {}) => void notes.push([id, Math.round(agoMs / 1000)]),
  of: async () => ({ touches: notes.length, seconds: 0 }),
  sent: async () => ({ requests: 0, chart: 0, typed: 0, changed: 0, seconds: 0, touches: 0 }),
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  notes = [];
  effort = gatherEffort(table, { log: silentLog });
});
afterEach(() => vi.useRealTimers());

test('the first act is written at once, those of the next five seconds together, as of the last one', async () => {
  await effort.note('a');
  expect(notes).toEqual([['a', 0]]);
  await vi.advanceTimersByTimeAsync(1000);
  await effort.note('a');
  await vi.advanceTimersByTimeAsync(1000);
  await effort.note('a');
  expect(notes).toEqual([['a', 0]]);
  await vi.advanceTimersByTimeAsync(3000);
  expect(notes).toEqual([
    ['a', 0],
    ['a', 3],
  ]);
});

test('what is written together only opened the case where nobody acted', async () => {
  const written: (boolean | undefined)[] = [];
  const each = gatherEffort({ ...table, note: async (_, how) => void written.push(how?.opens) }, { log: silentLog });
  await each.note('a', { opens: true });
  await each.note('a', { opens: true });
  await each.of('a');
  await each.note('a', { opens: true });
  await each.note('a', { opens: false });
  await each.note('a', { opens: true });
  await each.of('a');
  expect(written).toEqual([true, true, true, false]);
});

test('cases are gathered each for itself', async () => {
  await effort.note('a');
  await effort.note('b');
  expect(notes).toEqual([
    ['a', 0],
    ['b', 0],
  ]);
});

test('nothing is written where nobody acted again, and the next act is written at once', async () => {
  await effort.note('a');
  await vi.advanceTimersByTimeAsync(6000);
  expect(notes).toHaveLength(1);
  await effort.note('a');
  expect(notes).toHaveLength(2);
});

test('what is asked of a case has what was gathered', async () => {
  await effort.note('a');
  await effort.note('a');
  expect(await effort.of('a')).toMatchObject({ touches: 2 });
});

test('a close writes what was gathered', async () => {
  await effort.note('a');
  await effort.note('a');
  await effort.close();
  expect(notes).toHaveLength(2);
});

test('a write that fails later is told to the log and fails nothing', async () => {
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_facts: unknown, message?: string) => void warnings.push(message ?? '') };
  const away = { ...table, note: async () => Promise.reject(new Error('CANARY the database is away')) };
  const failing = gatherEffort({ ...away }, { log });
  await failing.note('a').catch(() => undefined);
  await failing.note('a');
  await vi.advanceTimersByTimeAsync(5000);
  expect(warnings).toEqual(['the work on a case was not noted']);
});
