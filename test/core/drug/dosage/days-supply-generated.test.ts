import type { Dosage, Quantity, Timing } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { daysOf } from '../../../../src/core/drug/dosage/days-supply.ts';

/** A way to write how often a dose is taken, and the doses that fall on the days of one period, worked out by hand. */
interface Schedule {
  readonly timing: Timing;
  readonly perDay: readonly number[];
  /** Directions that mean the same. */
  readonly sig: string;
}

const week = (onFirstDay: number) => [onFirstDay, 0, 0, 0, 0, 0, 0];
const gts = (code: string) => ({
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-GTSAbbreviation', code }],
});

const schedules: readonly Schedule[] = [
  { timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd' } }, perDay: [1], sig: 'once daily' },
  { timing: { repeat: { frequency: 2, period: 1, periodUnit: 'd' } }, perDay: [2], sig: 'twice a day' },
  { timing: { repeat: { frequency: 1, period: 8, periodUnit: 'h' } }, perDay: [3], sig: 'three times daily' },
  { timing: { repeat: { frequency: 1, period: 2, periodUnit: 'd' } }, perDay: [1, 0], sig: 'every other day' },
  { timing: { repeat: { frequency: 3, period: 1, periodUnit: 'wk' } }, perDay: week(3), sig: '3 times a week' },
  { timing: { repeat: { frequency: 1, period: 7, periodUnit: 'd' } }, perDay: week(1), sig: 'once weekly' },
  {
    timing: { repeat: { period: 1, periodUnit: 'd', when: ['MORN', 'HS'] } },
    perDay: [2],
    sig: 'every morning and at bedtime',
  },
  { timing: { repeat: { timeOfDay: ['08:00:00', '20:00:00'] } }, perDay: [2], sig: 'at 8 am and 8 pm' },
  { timing: { code: gts('QID') }, perDay: [4], sig: 'every 6 hours' },
  { timing: { code: gts('BID'), repeat: { frequency: 2, period: 1, periodUnit: 'd' } }, perDay: [2], sig: 'bid' },
];

/** A dose in quarters of a tablet, structured in two ways, and in words. The tablet has 8 mg. */
const doses: readonly { readonly quarters: number; readonly quantity: Quantity; readonly words: string }[] = [
  { quarters: 2, quantity: { value: 0.5, unit: 'tablet' }, words: 'half a tablet' },
  { quarters: 4, quantity: { value: 1, unit: 'TAB' }, words: 'one tablet' },
  { quarters: 6, quantity: { value: 1.5, unit: 'Tablets' }, words: '1 1/2 tablets' },
  { quarters: 8, quantity: { value: 16, unit: 'mg' }, words: '2 tablets (16 mg total)' },
  { quarters: 12, quantity: { value: 0.024, unit: 'g' }, words: 'three 8 mg tablets' },
];

type Change = readonly [
  name: string,
  change: (dosages: readonly Dosage[]) => readonly Dosage[],
  isOpen: boolean | number,
];

const each =
  (change: (dosage: Dosage) => Dosage) =>
  (dosages: readonly Dosage[]): readonly Dosage[] =>
    dosages.map(change);
const repeating = (more: NonNullable<Timing['repeat']>) =>
  each((dosage) => ({ ...dosage, timing: { ...dosage.timing, repeat: { ...dosage.timing?.repeat, ...more } } }));

function withCode(timing: Timing | undefined, code: string): Timing {
  const coding = [...(timing?.code?.coding ?? []), ...gts(code).coding];
  return { ...timing, code: { coding } };
}

/**
 * What is put on top: some leave the days as they are, the others open, bound or contradict the dose; a course of so
 * many days agrees with a bottle that lasts as long.
 */
const changes: readonly Change[] = [
  ['nothing', (dosages) => dosages, false],
  ['an entry repeated', (dosages) => [...dosages, ...dosages.map((dosage) => ({ ...dosage, sequence: 2 }))], false],
  ['not as needed', each((dosage) => ({ ...dosage, asNeededBoolean: false })), false],
  ['a start', repeating({ boundsPeriod: { start: '2026-11-21' } }), false],
  [
    'an instruction about food',
    each((dosage) => ({ ...dosage, additionalInstruction: [{ text: 'Take with food' }] })),
    false,
  ],
  [
    'a plain extension of the dose',
    each((dosage) => ({ ...dosage, extension: [{ url: 'urn:x', valueString: 'y' }] })),
    false,
  ],
  ['as needed', each((dosage) => ({ ...dosage, asNeededBoolean: true })), true],
  ['as needed for pain', each((dosage) => ({ ...dosage, asNeededCodeableConcept: { text: 'pain' } })), true],
  ['an end', repeating({ boundsPeriod: { end: '2026-12-01' } }), true],
  ['a course of 5 days', repeating({ boundsDuration: { value: 5, code: 'd' } }), 5],
  ['a count', repeating({ count: 5 }), true],
  ['a greatest frequency', repeating({ frequencyMax: 9 }), true],
  ['a greatest period', repeating({ periodMax: 9 }), true],
  ['days of the week', repeating({ dayOfWeek: ['mon'] }), true],
  ['an extension of meaning', each((dosage) => ({ ...dosage, modifierExtension: [{ url: 'urn:x' }] })), true],
  [
    'another dose',
    (dosages) => [...dosages, ...dosages.map((dosage) => ({ ...dosage, text: 'Take 9 tablets' }))],
    true,
  ],
  ['another frequency in words', each((dosage) => ({ ...dosage, patientInstruction: 'Take it 5 times a day' })), true],
  ['another dose in words', each((dosage) => ({ ...dosage, patientInstruction: 'Take 9 tablets' })), true],
  ['a range in words', each((dosage) => ({ ...dosage, patientInstruction: 'Take 1-2 tablets' })), true],
  ['as needed in words', each((dosage) => ({ ...dosage, patientInstruction: 'Use as needed' })), true],
  ['a change in words', each((dosage) => ({ ...dosage, additionalInstruction: [{ text: 'then stop' }] })), true],
  ['a code of another meaning', each((dosage) => ({ ...dosage, timing: withCode(dosage.timing, 'Q2H') })), true],
];

/** Takes the doses day by day out of a bottle: the days after which it is empty at the end of a period, else none. */
function emptyAfter(bottle: number, dose: number, perDay: readonly number[]): number | undefined {
  let left = bottle;
  for (let day = 0; day <= 366; day += 1) {
    if (left === 0 && day % perDay.length === 0) return day === 0 ? undefined : day;
    left -= dose * (perDay[day % perDay.length] ?? 0);
    if (left < 0) return undefined;
  }
  return undefined;
}

test('over every combination, days are derived exactly when a bottle emptied day by day says so', () => {
  const wrong: string[] = [];
  let derived = 0;
  for (const schedule of schedules)
    for (const dose of doses)
      for (const [name, change, isOpen] of changes)
        for (const isWritten of [true, false])
          for (const quantity of [1, 7, 12, 14, 28, 30, 31, 45, 60, 84, 90, 180, 360, 400]) {
            const text = `Take ${dose.words} by mouth ${schedule.sig}`;
            const plain: Dosage = {
              timing: schedule.timing,
              doseAndRate: [{ doseQuantity: dose.quantity }],
              ...(isWritten ? { text } : {}),
            };
            const supply = { value: quantity, unit: 'tablet', code: '{tbl}' };
            const days = daysOf({ quantity: supply, dosages: change([plain]), strength: { value: 8, unit: 'mg' } });
            const lasting = emptyAfter(4 * quantity, dose.quarters, schedule.perDay);
            const expected = isOpen === false || isOpen === lasting ? lasting : undefined;
            const found = typeof days === 'string' ? undefined : days.days;
            if (found !== undefined) derived += 1;
            if (found !== expected) wrong.push(`${quantity} at "${text}", ${name}: ${found} instead of ${expected}`);
          }
  expect(wrong.slice(0, 20)).toEqual([]);
  expect(derived).toBeGreaterThan(1000);
});

test('of every pair of schedules, directions of one and the timing of another give no days unless both agree', () => {
  const wrong: string[] = [];
  for (const schedule of schedules)
    for (const other of schedules) {
      const days = daysOf({
        quantity: { value: 12, unit: 'tablet' },
        dosages: [
          { timing: schedule.timing, doseAndRate: [{ doseQuantity: { value: 1, unit: 'tablet' } }], text: other.sig },
        ],
      });
      const isSame = `${schedule.perDay}` === `${other.perDay}`;
      if (isSame !== (typeof days !== 'string'))
        wrong.push(`${schedule.sig} and ${other.sig}: ${JSON.stringify(days)}`);
    }
  expect(wrong).toEqual([]);
});
