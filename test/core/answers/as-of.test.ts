import type { FhirResource, MedicationStatement } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { answerLines, trialText } from '../../../src/core/answers/answer-text.ts';
import { fill, order, sheetFor, statement, subject } from './support.ts';

// What was said or supplied long ago is told as of its day. The request is of Nov 21, 2026; 90 days before is Aug 23.

const drug = 'adalimumab 40 MG/0.8 ML Prefilled Syringe';
const methotrexate = 'methotrexate 2.5 MG Oral Tablet';

const told = (text: string, more: Partial<MedicationStatement>) =>
  statement('s1', text, { status: 'active', effectivePeriod: { start: '2018-05-01' }, ...more });

const sheet = (...resources: readonly FhirResource[]) => sheetFor(drug, resources);

describe('a statement that the ordered drug is taken', () => {
  test.each<[string, Partial<MedicationStatement>]>([
    ['of these days', { dateAsserted: '2026-08-23' }],
    ['of this year', { dateAsserted: '2026' }],
    ['of no date', {}],
  ])('%s says that it is taken now', (_of, more) => {
    expect(sheet(told(drug, more)).therapy).toMatchObject({
      status: 'continuing',
      basis: 'the chart says that it is taken now',
    });
  });

  test.each<[string, Partial<MedicationStatement>, string]>([
    ['the day before the window', { dateAsserted: '2026-08-22' }, 'Aug 22, 2026'],
    ['years ago', { dateAsserted: '2019-03-04T10:00:00-06:00' }, 'Mar 4, 2019'],
    ['of a year', { dateAsserted: '2019' }, '2019'],
    ['for a moment years ago', { effectivePeriod: undefined, effectiveDateTime: '2019-03-04' }, 'Mar 4, 2019'],
    [
      'years ago, until a day to come',
      { dateAsserted: '2019-03-04', effectivePeriod: { start: '2019-01-01', end: '2027-01-01' } },
      'Mar 4, 2019',
    ],
  ])('of %s says it as of that day', (_of, more, day) => {
    const { therapy } = sheet(told(drug, more));
    expect(therapy).toMatchObject({ basis: `it is told to be taken as of ${day}; nothing newer says so` });
    expect(therapy).not.toHaveProperty('status');
  });

  test('is older than the supply behind it, which says until when', () => {
    const { therapy } = sheet(told(drug, { dateAsserted: '2019-03-04' }), fill('d1', drug, '2024-01-01', 28));
    expect(therapy).toMatchObject({ status: 'used earlier', last_covered: '2024-01-28' });
  });
});

describe('a trial', () => {
  test('that was told of long ago is not still taken', () => {
    const [row] = sheet(told(methotrexate, { dateAsserted: '2019-03-04' })).trials ?? [];
    expect(row).not.toHaveProperty('outcome');
    expect(row).toMatchObject({ as_of: '2019-03-04' });
    expect(trialText(row ?? {})).toMatch(/; taken as of Mar 4, 2019$/);
    expect(sheet(told(methotrexate, {})).trials).toMatchObject([{ outcome: ['still taken'] }]);
  });

  test('whose supply ended long ago is not still taken, whatever stands as active', () => {
    const active = order('r1', methotrexate, { status: 'active', authoredOn: '2019-01-01' });
    const [row] = sheet(active, fill('d1', methotrexate, '2019-01-02', 30)).trials ?? [];
    expect(row).not.toHaveProperty('outcome');
    expect(row).toMatchObject({ as_of: '2019-01-31' });
  });

  // A fill of Nov 21 behind supply to Oct 21 comes after 30 days without: it is of the same trial. Behind supply to Oct
  // 20 it begins another, so that one is over.
  test.each([
    ['2026-09-22', '2026-10-21', undefined],
    ['2026-09-21', '2026-10-20', '2026-10-20'],
    ['2026-08-01', '2026-08-30', '2026-08-30'],
  ])('whose supply from %s ended %s is told as of %s', (day, last, asOf) => {
    const active = order('r1', methotrexate, { status: 'active', authoredOn: '2026-08-01' });
    const [row] = sheet(active, fill('d1', methotrexate, day, 30)).trials ?? [];
    expect(row?.last).toBe(last);
    expect(row?.as_of).toBe(asOf);
    expect(row?.outcome).toEqual(asOf === undefined ? ['still taken'] : undefined);
  });

  test('whose supply ended is still taken where somebody says so, or a later fill may last', () => {
    const supplied = fill('d1', methotrexate, '2026-08-01', 30);
    const active = order('r1', methotrexate, { status: 'active' });
    for (const sign of [told(methotrexate, { dateAsserted: '2026-10-01' }), fill('d2', methotrexate, '2026-09-15')])
      expect(sheet(active, supplied, sign).trials).toMatchObject([{ outcome: ['still taken'] }]);
  });
});

test('a dose that lasts half a year is no sign of long ago', () => {
  const given: FhirResource = {
    resourceType: 'MedicationAdministration',
    id: 'g1',
    status: 'completed',
    subject,
    medicationCodeableConcept: { text: 'infliximab 100 MG Injection' },
    effectiveDateTime: '2026-06-01',
    dosage: { text: '400 mg every 6 months' },
  };
  const { trials: rows, concurrent: others } = sheet(given);
  expect(rows).toMatchObject([{ outcome: ['still taken'], dose_interval: '6 months' }]);
  for (const row of [rows?.[0], others?.[0]]) expect(row).not.toHaveProperty('as_of');
});

describe('another drug that is taken now', () => {
  const concurrent = (...resources: readonly FhirResource[]) => sheet(...resources).concurrent;

  test('has the day as of which that is said, where it is long ago', () => {
    const rows = concurrent(told(methotrexate, { dateAsserted: '2019-03-04' }));
    expect(rows).toMatchObject([{ since: '2018-05-01', as_of: '2019-03-04' }]);
    expect(answerLines('concurrent', rows)[0]).toContain('since May 1, 2018; as of Mar 4, 2019');
    expect(concurrent(told(methotrexate, {}))?.[0]).not.toHaveProperty('as_of');
  });

  test('by an order of long ago has its day', () => {
    const rows = concurrent(order('r1', methotrexate, { status: 'active', authoredOn: '2019-01-01' }));
    expect(rows).toMatchObject([{ ordered: '2019-01-01', as_of: '2019-01-01' }]);
  });

  test.each([
    // Oct 21 is 31 days before the request: a fill of today would still belong to the trial.
    ['2026-09-22', undefined],
    ['2026-09-21', '2026-10-20'],
  ])('and its trial have the same day of supply that ended a gap ago: of a fill of %s', (day, asOf) => {
    const active = order('r1', methotrexate, { status: 'active', authoredOn: '2026-03-01' });
    const { trials: rows, concurrent: others } = sheet(active, fill('d1', methotrexate, day, 30));
    expect([rows?.[0]?.as_of, others?.[0]?.as_of]).toEqual([asOf, asOf]);
  });

  test('by an order of these days has none, though its supply of long ago is all that the chart has', () => {
    const active = order('r1', methotrexate, { status: 'active', authoredOn: '2026-10-01' });
    expect(concurrent(active, fill('d1', methotrexate, '2019-01-02', 30))?.[0]).not.toHaveProperty('as_of');
  });

  test('has no day since when, where fills do not say how long they last: nobody knows of gaps', () => {
    const active = order('r1', methotrexate, { status: 'active', authoredOn: '2019-01-01' });
    const [row] =
      concurrent(active, fill('d1', methotrexate, '2019-01-02'), fill('d2', methotrexate, '2026-11-01')) ?? [];
    expect(row).not.toHaveProperty('since');
    expect(row).toMatchObject({ supplied: '2026-11-01' });
    expect(answerLines('concurrent', row === undefined ? [] : [row])[0]).toContain(
      'last dispensed or given Nov 1, 2026',
    );
  });

  test('has it where every fill but the last says it, or somebody tells since when', () => {
    const measured = concurrent(
      order('r1', methotrexate, { status: 'active' }),
      fill('d1', methotrexate, '2026-09-01', 60),
      fill('d2', methotrexate, '2026-11-01'),
    );
    expect(measured).toMatchObject([{ since: '2026-09-01' }]);
    const said = told(methotrexate, { dateAsserted: '2026-11-01' });
    const rows = concurrent(said, fill('d1', methotrexate, '2019-01-02'), fill('d2', methotrexate, '2026-11-01'));
    expect(rows).toMatchObject([{ since: '2018-05-01' }]);
  });
});

describe('the response', () => {
  const count = (id: string, effectiveDateTime: string, value: number): FhirResource => ({
    resourceType: 'Observation',
    id,
    status: 'final',
    subject,
    category: [{ coding: [{ code: 'laboratory' }] }],
    code: { text: 'C-reactive protein' },
    valueQuantity: { value, unit: 'mg/L' },
    effectiveDateTime,
  });
  const rowOf = (...days: readonly string[]) =>
    sheetFor(
      drug,
      [
        count('n0', '2025-01-01', 40),
        ...days.map((day, index) => count(`n${index + 1}`, day, 10 + index)),
        // covered Jan 6 to Mar 6, 2025, and from Nov 1, 2025 on
        fill('d1', drug, '2025-01-06', 60),
        fill('d2', drug, '2025-11-01', 365),
      ],
      { site: { answers: { longestGap: 30 } } },
    ).response?.[0];

  // 30 days after Mar 6 is Apr 5
  test.each(['2025-04-05', '2025-11-02'])('that was measured on %s was measured while it was taken', (day) => {
    expect(rowOf(day)).toMatchObject({ now: { date: day } });
    expect(rowOf(day)).not.toHaveProperty('without_supply');
  });

  test.each(['2025-04-06', '2025-10-31', '2025-11-01'])('that was measured on %s says in which gap', (day) => {
    const row = rowOf(day);
    expect(row).toMatchObject({ now: { date: day }, without_supply: { from: '2025-03-07', to: '2025-10-31' } });
    expect(answerLines('response', row === undefined ? [] : [row])[0]).toMatch(
      /, without supply from Mar 7, 2025 to Oct 31, 2025$/,
    );
  });

  test('is that which was measured while it was taken, where there is one', () => {
    const row = rowOf('2025-10-31', '2025-02-01');
    expect(row).toMatchObject({ now: { date: '2025-02-01' } });
    expect(row).not.toHaveProperty('without_supply');
  });
});
