import { describe, expect, test } from 'vitest';
import { dayAfter, daysBetween } from '../../../../src/core/fhir/time/calendar-days.ts';
import { readDateTime, wholeDate } from '../../../../src/core/fhir/time/date-time.ts';
import { dayIn, isTimeZone, noonOf, startOfDay } from '../../../../src/core/fhir/time/time-zone.ts';

describe('readDateTime reads at the precision written', () => {
  test.each([
    ['2026', { precision: 'year', date: '2026' }],
    ['2026-11', { precision: 'month', date: '2026-11' }],
    ['2024-02-29', { precision: 'day', date: '2024-02-29' }],
    ['2026-11-21T10:00:00-05:00', { precision: 'instant', date: '2026-11-21', instant: Date.UTC(2026, 10, 21, 15) }],
    [
      '2026-11-21T00:30:00.1239+14:00',
      { precision: 'instant', date: '2026-11-21', instant: Date.UTC(2026, 10, 20, 10, 30, 0, 123) },
    ],
    ['2016-12-31T23:59:60Z', { precision: 'instant', date: '2016-12-31', instant: Date.UTC(2017, 0, 1) }],
    ['2026-11-21T10:00Z', { precision: 'instant', date: '2026-11-21', instant: Date.UTC(2026, 10, 21, 10) }],
    ['2026-11-21T10:00:00', { precision: 'day', date: '2026-11-21' }],
  ])('%s', (text, expected) => {
    expect(readDateTime(text)).toEqual(expected);
  });

  test.each([
    '',
    'soon',
    '0000',
    '26',
    '2026-13',
    '2026-00',
    '2026-02-29',
    '2026-11-31',
    '2026-1-1',
    '11/21/2026',
    '2026-11-21T24:00:00Z',
    '2026-11-21T10:60:00Z',
    '2026-11-21T10:00:00+15:00',
    '2026-11-21T10:00:00+0500',
    '2026-11-21T',
    ' 2026-11-21',
    '2026-11-21 10:00',
    20261121,
    null,
    undefined,
    ['2026'],
  ])('%j is no date', (text) => {
    expect(readDateTime(text)).toBeUndefined();
  });

  test('wholeDate is the day as written, and none of a month', () => {
    expect(wholeDate('2026-11-21T23:00:00-05:00')).toBe('2026-11-21');
    expect(wholeDate('2026-11')).toBeUndefined();
  });
});

describe('days of a zone', () => {
  test('the day of an instant', () => {
    const instant = Date.parse('2026-11-21T03:00:00Z');
    expect(dayIn(instant, 'America/New_York')).toBe('2026-11-20');
    expect(dayIn(instant, 'Pacific/Kiritimati')).toBe('2026-11-21');
    expect(dayIn(Date.parse('0001-01-01T12:00:00Z'), 'UTC')).toBe('0001-01-01');
  });

  test('a day begins at its own midnight, also when the clocks change on it', () => {
    expect(startOfDay('2026-11-01', 'America/New_York')).toBe(Date.parse('2026-11-01T04:00:00Z'));
    expect(startOfDay('2026-11-02', 'America/New_York')).toBe(Date.parse('2026-11-02T05:00:00Z'));
    expect(startOfDay('2026-03-29', 'Europe/Paris')).toBe(Date.parse('2026-03-28T23:00:00Z'));
    expect(noonOf('2026-11-21', 'Asia/Kolkata')).toBe(Date.parse('2026-11-21T06:30:00Z'));
  });

  test.each([
    ['America/New_York', true],
    ['UTC', true],
    ['America/New_Yrok', false],
    ['', false],
    ['+05:00', false],
    ['local', false],
  ])('%j is a time zone: %s', (name, expected) => {
    expect(isTimeZone(name)).toBe(expected);
  });
});

test('days of the calendar, over a month, a leap day and a change of clocks', () => {
  expect(dayAfter('2026-02-28', 1)).toBe('2026-03-01');
  expect(dayAfter('2024-02-28', 1)).toBe('2024-02-29');
  expect(dayAfter('2026-03-07', 2)).toBe('2026-03-09');
  expect(dayAfter('2026-01-01', -1)).toBe('2025-12-31');
  expect(daysBetween('2026-03-01', '2026-04-01')).toBe(31);
  expect(daysBetween('2026-10-31', '2026-11-02')).toBe(2);
});
