import { expect, test } from 'vitest';
import { markOfText } from '../../src/batch/mark.ts';
import { MarkNumbers } from '../../src/batch/mark-numbers.ts';

test('marks are numbered as they are first met, and keep their numbers however many come', () => {
  const numbers = new MarkNumbers();
  const marks = Array.from({ length: 20_000 }, (_, at) => markOfText(`Patient/${at}`));
  for (const [at, mark] of marks.entries()) {
    expect(numbers.of(mark)).toBe(at);
    const earlier = Math.floor(at / 2);
    expect(numbers.of(marks[earlier] ?? 0)).toBe(earlier);
  }
});

test('marks that differ in their first bits alone are told apart', () => {
  const numbers = new MarkNumbers();
  expect([1, 2 ** 32 + 1, 2 ** 33 + 1, 1].map((mark) => numbers.of(mark))).toEqual([0, 1, 2, 0]);
});
