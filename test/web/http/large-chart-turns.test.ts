import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTurns } from '../../../src/web/http/large-chart-turns.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function three(waitMilliseconds = 1000) {
  const newTurn = createTurns(waitMilliseconds);
  const turns = { a: newTurn(), b: newTurn(), c: newTurn() };
  const log: string[] = [];
  const take = (name: keyof typeof turns) =>
    turns[name].take().then((came) => void log.push(came ? name : `${name} waited too long`));
  return { turns, log, take };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('turns come one at a time, in the order in which they were asked for [E8]', async () => {
  const { turns, log, take } = three();
  for (const name of ['b', 'a', 'c'] as const) take(name);
  await settled();
  expect(log).toEqual(['b']);
  turns.b.end();
  await settled();
  expect(log).toEqual(['b', 'a']);
  turns.a.end();
  turns.a.end();
  await settled();
  expect(log).toEqual(['b', 'a', 'c']);
});

test('a turn that was taken comes at once to who asks again', async () => {
  const { turns, log, take } = three();
  await Promise.all([take('a'), take('a')]);
  take('b');
  await settled();
  expect(log).toEqual(['a', 'a']);
  turns.a.end();
  await settled();
  expect(log).toEqual(['a', 'a', 'b']);
});

test('waiting ends after its time, and the next one is not held up', async () => {
  const { turns, log, take } = three(1000);
  take('a');
  take('b');
  await settled();
  vi.advanceTimersByTime(999);
  take('c');
  await settled();
  expect(log).toEqual(['a']);
  vi.advanceTimersByTime(1);
  await settled();
  expect(log).toEqual(['a', 'b waited too long']);
  turns.a.end();
  await settled();
  expect(log).toEqual(['a', 'b waited too long', 'c']);
  // it is not taken from who has it
  vi.advanceTimersByTime(5000);
  turns.b.end();
  expect(log).toHaveLength(3);
});

test('a turn that ends while it waits is given up', async () => {
  const { turns, log, take } = three();
  for (const name of ['a', 'b', 'c'] as const) take(name);
  turns.b.end();
  turns.a.end();
  await settled();
  expect(log.toSorted()).toEqual(['a', 'b waited too long', 'c']);
});

test('a turn that nobody took ends without anything', async () => {
  const { turns, log, take } = three();
  turns.a.end();
  take('b');
  turns.a.end();
  take('c');
  await settled();
  expect(log).toEqual(['b']);
});
