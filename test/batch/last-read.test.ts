import { expect, test } from 'vitest';
import { LastRead } from '../../src/batch/last-read.ts';

function reading(most: number) {
  const last = new LastRead<{ readonly of: number }>(most);
  const made: number[] = [];
  const get = (key: number, bytes = 10) =>
    last.get(key, bytes, () => {
      made.push(key);
      return { of: key };
    });
  return { get, made };
}

test('what fits is made once, and the same is given again', () => {
  const { get, made } = reading(1000);
  const first = get(1);
  for (let round = 0; round < 5; round += 1) for (const key of [1, 2, 3]) get(key);
  expect(get(1)).toBe(first);
  expect(made).toEqual([1, 2, 3]);
});

test('what is asked for again and again stays while others come and go', () => {
  const { get, made } = reading(100);
  for (let key = 2; key < 200; key += 1) {
    get(1);
    get(key);
  }
  expect(made.filter((key) => key === 1)).toEqual([1]);
});

test('what was not asked for while more was read than is kept is made again', () => {
  const { get, made } = reading(100);
  get(1);
  for (let key = 2; key < 15; key += 1) get(key);
  get(1);
  expect(made.filter((key) => key === 1)).toEqual([1, 1]);
});
