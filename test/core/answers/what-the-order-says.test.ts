import type {
  DosageDoseAndRate,
  FhirResource,
  MedicationRequest,
  Patient,
  PractitionerRole,
  TimingRepeat,
} from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { answers } from '../../../mappings/index.ts';
import { answerLines } from '../../../src/core/answers/answer-text.ts';
import { answersSheet, type Sheet } from '../../../src/core/answers/sheet.ts';
import { fill, order, sheetChart, subject } from './support.ts';

function sheetOf(drug: string, focal: Partial<MedicationRequest> = {}, resources: readonly FhirResource[] = []): Sheet {
  return answersSheet(answers, sheetChart(drug, resources, { focal }));
}

describe('the drug of the dose', () => {
  test.each([
    ['ferric carboxymaltose 750 mg/15 mL vial', 'ferric carboxymaltose'],
    ['iron sucrose 100 mg/5 mL vial', 'iron sucrose'],
    ['iron dextran 100 mg/2 mL vial', 'iron dextran'],
    ['sodium ferric gluconate complex 62.5 mg/5 mL ampule', 'sodium ferric gluconate complex'],
  ])('%s is %s', (text, drug) => {
    expect(sheetOf(text).cell('dose').value).toMatchObject({ drug });
    expect(sheetOf(text).cell('dose').value).not.toHaveProperty('ordered_as');
  });

  test.each(['Injectafer 750 mg iron/15 mL', 'zorblaxin tartrate foo 5 mg tablet'])(
    'is in the words of the order where a person has yet to say which it is: %s',
    (text) => {
      const { value } = sheetOf(text).cell('dose');
      expect(value).toMatchObject({ ordered_as: text });
      expect(value).not.toHaveProperty('drug');
      expect(answerLines('dose', value)[0]).toMatch(`ordered as “${text}”`);
    },
  );
});

describe('one dose', () => {
  const doseOf = (doseAndRate: DosageDoseAndRate[]) =>
    sheetOf('adalimumab 40 MG/0.8 ML Prefilled Syringe', { dosageInstruction: [{ doseAndRate }] }).cell('dose').value
      ?.doses?.[0]?.dose;
  const of = (value: number, code?: string): DosageDoseAndRate => ({
    ...(code === undefined ? {} : { type: { coding: [{ code }] } }),
    doseQuantity: { value, unit: 'mg' },
  });

  test('that stands there three times is said once', () => {
    expect(doseOf([of(40), of(40), of(40)])).toBe('40 mg');
    expect(doseOf([of(40, 'calculated'), of(40, 'admin-amount'), of(40, 'ordered')])).toBe('40 mg');
    const range = { doseRange: { low: { value: 1, unit: 'tablet' }, high: { value: 2, unit: 'tablet' } } };
    expect(doseOf([range, range])).toBe('1 tablet to 2 tablet');
  });

  test('that was ordered stands before what is calculated or handed out for it', () => {
    expect(doseOf([of(41.3, 'calculated'), of(40, 'ordered')])).toBe('40 mg');
  });

  test('is none of several that differ', () => {
    expect(doseOf([of(40), of(80)])).toBeUndefined();
  });
});

describe('the notes of a resource', () => {
  const adalimumab = 'adalimumab 40 MG/0.8 ML Prefilled Syringe';
  const code = { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M05.79' }], text: 'Arthritis' };
  const named = { reasonReference: [{ reference: 'Condition/c1' }] };
  const condition = (...texts: string[]): FhirResource => ({
    resourceType: 'Condition',
    id: 'c1',
    subject,
    code,
    note: texts.map((text) => ({ text })),
  });

  test('of the condition of the order stand with the diagnosis, but for sensitive words', () => {
    const cell = sheetOf(adalimumab, named, [condition('Erosions in both hands', 'HIV positive')]).cell('diagnosis');
    expect(cell.value).toMatchObject([{ code: 'M05.79', notes: ['Erosions in both hands'] }]);
    expect(cell.places.find(({ target }) => target === 'diagnosis[0].notes[0]')?.source).toEqual({
      resource: 'Condition/c1',
      path: 'Condition.note[0].text',
    });
    expect(answerLines('diagnosis', cell.value)[0]).toMatch('“Erosions in both hands”');
  });

  test('of an allergy stand with it, and those of its reactions', () => {
    const allergy: FhirResource = {
      resourceType: 'AllergyIntolerance',
      id: 'a1',
      patient: subject,
      code: { text: 'Methotrexate' },
      note: [{ text: 'Mouth sores on 10 mg a week' }],
      reaction: [{ manifestation: [{ text: 'Stomatitis' }], description: 'Gone after a week without it' }],
    };
    const { value } = sheetOf(adalimumab, {}, [allergy]).cell('intolerance');
    const notes = ['Mouth sores on 10 mg a week', 'Gone after a week without it'];
    expect(value).toMatchObject([{ reactions: ['Stomatitis'], notes }]);
    const hidden = { ...allergy, note: [{ text: 'Told at the HIV clinic' }] };
    expect(sheetOf(adalimumab, {}, [hidden]).cell('intolerance').value?.[0]?.sensitive).toBeDefined();
  });
});

describe('a fill of the order', () => {
  const product = 'sofosbuvir 400 MG / velpatasvir 100 MG Oral Tablet';
  const of = (id: string) => ({ authorizingPrescription: [{ reference: `MedicationRequest/${id}` }] });
  const ordered = { dispenseRequest: { quantity: { value: 28, unit: 'tablet' } } };
  const quantity = { value: 28, unit: 'tablet' };

  test('is told with its days, which are none of the order', () => {
    const filled = fill('first', product, '2026-11-14', 28, { ...of('focal'), quantity });
    const { value, places } = sheetOf(product, ordered, [filled]).cell('dose');
    expect(value?.dispensed).toEqual([
      { day: '2026-11-14', product, quantity: '28 tablet', days: 28, source: 'MedicationDispense/first' },
    ]);
    expect(value).not.toHaveProperty('days_supply');
    expect(places.find(({ target }) => target === 'dose.dispensed[0].days')?.source).toEqual({
      resource: 'MedicationDispense/first',
      path: 'MedicationDispense.daysSupply',
    });
    expect(answerLines('dose', value).at(-1)).toBe(
      `dispensed on Nov 14, 2026: ${product}; quantity 28 tablets; 28 days`,
    );
  });

  test('is none of another order, though of the same drug', () => {
    const others = [
      fill('other', product, '2026-10-14', 28, of('earlier')),
      fill('unnamed', product, '2026-10-14', 28),
    ];
    expect(sheetOf(product, ordered, [order('earlier', product), ...others]).cell('dose').value).not.toHaveProperty(
      'dispensed',
    );
  });
});

describe('a patient who died', () => {
  const patientOf = (more: Partial<Patient>) =>
    sheetOf('adalimumab', {}, [{ resourceType: 'Patient', id: 'p1', birthDate: '1960-05-10', ...more }]).cell('patient')
      .value;

  test('on a day is said to be deceased, with the age on that day', () => {
    const value = patientOf({ deceasedDateTime: '2025-05-09' });
    expect(value).toMatchObject({ deceased_on: '2025-05-09', age_years: 64 });
    expect(answerLines('patient', value)[0]).toBe('64 years; deceased on May 9, 2025');
  });

  test.each<Partial<Patient>>([{ deceasedBoolean: true }, { deceasedDateTime: '2025' }])(
    'on no day that is known has no age: %j',
    (died) => {
      const value = patientOf(died);
      expect(value).not.toHaveProperty('age_years');
      expect(answerLines('patient', value)[0]).toMatch(/^deceased/);
    },
  );

  test('after the day of the request has a date of birth, as nobody then knew of it', () => {
    const value = patientOf({ deceasedDateTime: '2026-11-22' });
    expect(value).toEqual({ birth_date: '1960-05-10', age_years: 66 });
    expect(patientOf({ deceasedDateTime: '2026-11-21' })).not.toHaveProperty('birth_date');
  });

  test('is none of one who did not', () => {
    expect(patientOf({ deceasedBoolean: false })).toEqual({ birth_date: '1960-05-10', age_years: 66 });
  });
});

describe('the specialty of the prescriber', () => {
  const nucc = 'http://nucc.org/provider-taxonomy';
  const specialtyOf = (role: Partial<PractitionerRole>) =>
    sheetOf('adalimumab', { requester: { reference: 'PractitionerRole/pr1' } }, [
      { resourceType: 'PractitionerRole', id: 'pr1', ...role },
    ]).cell('specialty').value;

  test.each([
    ...[
      'Doctor',
      'Physician',
      'Nurse practitioner',
      'Nurse Practitioner (NP)',
      'MD',
      'M.D.',
      'PA-C',
      'Physician Assistant',
    ],
    ...[
      'Attending physician',
      'APRN',
      'Registered nurse',
      'Provider',
      'Prescriber',
      'Healthcare professional',
      'Resident',
    ],
    ...['Advanced practice provider', 'Clinician', 'Specialist', 'Ordering Provider', 'Pharmacist'],
  ])('is no role or degree: %s', (text) => {
    expect(specialtyOf({ code: [{ text }] })).toBeUndefined();
    expect(specialtyOf({ specialty: [{ text }] })).toBeUndefined();
    expect(specialtyOf({ code: [{ coding: [{ display: text }] }] })).toBeUndefined();
  });

  test.each(['Rheumatologist', 'Dermatology nurse practitioner', 'Internal Medicine Physician', 'Family medicine'])(
    'is in words that name one: %s',
    (text) => {
      expect(specialtyOf({ code: [{ text }] })).toEqual({ text });
    },
  );

  test('is no code of a role', () => {
    const system = 'http://terminology.hl7.org/CodeSystem/practitioner-role';
    expect(specialtyOf({ code: [{ coding: [{ system, code: 'doctor' }] }] })).toBeUndefined();
    expect(specialtyOf({ code: [{ coding: [{ system: nucc, code: '363L00000X' }] }] })).toBeUndefined();
  });

  test('is the code beside the word of a role, and the specialty behind it', () => {
    const coding = [{ system: nucc, code: '207RR0500X', display: 'Rheumatology Physician' }];
    expect(specialtyOf({ code: [{ text: 'Physician', coding }] })).toEqual({
      text: 'Rheumatology Physician',
      nucc: '207RR0500X',
    });
    expect(specialtyOf({ specialty: [{ text: 'Physician' }, { text: 'Rheumatology' }] })).toEqual({
      text: 'Rheumatology',
    });
  });
});

describe('the dose reads as staff write it', () => {
  test('of a taper the length is that of all its steps', () => {
    const doses = [{ dose: '3 tablet' }, { dose: '2 tablet' }, { dose: '1 tablet' }];
    const told = { doses, quantity: '84 tablet', days_supply: 42, refills: 0, length: '42 days' };
    expect(answerLines('dose', { directions: 'Take 3 tablets, then 2, then 1.', ...told })).toEqual([
      'Take 3 tablets, then 2, then 1; 3 tablets, 2 tablets, 1 tablet; quantity 84 tablets; 42 days; 0 refills; ' +
        'for 42 days',
    ]);
  });

  test('the end of a sentence does not stand before a semicolon; a short form keeps its own', () => {
    const doses = [{ dose: '40 mg' }];
    expect(answerLines('dose', { directions: 'Inject every other week.', doses, length: '90 d' })).toEqual([
      'Inject every other week; 40 mg; for 90 d',
    ]);
    expect(answerLines('dose', { directions: 'Take 1 tablet b.i.d.', doses })).toEqual(['Take 1 tablet b.i.d.; 40 mg']);
  });
});

describe('the length of therapy', () => {
  const prednisone = 'prednisone 5 MG Oral Tablet';
  type Step = readonly [sequence: number | undefined, bounds: TimingRepeat, text?: string];
  const lengthOf = (...steps: readonly Step[]) =>
    sheetOf(prednisone, {
      dosageInstruction: steps.map(([sequence, repeat, text = `Take ${JSON.stringify(repeat)}`], at) => ({
        ...(sequence === undefined ? {} : { sequence }),
        text: `${text} (${at + 1})`,
        timing: { repeat },
      })),
    }).cell('dose').value?.length;
  const days = (value: number): TimingRepeat => ({ boundsDuration: { value, unit: 'days', code: 'd' } });
  const weeks = (value: number): TimingRepeat => ({ boundsDuration: { value, unit: 'weeks', code: 'wk' } });
  const months = (value: number): TimingRepeat => ({ boundsDuration: { value, unit: 'months', code: 'mo' } });
  const period = (start?: string, end?: string): TimingRepeat => ({
    boundsPeriod: { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) },
  });

  test.each<[string, Step[], string | undefined]>([
    ['of one dose as it stands there', [[undefined, weeks(6)]], '6 weeks'],
    [
      'of steps one after the other is their sum',
      [
        [2, days(14)],
        [1, days(7)],
        [3, days(21)],
      ],
      '42 days',
    ],
    [
      'of weeks and days is in days',
      [
        [1, weeks(2)],
        [2, days(5)],
      ],
      '19 days',
    ],
    [
      'of doses at the same time is that of the longest',
      [
        [1, days(30)],
        [1, days(10)],
      ],
      '30 days',
    ],
    [
      'of two at a time and a third then',
      [
        [1, days(30)],
        [1, days(10)],
        [2, days(5)],
      ],
      '35 days',
    ],
    [
      'of steps that say “then”',
      [
        [undefined, days(14)],
        [undefined, days(7), 'Then take 1'],
      ],
      '21 days',
    ],
    [
      'is unknown where nothing says what comes first',
      [
        [undefined, days(14)],
        [undefined, days(7)],
      ],
      undefined,
    ],
    [
      'is unknown where a step has no end',
      [
        [1, days(14)],
        [2, {}],
      ],
      undefined,
    ],
    [
      'is unknown of months and days',
      [
        [1, months(1)],
        [2, days(5)],
      ],
      undefined,
    ],
    [
      'of months is their sum',
      [
        [1, months(1)],
        [2, months(2)],
      ],
      '3 months',
    ],
    [
      'of dates is from the first start to the last end',
      [
        [1, period('2026-11-01', '2026-11-14')],
        [2, period('2026-11-15', '2026-11-28')],
      ],
      '28 days',
    ],
    [
      'is unknown where a date is missing',
      [
        [1, period('2026-11-01', '2026-11-14')],
        [2, period('2026-11-15')],
      ],
      undefined,
    ],
    [
      'is unknown where a date is a month',
      [
        [1, period('2026-11-01', '2026-11-14')],
        [2, period('2026-11', '2026-12')],
      ],
      undefined,
    ],
  ])('%s', (_title, steps, length) => {
    expect(lengthOf(...steps)).toBe(length);
  });
});
