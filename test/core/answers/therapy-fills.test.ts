import { describe, expect, test } from 'vitest';
import { fill, order, resultFor, sheetFor, statement } from './support.ts';

const drug = 'adalimumab 40 MG/0.8 ML Prefilled Syringe';

const placesOf = (...args: Parameters<typeof resultFor>) =>
  new Map(resultFor(...args).provenance.map((one) => [one.target, one]));

describe('the fills of the ordered drug', () => {
  test('stand each with day, supply and source, so that the days covered can be counted again', () => {
    const { therapy } = sheetFor(drug, [fill('d1', drug, '2026-09-01', 28), fill('d2', drug, '2026-11-10', 28)]);
    expect(therapy?.fills).toEqual([
      { day: '2026-09-01', days: 28, product: drug, source: 'MedicationDispense/d1' },
      { day: '2026-11-10', days: 28, product: drug, source: 'MedicationDispense/d2' },
    ]);
    // 28 days in September, and Nov 10 to 21
    expect(therapy?.days_covered).toBe(40);
  });

  test('last until the true end of their supply, also behind the day of the request', () => {
    // 28 days from Nov 10
    expect(sheetFor(drug, [fill('d1', drug, '2026-11-10', 28)]).therapy).toMatchObject({
      last_covered: '2026-12-07',
      days_covered: 12,
    });
  });
});

describe('a time without supply', () => {
  const chart = [
    fill('d1', drug, '2026-01-01', 28),
    fill('d2', drug, '2026-04-01', 28),
    fill('d3', drug, '2026-10-30', 28),
  ];

  test('names the fills that bound it, and is read from them', () => {
    // Jan 29 to Mar 31: 62 days; Apr 29 to Oct 29: 184 days
    expect(sheetFor(drug, chart).therapy?.gaps).toEqual([
      { from: '2026-01-29', to: '2026-03-31', days: 62, sources: ['MedicationDispense/d1', 'MedicationDispense/d2'] },
      { from: '2026-04-29', to: '2026-10-29', days: 184, sources: ['MedicationDispense/d2', 'MedicationDispense/d3'] },
    ]);
    const places = placesOf(drug, chart);
    expect(places.get('therapy.gaps[0].from')).toMatchObject({
      kind: 'derived',
      source: { resource: 'MedicationDispense/d1', path: 'MedicationDispense.daysSupply' },
    });
    expect(places.get('therapy.gaps[0].to')?.source?.resource).toBe('MedicationDispense/d2');
  });

  test('up to the day of the request is one, where a fill of today would be another trial', () => {
    // until Oct 20; a fill of Nov 21 would be after 31 days without, one more than a gap may last
    const { therapy } = sheetFor(drug, [fill('d1', drug, '2026-09-23', 28)]);
    expect(therapy).toMatchObject({
      status: 'continuing',
      gaps: [{ from: '2026-10-21', to: '2026-11-21', days: 32, sources: ['MedicationDispense/d1'] }],
    });
  });

  test.each([
    ['a fill of today were still of the trial', [fill('d1', drug, '2026-09-24', 28)]],
    [
      'somebody tells that it is taken',
      [fill('d1', drug, '2026-09-23', 28), statement('s1', drug, { status: 'active', effectivePeriod: {} })],
    ],
  ])('up to the day is none where %s', (_what, resources) => {
    expect(sheetFor(drug, resources).therapy).not.toHaveProperty('gaps');
  });
});

test('a pack of two strengths is what an order of one of them was taken as', () => {
  const kit = fill('d1', 'rivaroxaban starter pack', '2026-10-29', 30, {
    medicationCodeableConcept: {
      text: 'rivaroxaban starter pack',
      coding: [
        {
          system: 'http://www.nlm.nih.gov/research/umls/rxnorm',
          code: '1549683',
          display: '{42 (rivaroxaban 15 MG Oral Tablet) / 9 (rivaroxaban 20 MG Oral Tablet) } Pack [Xarelto Kit]',
        },
      ],
    },
  });
  expect(sheetFor('rivaroxaban 20 mg tablet', [kit]).therapy).toMatchObject({ taken_as: ['rivaroxaban starter pack'] });
});

describe('the last day of a trial', () => {
  const other = 'etanercept 50 MG/ML Auto-Injector';

  test('that is worked out from a supply is marked so, and one that is stated is not', () => {
    const filled = placesOf(drug, [fill('d1', other, '2026-01-01', 28)]);
    expect(filled.get('trials[0].last')).toMatchObject({ kind: 'derived' });
    const told = placesOf(drug, [statement('s1', other)]);
    expect(told.get('trials[0].last')).toMatchObject({ kind: 'chart' });
  });
});

test('what is taken now says what shows it', () => {
  const etanercept = 'etanercept 50 MG/ML Auto-Injector';
  const active = order('r1', etanercept, { status: 'active' });
  expect(sheetFor(drug, [active]).concurrent).toMatchObject([{ proof: 'ordered, not proved taken' }]);
  expect(sheetFor(drug, [active, fill('d1', etanercept, '2026-11-01', 28)]).concurrent).toMatchObject([
    { proof: 'dispensed' },
  ]);
});
