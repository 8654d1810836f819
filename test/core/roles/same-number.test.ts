import { describe, expect, it } from 'vitest';
import { sameNumber } from '../../../src/core/roles/agree.ts';

const compare = (left: string, right: string) =>
  sameNumber('value').call({ words: left, value: left }, { words: right, value: right });
const differs = [{ aspect: 'value', certainty: 'differs' }];

describe('sameNumber', () => {
  it.each([
    ['XYZ 1234567-01', '1234567-01'],
    ['XYZ 1234567-01', 'xyz1234567'],
    ['123456', 'W-123 456'],
    ['12345', 'W12345'],
    ['12345', '1234501'],
    ['E7', 'e7'],
  ])('takes %s and %s for one number', (left, right) => {
    expect(compare(left, right)).toEqual([]);
    expect(compare(right, left)).toEqual([]);
  });

  it.each([
    ['123456702', '02'],
    ['XYZ1234567', 'XYZ'],
    ['1234567890', '67890'],
    ['XYZ1234567', '1234568'],
    ['XYZ1234567', '#'],
    ['#', '*'],
  ])('asks about %s beside %s', (left, right) => {
    expect(compare(left, right)).toEqual(differs);
    expect(compare(right, left)).toEqual(differs);
  });
});
