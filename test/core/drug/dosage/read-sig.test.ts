import { describe, expect, test } from 'vitest';
import { readSig, type SigReading } from '../../../../src/core/drug/dosage/read-sig.ts';

const plain = { isAsNeeded: false, isRange: false, changes: false, isUnread: false };
const tablets = (value: number) => ({ value, unit: 'tablet' });
const rate = (times: number, days = 1) => ({ times, days });
const weekly = (times: number, weeks = 1) => ({ times, days: 7 * weeks, unit: 'week' }) as const;
const everyHours = (hours: number) => ({ times: 24 / hours, days: 1, unit: 'hour' }) as const;

describe('what directions certainly say', () => {
  test.each<[string, Partial<SigReading>]>([
    ['Take 1 tablet by mouth twice daily', { dose: tablets(1), rate: rate(2) }],
    ['Take one tablet daily.', { dose: tablets(1), rate: rate(1) }],
    [
      'Take 2 tablets (20 mg total) by mouth 2 (two) times daily.',
      { dose: tablets(2), mass: { value: 20, unit: 'mg' }, rate: rate(2) },
    ],
    [
      'Take one 10 mg tablet every 12 hours',
      { dose: tablets(1), strength: { value: 10, unit: 'mg' }, rate: everyHours(12) },
    ],
    [
      'Inject 300 mg (two 150 mg pens) under the skin every 4 weeks',
      {
        dose: { value: 2, unit: 'pen' },
        mass: { value: 300, unit: 'mg' },
        strength: { value: 150, unit: 'mg' },
        rate: weekly(1, 4),
      },
    ],
    [
      '600 mg = 2 cap, Oral, q8h',
      { dose: { value: 2, unit: 'capsule' }, mass: { value: 600, unit: 'mg' }, rate: everyHours(8) },
    ],
    ['1 tab po b.i.d.', { dose: tablets(1), rate: rate(2) }],
    ['½ tablet at bedtime', { dose: tablets(0.5), rate: rate(1) }],
    ['Take 1½ tablets daily', { dose: tablets(1.5), rate: rate(1) }],
    ['Take one and a half tablets every morning', { dose: tablets(1.5), rate: rate(1) }],
    ['Take half a tablet every other day', { dose: tablets(0.5), rate: rate(1, 2) }],
    ['Take .5 tablet qod', { dose: tablets(0.5), rate: rate(1, 2) }],
    ['Take 1 tablet in the morning and 1 tablet at bedtime', { dose: tablets(1), rate: rate(2) }],
    ['Take 1 tablet every morning and evening', { dose: tablets(1), rate: rate(2) }],
    ['Take 1 tablet at 8 am and 8:00 PM', { dose: tablets(1), rate: rate(2) }],
    ['Take 1 tablet daily in the morning with a full glass of water', { dose: tablets(1), rate: rate(1) }],
    ['Take 1 tablet 30 minutes before breakfast', { dose: tablets(1), rate: rate(1) }],
    ['Take 1 capsule three times a day with meals', { dose: { value: 1, unit: 'capsule' }, rate: rate(3) }],
    ['Take 6 tablets once a week', { dose: tablets(6), rate: weekly(1) }],
    ['Take 4 tablets once weekly on Mondays', { dose: tablets(4), rate: weekly(1) }],
    ['1 tablet every Monday, Wednesday and Friday', { dose: tablets(1), rate: weekly(3) }],
    ['Take 1 tablet twice daily for 10 days', { dose: tablets(1), rate: rate(2), totalDays: 10 }],
    ['5 mL bid x 2 weeks', { dose: { value: 5, unit: 'ml' }, rate: rate(2), totalDays: 14 }],
    ['Take 1 by mouth daily', { dose: { value: 1, unit: 'any' }, rate: rate(1) }],
    ['1 a day', { dose: { value: 1, unit: 'any' }, rate: rate(1) }],
    ['20mg twice daily', { mass: { value: 20, unit: 'mg' }, rate: rate(2) }],
    ['Apply twice daily', { rate: rate(2) }],
    [
      'methotrexate 2.5 mg tablet: take 4 tablets once a week',
      { dose: tablets(4), strength: { value: 2.5, unit: 'mg' }, rate: weekly(1) },
    ],
    ['Take 1 tablet every 4 hours as needed for pain', { dose: tablets(1), rate: everyHours(4), isAsNeeded: true }],
    ['Take 1 tablet twice daily, every 12 hours', { dose: tablets(1), rate: everyHours(12) }],
  ])('%s', (text, expected) => {
    expect(readSig(text)).toEqual({ ...plain, ...expected });
  });
});

describe('a range, a change or a condition is said', () => {
  test.each([
    ['Take 1 to 2 tablets daily', 'isRange'],
    ['Take 1-2 tablets daily', 'isRange'],
    ['Take 1 or 2 tablets daily', 'isRange'],
    ['Take 1 tablet every 4-6 hours', 'isRange'],
    ['Take up to 4 tablets daily', 'isRange'],
    ['Then 1 tablet daily', 'changes'],
    ['Taper as told', 'changes'],
    ['Loading dose: 300 mg', 'changes'],
    ['Take 1 tablet daily until finished', 'changes'],
    ['Take 1 tablet daily, increase to 2', 'changes'],
    ['Take 1 tablet daily except Sunday', 'changes'],
    ['Take 1 tablet when the pain begins', 'changes'],
    ['Take 1 tablet daily, maximum 2', 'changes'],
  ] as const)('%s: %s', (text, flag) => {
    expect(readSig(text)?.[flag]).toBe(true);
  });
});

describe('what is not wholly understood gives no amount, rate or days', () => {
  test.each([
    '1,250 mg every 12 hours',
    'Take 1,5 tablets daily',
    'Take 2 (three) tablets daily',
    'Take 1 tablet in the morning and 2 tablets at bedtime',
    'Take 1 tablet (10 mg) and 1 tablet (5 mg) daily',
    'Take 1 tablet twice daily, once a day',
    'Take 1 tablet twice daily in the morning',
    'Take 1 tablet once daily in the morning and evening',
    'Spray 2 sprays in each nostril daily',
    'Instill 1 drop into both eyes daily',
    'Inject once',
    '1.8 mg/kg every 3 weeks',
    'Take 20 mg daily in 2 divided doses',
    'Take 1 tablet once monthly',
    'Take 1 teaspoon twice daily',
    'Take 1 tablet daily, disp 30',
    'Take 1 tablet every 5 hours',
    'Take 1 tablet with every meal',
    '⅓ tablet daily',
    'Take 1 tablet daily on Monday',
    'Take 1 tablet biweekly',
    'Take 1 tablet od',
    'Take 1 tablet q4-6h',
    'Take 1 tablet tiw',
    'Tomar una tableta dos veces al día',
    'Tomar cada noche',
    'Une fois par jour, répéter',
    `Take 1 tablet daily ${'and rest '.repeat(200)}`,
  ])('%s', (text) => {
    const reading = readSig(text);
    expect(reading?.isUnread).toBe(true);
    expect(Object.keys(reading ?? {}).sort()).toEqual(['changes', 'isAsNeeded', 'isRange', 'isUnread']);
  });
});

test.each([undefined, '', '  ', ':None:None', 'NA', 'Use as directed', 'Take with food', 'By mouth'])(
  '%j says nothing of amounts and times',
  (text) => {
    expect(readSig(text)).toBeUndefined();
  },
);

test('a megabyte of blanks, digits or words costs nothing', () => {
  for (const text of [' '.repeat(1e6), '1 '.repeat(5e5), 'every '.repeat(2e5)]) readSig(text);
  for (const text of ['1'.repeat(999), '1/2 '.repeat(249), '1 mg '.repeat(199), 'every other '.repeat(83)])
    expect(readSig(text)?.isUnread).toBe(true);
});
