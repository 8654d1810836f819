import { expect, test } from 'vitest';
import { dayText, whenText } from '../../../../src/core/fhir/time/day-text.ts';

test.each([
  ['1980-02-03', 'Feb 3, 1980', 'on Feb 3, 1980'],
  ['2026-11-21T15:00:00Z', 'Nov 21, 2026', 'on Nov 21, 2026'],
  ['2019-05', 'May 2019', 'in May 2019'],
  ['2019', '2019', 'in 2019'],
  ['2019-13', '2019-13', 'in 2019-13'],
])('%s is read as %s', (date, text, when) => {
  expect(dayText(date)).toBe(text);
  expect(whenText(date)).toBe(when);
});
