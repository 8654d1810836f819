import { describe, expect, test } from 'vitest';
import { excerptOf } from '../../../src/core/evidence/excerpt.ts';
import { quantityText, rangeText, ratioText, referenceRangeText } from '../../../src/core/evidence/quantity-text.ts';

describe('a quantity is written as the chart has it', () => {
  test.each([
    [{ value: 8.2, unit: '%' }, '8.2 %'],
    [{ value: 0.01, comparator: '<', code: '[IU]/mL' } as const, '<0.01 [IU]/mL'],
    [{ value: 0 }, '0'],
    [{ unit: 'mg' }, undefined],
    [undefined, undefined],
  ])('%o is %s', (quantity, text) => {
    expect(quantityText(quantity)).toBe(text);
  });

  test.each([
    [{ low: { value: 4, unit: '%' }, high: { value: 5.6, unit: '%' } }, '4 % to 5.6 %'],
    [{ low: { value: 4 } }, 'from 4'],
    [{ high: { value: 5.6 } }, 'up to 5.6'],
    [{}, undefined],
  ])('the range %o is %s', (range, text) => {
    expect(rangeText(range)).toBe(text);
  });

  test('a ratio needs both sides', () => {
    expect(ratioText({ numerator: { value: 1 }, denominator: { value: 160 } })).toBe('1:160');
    expect(ratioText({ numerator: { value: 1 } })).toBe(undefined);
  });

  test('the laboratory’s words come before its numbers, unless they are a placeholder', () => {
    expect(referenceRangeText({ text: 'negative', low: { value: 4 } })).toBe('negative');
    expect(referenceRangeText({ text: 'N/A', low: { value: 4 } })).toBe('from 4');
  });
});

describe('an excerpt', () => {
  test('is one line', () => {
    expect(excerptOf('  Joint pain\n\nfor six   months. ')).toBe('Joint pain for six months.');
  });

  test('ends between words', () => {
    const long = excerptOf('word '.repeat(100));
    expect(long).toBe(`${'word '.repeat(31)}word …`);
  });

  test('of a megabyte of blanks costs nothing and says that there is more', () => {
    expect(excerptOf(`Start${' '.repeat(1_000_000)}end`)).toBe('Start …');
  });
});
