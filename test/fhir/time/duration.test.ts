import { describe, expect, test } from 'vitest';
import { daysOfDuration, wholeDays } from '../../../src/fhir/time/duration.ts';

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
    [{ value: 1, unit: 'month', system: ucum, code: 'mo' }, 'months and years have no fixed number of days'],
    [{ value: 1, unit: 'year' }, 'months and years have no fixed number of days'],
    [{ value: 72, code: 'h' }, 'not in days or weeks'],
    [{ value: 30 }, 'not in days or weeks'],
    [{ value: 30, unit: 'tablets' }, 'not in days or weeks'],
    [{ value: 30, unit: 'days', system: ucum, code: '{box}' }, 'not in days or weeks'],
    [{ value: 30, system: 'urn:local', code: 'd' }, 'not in days or weeks'],
    [{ value: 4, unit: 'days', code: 'wk' }, 'its code and its unit differ'],
    [{ value: 1, unit: 'days', code: 'mo' }, 'its code and its unit differ'],
    [{ value: 30, comparator: '<', code: 'd' }, 'only a bound, not a number of days'],
    [{ value: 2.5, code: 'd' }, 'not a whole number of days'],
    [{ value: 0, code: 'd' }, 'not a whole number of days'],
    [{ value: -7, code: 'd' }, 'not a whole number of days'],
    [{ value: 4000, code: 'd' }, 'more than ten years'],
    [{ value: '30', code: 'd' }, 'no number of days'],
    [{ code: 'd' }, 'no number of days'],
    [[{ value: 30, code: 'd' }], 'no number of days'],
    [undefined, 'no number of days'],
    [30, 'no number of days'],
  ])('%j is refused: %s', (duration, refused) => {
    expect(wholeDays(duration)).toEqual({ refused });
  });

  test('V15: a comparator on the supply duration gives no days', () => {
    expect(daysOfDuration({ value: 90, comparator: '<=', unit: 'd', code: 'd' })).toBeUndefined();
  });
});
