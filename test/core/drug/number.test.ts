import { describe, expect, test } from 'vitest';
import { multiply, writtenNumber } from '../../../src/core/drug/number.ts';

describe('writtenNumber (V2)', () => {
  test.each([
    ['2.5', 2.5, '2.5'],
    ['.5', 0.5, '0.5'],
    ['12,5', 12.5, '12.5'],
    ['0,125', 0.125, '0.125'],
    ['1,5', 1.5, '1.5'],
    ['1,25', 1.25, '1.25'],
    ['1,0625', 1.0625, '1.0625'],
    ['1,000', 1000, '1000'],
    ['100,000', 100_000, '100000'],
    ['1,234,567', 1_234_567, '1234567'],
    ['1,250.5', 1250.5, '1250.5'],
    ['1.500', 1.5, '1.500'],
  ])('%s is %d', (written, value, text) => {
    expect(writtenNumber(written)).toEqual({ values: [value], text });
  });

  test.each(['1,500', '12,345', '999,125'])(
    '%s may be a decimal or thousands: both, and no text to send',
    (written) => {
      const [whole = '', rest = ''] = written.split(',');
      expect(writtenNumber(written)).toEqual({ values: [Number(`${whole}.${rest}`), Number(whole + rest)] });
    },
  );

  test('nobody counts thousandths of a unit of activity', () => {
    expect(writtenNumber('1,500', true)).toEqual({ values: [1500], text: '1500' });
    expect(writtenNumber('2,5', true)).toEqual({ values: [2.5], text: '2.5' });
  });

  test.each(['1,2,3', '1.000.000', '1,5.5', '0', '000', '0,0', ''])('“%s” is no number', (written) => {
    expect(writtenNumber(written).text).toBeUndefined();
    expect(writtenNumber(written).values).toEqual([]);
  });
});

describe('multiply', () => {
  test.each([
    ['100', '0.4', '40'],
    ['12.5', '1.5', '18.75'],
    ['3.2', '0.75', '2.4'],
    ['0.125', '0.125', undefined], // 0.015625: more decimals than a label has
  ])('%s × %s = %s', (left, right, product) => {
    expect(multiply(left, right)).toBe(product);
  });
});
