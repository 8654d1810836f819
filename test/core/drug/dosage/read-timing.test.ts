import type { Dosage, Timing, TimingRepeat } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { readTiming, timingWords } from '../../../../src/core/drug/dosage/read-timing.ts';

const gts = 'http://terminology.hl7.org/CodeSystem/v3-GTSAbbreviation';
const daily = { frequency: 1, period: 1, periodUnit: 'd' } as const;
const code = (value: string): Timing['code'] => ({ coding: [{ system: gts, code: value }] });
const timing = (value: Timing): Dosage => ({ timing: value });
const repeat = (value: Timing['repeat']): Dosage => ({ timing: { repeat: value } as Timing });

describe('a timing that is wholly understood', () => {
  test.each<[string, Dosage, number, number, string?]>([
    ['once a day', repeat(daily), 1, 1],
    ['twice a day', repeat({ ...daily, frequency: 2 }), 2, 1],
    ['every 12 hours', repeat({ frequency: 1, period: 12, periodUnit: 'h' }), 2, 1, 'hour'],
    ['every 72 hours', repeat({ frequency: 1, period: 72, periodUnit: 'h' }), 1, 3, 'hour'],
    ['every other week', repeat({ frequency: 1, period: 2, periodUnit: 'wk' }), 1, 14, 'week'],
    ['three times a week', repeat({ frequency: 3, period: 1, periodUnit: 'wk' }), 3, 7, 'week'],
    ['a period without a frequency is once', repeat({ period: 2, periodUnit: 'd' }), 1, 2],
    ['a code alone', timing({ code: code('TID') }), 3, 1],
    ['a code and a frequency that agree', timing({ code: code('BID'), repeat: { ...daily, frequency: 2 } }), 2, 1],
    [
      'a code and hours that agree',
      timing({ code: code('BID'), repeat: { period: 12, periodUnit: 'h' } }),
      2,
      1,
      'hour',
    ],
    ['a code as text', timing({ code: { text: 'every 8 hr' } }), 3, 1, 'hour'],
    [
      'a local code with a plain display',
      timing({ code: { coding: [{ system: 'urn:local', code: '7', display: 'BID' }] } }),
      2,
      1,
    ],
    ['a start that bounds nothing', repeat({ ...daily, boundsPeriod: { start: '2026-01-01' } }), 1, 1],
    ['one time of day', repeat({ timeOfDay: ['08:00:00'] }), 1, 1],
    ['one event', repeat({ ...daily, when: ['HS'] }), 1, 1],
    [
      'a weekly dose in the morning',
      repeat({ frequency: 1, period: 1, periodUnit: 'wk', when: ['MORN'] }),
      1,
      7,
      'week',
    ],
    ['twice a day with meals', repeat({ ...daily, frequency: 2, when: ['C'] }), 2, 1],
    ['as needed: false', { asNeededBoolean: false, timing: { repeat: daily } }, 1, 1],
    ['one event alone', repeat({ when: ['MORN'] }), 1, 1],
    ['two events alone', repeat({ when: ['ACM', 'HS'] }), 2, 1],
    ['V6: two events without a frequency', repeat({ period: 1, periodUnit: 'd', when: ['MORN', 'EVE'] }), 2, 1],
    ['V6: two events with their number', repeat({ ...daily, frequency: 2, when: ['ACM', 'HS'] }), 2, 1],
    ['V6: two times of day', repeat({ timeOfDay: ['08:00:00', '20:00:00'] }), 2, 1],
    [
      'V6: two times of day with their number',
      repeat({ ...daily, frequency: 2, timeOfDay: ['08:00:00', '20:00:00'] }),
      2,
      1,
    ],
  ])('%s', (_, dosage, times, days, unit) => {
    expect(readTiming(dosage)).toEqual({ isWhole: true, times, days, ...(unit === undefined ? {} : { unit }) });
  });
});

describe('a timing that is not', () => {
  test.each<[string, Dosage, string]>([
    ['none', {}, 'no regular timing'],
    ['an empty one', timing({}), 'no regular timing'],
    ['a start alone', repeat({ boundsPeriod: { start: '2026-01-01' } }), 'no regular timing'],
    ['months', repeat({ frequency: 1, period: 1, periodUnit: 'mo' }), 'months and years have no fixed number of days'],
    ['minutes', repeat({ frequency: 1, period: 30, periodUnit: 'min' }), 'the timing is not by day or week'],
    ['every 36 hours', repeat({ frequency: 1, period: 36, periodUnit: 'h' }), 'the hours do not make whole days'],
    ['twice in 12 hours', repeat({ frequency: 2, period: 12, periodUnit: 'h' }), 'the timing is not by day or week'],
    ['no period', repeat({ frequency: 2 }), 'no period is stated'],
    [
      'half a day',
      repeat({ frequency: 1, period: 0.5, periodUnit: 'd' }),
      'the frequency and its period are not whole numbers',
    ],
    ['no dose in a day', repeat({ ...daily, frequency: 0 }), 'the frequency and its period are not whole numbers'],
    [
      'V6: two events, once a day',
      repeat({ ...daily, when: ['MORN', 'EVE'] }),
      'the timing names 2 times of the day and says once a day',
    ],
    [
      'V6: two times of day, once a day',
      repeat({ ...daily, timeOfDay: ['08:00:00', '20:00:00'] }),
      'the timing names 2 times of the day and says once a day',
    ],
    [
      'V6: a BID code beside once a day',
      timing({ code: code('BID'), repeat: daily }),
      'the timing says twice a day by its code and once a day by its frequency',
    ],
    [
      'V6: bounds beside a code',
      timing({ code: code('BID'), repeat: { boundsDuration: { value: 7, unit: 'd' } } }),
      'the timing has an end',
    ],
    [
      'V6: an end beside a code',
      timing({ code: code('BID'), repeat: { boundsPeriod: { end: '2026-12-01' } } }),
      'the timing has an end',
    ],
    [
      'an end that is only an extension',
      repeat({ ...daily, boundsPeriod: { _end: { extension: [] } } }),
      'the timing has an end',
    ],
    ['V6: as needed', { asNeededBoolean: true, timing: { repeat: daily } }, 'the drug is taken as needed'],
    [
      'V6: as needed for something',
      { asNeededCodeableConcept: { text: 'pain' }, timing: { repeat: daily } },
      'the drug is taken as needed',
    ],
    ['V6: 1 to 2 times', repeat({ ...daily, frequencyMax: 2 }), 'the frequency is a range'],
    [
      'V6: every 4 to 6 hours',
      repeat({ frequency: 1, period: 4, periodMax: 6, periodUnit: 'h' }),
      'the period is a range',
    ],
    ['a count', repeat({ ...daily, count: 10 }), 'the timing counts its doses'],
    ['a greatest count', repeat({ ...daily, countMax: 10 }), 'the timing counts its doses'],
    [
      'days of the week',
      repeat({ frequency: 1, period: 1, periodUnit: 'wk', dayOfWeek: ['mon'] }),
      'the timing names days of the week',
    ],
    ['dates', timing({ event: ['2026-11-21'] }), 'the timing is a list of dates'],
    ['an infusion', repeat({ ...daily, duration: 2, durationUnit: 'h' }), 'each dose takes a stated time'],
    [
      'two events of the morning',
      repeat({ period: 1, periodUnit: 'd', when: ['MORN', 'ACM'] }),
      'the times of day are not wholly known',
    ],
    [
      'meals without a frequency',
      repeat({ period: 1, periodUnit: 'd', when: ['C'] }),
      'the times of day are not wholly known',
    ],
    ['the same time twice', repeat({ timeOfDay: ['08:00:00', '08:00:00'] }), 'the times of day are not wholly known'],
    ['a time that is none', repeat({ timeOfDay: ['25:00:00'] }), 'the times of day are not wholly known'],
    [
      'hours and events',
      repeat({ ...daily, when: ['MORN'], timeOfDay: ['08:00:00'] }),
      'the timing names hours and events',
    ],
    [
      'a local code',
      timing({ code: { coding: [{ system: 'urn:local', code: 'BID' }] }, repeat: daily }),
      'the timing code is not known',
    ],
    ['an hour as text', timing({ code: { text: '0900' }, repeat: daily }), 'the timing code is not known'],
    [
      'a code of two meanings',
      timing({ code: { coding: [{ system: gts, code: 'BID' }], text: 'once daily' } }),
      'the timing code says two things',
    ],
    ['a code as needed', timing({ code: { text: 'every 8 hours as needed' } }), 'the drug is taken as needed'],
    ['a greatest dose', { timing: { repeat: daily }, maxDosePerPeriod: {} }, 'a greatest dose is stated'],
    [
      'an extension of meaning',
      { timing: { repeat: daily }, modifierExtension: [{ url: 'urn:x' }] },
      'an extension changes what the dose means',
    ],
    [
      'an extension of meaning in the timing',
      timing({ repeat: daily, modifierExtension: [{ url: 'urn:x' }] }),
      'an extension changes what the dose means',
    ],
    [
      'days of a cycle',
      repeat({ ...daily, extension: [{ url: 'urn:cycle' }] }),
      'the timing has an element that is not known',
    ],
    [
      'an absent frequency',
      repeat({ ...daily, _frequency: {} } as Timing['repeat']),
      'the timing has an element that is not known',
    ],
    [
      'an element of R5',
      { timing: { repeat: daily }, asNeeded: true } as Dosage,
      'the timing has an element that is not known',
    ],
  ])('%s', (_, dosage, notWhole) => {
    expect(readTiming(dosage)).toEqual({ isWhole: false, notWhole });
  });
});

describe('a timing in words', () => {
  const inWords = (more: TimingRepeat) => timingWords({ timing: { repeat: more } });

  test.each<[TimingRepeat, string]>([
    [{ frequency: 1, period: 1, periodUnit: 'd' }, 'once a day'],
    [{ frequency: 2, period: 1, periodUnit: 'wk' }, 'twice a week'],
    [{ frequency: 1, period: 8, periodUnit: 'wk' }, 'every 8 weeks'],
    [{ frequency: 1, period: 1, periodUnit: 'mo' }, 'once a month'],
    [{ period: 6, periodUnit: 'mo' }, 'every 6 months'],
    [{ frequency: 2, period: 1, periodUnit: 'mo', boundsPeriod: { start: '2026-01-01' } }, 'twice a month'],
    [{ frequency: 1, period: 1, periodUnit: 'a' }, 'once a year'],
    [{ frequency: 1, period: 2, periodUnit: 'a' }, 'every 2 years'],
    [{ frequency: 1, period: 36, periodUnit: 'h' }, 'every 36 hours'],
    [{ frequency: 3, period: 1, periodUnit: 'h' }, '3 times an hour'],
    [{ frequency: 1, period: 12, periodUnit: 'h' }, 'every 12 hours'],
    [{ frequency: 1, period: 24, periodUnit: 'h' }, 'every 24 hours'],
    [{ frequency: 1, period: 72, periodUnit: 'h' }, 'every 72 hours'],
    [{ frequency: 2, period: 1, periodUnit: 'd' }, 'twice a day'],
    [{ frequency: 1, period: 14, periodUnit: 'd' }, 'every 14 days'],
    [{ frequency: 2, period: 3, periodUnit: 'wk' }, 'twice in 3 weeks'],
  ])('%j is %s', (given, words) => {
    expect(inWords(given)).toBe(words);
  });

  test.each<[Timing, string]>([
    [{ code: code('BID') }, 'twice a day'],
    [{ code: code('Q8H') }, 'every 8 hours'],
    [{ code: { text: 'every 12 hours' } }, 'every 12 hours'],
    [{ code: code('BID'), repeat: { frequency: 1, period: 12, periodUnit: 'h' } }, 'every 12 hours'],
    [{ repeat: { timeOfDay: ['08:00:00', '20:00:00'] } }, 'twice a day'],
  ])('%j is %s', (given, words) => {
    expect(timingWords({ timing: given })).toBe(words);
  });

  test.each<[string, Dosage]>([
    ['a range', { timing: { repeat: { frequency: 1, period: 1, periodMax: 2, periodUnit: 'mo' } } }],
    ['a part of a month', { timing: { repeat: { frequency: 1, period: 1.5, periodUnit: 'mo' } } }],
    ['no period', { timing: { repeat: { frequency: 1, periodUnit: 'mo' } } }],
    ['an end', { timing: { repeat: { frequency: 1, period: 1, periodUnit: 'mo', count: 3 } } }],
    [
      'an end by its date',
      { timing: { repeat: { period: 1, periodUnit: 'mo', boundsPeriod: { end: '2027-01-01' } } } },
    ],
    ['times of the day', { timing: { repeat: { period: 1, periodUnit: 'mo', when: ['MORN', 'HS'] } } }],
    ['a code beside it', { timing: { code: { text: 'BID' }, repeat: { period: 1, periodUnit: 'mo' } } }],
    ['as needed', { asNeededBoolean: true, timing: { repeat: { period: 1, periodUnit: 'mo' } } }],
    ['nothing', {}],
  ])('has none for %s', (_what, dosage) => {
    expect(timingWords(dosage)).toBeUndefined();
  });
});
