import type { AllergyIntolerance, Condition, FhirResource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { dayAfter } from '../../../src/core/fhir/time/calendar-days.ts';
import { isWithin } from '../../../src/core/mapping/target.ts';
import { chartNames, readChart, sheetOf } from './chart-truth.ts';
import { fill, given, observed, order, sheetFor, statement, subject } from './support.ts';

const adalimumab = 'adalimumab 40 MG/0.8 ML Prefilled Syringe';
const methotrexate = 'methotrexate 2.5 MG Oral Tablet';

// Charts are read on Nov 21, 2026, in Chicago.
const sheet = (resources: readonly FhirResource[], request: Parameters<typeof sheetFor>[2] = {}) =>
  sheetFor(adalimumab, resources, request);

const crp = { valueQuantity: { value: 12, unit: 'mg/L' } };
const allergy = (more: Partial<AllergyIntolerance>): AllergyIntolerance => ({
  resourceType: 'AllergyIntolerance',
  id: 'a1',
  patient: subject,
  category: ['medication'],
  code: { text: 'methotrexate' },
  ...more,
});

describe('what is dated after the day of the request counts nowhere', () => {
  test.each<[string, FhirResource]>([
    ['an order', order('o1', methotrexate, { authoredOn: '2026-11-22' })],
    ['a statement of a later time', statement('s1', methotrexate, { effectivePeriod: { start: '2026-12' } })],
    ['a statement that was made later', statement('s1', methotrexate, { dateAsserted: '2026-11-22' })],
    ['a dispense', fill('d1', methotrexate, '2026-11-22', 28)],
    ['a dispense of the ordered drug', fill('d1', adalimumab, '2026-11-22', 28)],
    ['an order of the ordered drug', order('o1', adalimumab, { authoredOn: '2026-11-22' })],
    ['a dose', given('g1', 'infliximab', '2026-11-22')],
    ['a result', observed('c1', '1988-5', { ...crp, effectiveDateTime: '2026-11-22' })],
    ['a result of a later month', observed('c1', '1988-5', { ...crp, effectiveDateTime: '2026-12' })],
    ['a result that was issued later', observed('c1', '1988-5', { ...crp, issued: '2026-11-23T10:00:00Z' })],
    [
      'a report',
      {
        ...{ resourceType: 'DiagnosticReport', id: 'r1', status: 'final', subject, code: { text: 'Chest x-ray' } },
        ...{ effectiveDateTime: '2026-11-22', conclusion: 'Clear lungs.' },
      },
    ],
    ['an allergy that was recorded later', allergy({ recordedDate: '2026-11-22', onsetDateTime: '2020' })],
    ['a death', { resourceType: 'Patient', id: 'p1', deceasedDateTime: '2026-11-22' }],
  ])('%s', (_, later) => {
    const before = later.resourceType === 'Patient' ? [{ resourceType: 'Patient', id: 'p1' } as const] : [];
    expect(sheet([later])).toEqual(sheet(before));
  });

  test('the day is that of the site: 3 a.m. of Nov 22 in London is Nov 21 in Chicago', () => {
    const result = observed('c1', '1988-5', { ...crp, effectiveDateTime: '2026-11-22T03:00:00Z' });
    expect(sheet([result]).tests?.results).toMatchObject([{ source: 'Observation/c1', age_days: 0 }]);
  });

  test('an end that was told later, with its reason; one that is planned stays', () => {
    const told = (status: 'stopped' | 'active') =>
      statement('s1', methotrexate, {
        status,
        effectivePeriod: { start: '2026-03-03', end: '2026-12-31' },
        statusReason: [{ text: 'Nausea' }],
      });
    const [ended = {}] = sheet([told('stopped')]).trials ?? [];
    expect(ended).toMatchObject({ first: '2026-03-03', proof: 'stated' });
    for (const element of ['last', 'stopped', 'reasons', 'outcome', 'remark', 'about_days'])
      expect(ended).not.toHaveProperty(element);
    expect(sheet([told('active')]).trials).toMatchObject([{ last: '2026-12-31' }]);
  });

  test('a note of a later day, while those beside it keep their places', () => {
    const note = [
      { time: '2026-12-01', text: 'Stopped for nausea' },
      { time: '2025-06-01', text: 'Did not help' },
    ];
    const [row] = sheet([order('o1', methotrexate, { status: 'stopped', note })]).trials ?? [];
    expect(row).toMatchObject({ reasons: ['Did not help'], outcome: ['inadequate response'] });
  });

  test('a problem that was recorded later, unless the order names it', () => {
    const coding = [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M06.9' }];
    const problem: Condition = {
      ...{ resourceType: 'Condition', id: 'ra', subject, code: { coding }, recordedDate: '2026-12-01' },
      clinicalStatus: { coding: [{ code: 'active' }] },
    };
    const site = { diagnoses: 'accept-single' } as const;
    expect(sheet([problem], { site }).diagnosis).toBeUndefined();
    const earlier = { ...problem, recordedDate: '2026-11-01' };
    expect(sheet([earlier], { site }).diagnosis).toMatchObject([{ code: 'M06.9', recorded: '2026-11-01' }]);
    const focal = { reasonReference: [{ reference: 'Condition/ra' }] };
    expect(sheet([problem], { focal }).diagnosis).toEqual([{ code: 'M06.9', text: 'M06.9' }]);
  });
});

test('an allergy that was recorded by then counts, whenever it last occurred', () => {
  const known = allergy({ recordedDate: '2020-01-05', lastOccurrence: '2027-01-01' });
  expect(sheet([known]).intolerance).toMatchObject([{ substance: 'methotrexate', recorded: '2020-01-05' }]);
});

test.each(chartNames)('chart %s, read 150 days before, shows nothing of a later date', (name) => {
  const { bundle, truth } = readChart(name);
  const day = dayAfter(truth.today, -150);
  const later = sheetOf(bundle, day).cells.flatMap(({ places }) =>
    // What the order itself is for, it says.
    places.filter(
      ({ target, date = '', source }) =>
        date > day && source?.resource !== 'MedicationRequest/order' && !isWithin(target, 'diagnosis'),
    ),
  );
  expect(later).toEqual([]);
});
