import { expect, test } from 'vitest';
import { workedOut } from '../../../../src/web/request/worked-out.ts';

const at = (seconds: number) => new Date(Date.parse('2026-11-21T15:00:00Z') + seconds * 1000);

/** Counts how often something is worked out. */
function counted() {
  const made = { count: 0 };
  return () => {
    made.count += 1;
    return made.count;
  };
}

test('the same of the same reading is worked out once in a minute', () => {
  const [source, make] = [{}, counted()];
  expect(workedOut(source, { name: 'a', now: at(0) }, make)).toBe(1);
  expect(workedOut(source, { name: 'a', now: at(59) }, make)).toBe(1);
  expect(workedOut(source, { name: 'a', now: at(60) }, make)).toBe(2);
});

test('anew for another reading, another name, other entries, and where the clock was set back', () => {
  const [source, make] = [{}, counted()];
  expect(workedOut(source, { name: 'a', by: 'x', now: at(0) }, make)).toBe(1);
  expect(workedOut({}, { name: 'a', by: 'x', now: at(0) }, make)).toBe(2);
  expect(workedOut(source, { name: 'b', by: 'x', now: at(0) }, make)).toBe(3);
  expect(workedOut(source, { name: 'a', by: 'y', now: at(0) }, make)).toBe(4);
  expect(workedOut(source, { name: 'a', by: 'x', now: at(0) }, make)).toBe(5);
  expect(workedOut(source, { name: 'a', by: 'x', now: at(-1) }, make)).toBe(6);
});

test('what fails is not kept', () => {
  const source = {};
  const failing = () => {
    throw new Error('not now');
  };
  expect(() => workedOut(source, { name: 'a', now: at(0) }, failing)).toThrow('not now');
  expect(workedOut(source, { name: 'a', now: at(0) }, () => 1)).toBe(1);
});
