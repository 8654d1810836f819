import { expect, test } from 'vitest';
import { memoized } from '../../../src/web/request/memoized.ts';

const at = (seconds: number) => new Date(Date.parse('2026-11-21T15:00:00Z') + seconds * 1000);

/** Counts how often a value is made. */
function counted() {
  const made = { count: 0 };
  return () => {
    made.count += 1;
    return made.count;
  };
}

test('a value of one source is made once in a minute', () => {
  const [source, make] = [{}, counted()];
  expect(memoized(source, { name: 'a', now: at(0) }, make)).toBe(1);
  expect(memoized(source, { name: 'a', now: at(59) }, make)).toBe(1);
  expect(memoized(source, { name: 'a', now: at(60) }, make)).toBe(2);
});

test('it is made again for another source, another name, other entries, and where the clock was set back', () => {
  const [source, make] = [{}, counted()];
  expect(memoized(source, { name: 'a', by: 'x', now: at(0) }, make)).toBe(1);
  expect(memoized({}, { name: 'a', by: 'x', now: at(0) }, make)).toBe(2);
  expect(memoized(source, { name: 'b', by: 'x', now: at(0) }, make)).toBe(3);
  expect(memoized(source, { name: 'a', by: 'y', now: at(0) }, make)).toBe(4);
  expect(memoized(source, { name: 'a', by: 'x', now: at(0) }, make)).toBe(5);
  expect(memoized(source, { name: 'a', by: 'x', now: at(-1) }, make)).toBe(6);
});

test('a failure is not kept', () => {
  const source = {};
  const failing = () => {
    throw new Error('not now');
  };
  expect(() => memoized(source, { name: 'a', now: at(0) }, failing)).toThrow('not now');
  expect(memoized(source, { name: 'a', now: at(0) }, () => 1)).toBe(1);
});
