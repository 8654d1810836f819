import { expect, test } from 'vitest';
import { dateOrText, dayText, whenText } from '../../../../src/core/fhir/time/day-text.ts';

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

test.each([
  ['2025-12-31', 'Dec 31, 2025'],
  ['2025-12-31T23:30:00-05:00', 'Dec 31, 2025'],
  ['2019-05', 'May 2019'],
  ['2025-12-31-a', '2025-12-31-a'],
  ['Northfield Gold', 'Northfield Gold'],
])('a text that may be a date, %s, is read as %s', (text, read) => {
  expect(dateOrText(text)).toBe(read);
});
