import { describe, expect, test } from 'vitest';
import { daysOfDuration, wholeDays } from '../../../../src/core/fhir/time/duration.ts';

const ucum = 'http://unitsofmeasure.org';

describe('wholeDays', () => {
  test.each([
    [{ value: 30, unit: 'days', system: ucum, code: 'd' }, { value: 30 }],
    [{ value: 30, code: 'd' }, { value: 30 }],
    [{ value: 30, unit: 'Days' }, { value: 30 }],
    [{ value: 30, unit: 'day(s)' }, { value: 30 }],
    [
      { value: 4, unit: 'weeks', code: 'wk' },
      { value: 28, note: '4 weeks' },
    ],
    [
      { value: 1, unit: 'Week' },
      { value: 7, note: '1 week' },
    ],
    [{ value: 30, unit: 'Tage', system: ucum, code: 'd' }, { value: 30 }],
    [{ value: 30, unit: 'days', system: 'urn:local', code: '258703001' }, { value: 30 }],
    [{ value: 30, unit: 'days', code: '258703001' }, { value: 30 }],
  ])('%j is %j', (duration, expected) => {
    expect(wholeDays(duration)).toEqual(expected);
  });

  test.each([
    [{ value: 1, unit: 'month', system: ucum, code: 'mo' }, 'months'],
    [{ value: 1, unit: 'year' }, 'months'],
    [{ value: 72, code: 'h' }, 'not_in_days'],
    [{ value: 30 }, 'not_in_days'],
    [{ value: 30, unit: 'tablets' }, 'not_in_days'],
    [{ value: 30, unit: 'days', system: ucum, code: '{box}' }, 'not_in_days'],
    [{ value: 30, system: 'urn:local', code: 'd' }, 'not_in_days'],
    [{ value: 4, unit: 'days', code: 'wk' }, 'unit_differs'],
    [{ value: 1, unit: 'days', code: 'mo' }, 'unit_differs'],
    [{ value: 30, comparator: '<', code: 'd' }, 'only_a_bound'],
    [{ value: 2.5, code: 'd' }, 'whole_days'],
    [{ value: 0, code: 'd' }, 'whole_days'],
    [{ value: -7, code: 'd' }, 'whole_days'],
    [{ value: 4000, code: 'd' }, 'over_ten_years'],
    [{ value: '30', code: 'd' }, 'no_days'],
    [{ code: 'd' }, 'no_days'],
    [[{ value: 30, code: 'd' }], 'no_days'],
    [undefined, 'no_days'],
    [30, 'no_days'],
  ])('%j is refused: %s', (duration, refused) => {
    expect(wholeDays(duration)).toEqual({ refused });
  });

  test('V15: a comparator on the supply duration gives no days', () => {
    expect(daysOfDuration({ value: 90, comparator: '<=', unit: 'd', code: 'd' })).toBeUndefined();
  });
});
