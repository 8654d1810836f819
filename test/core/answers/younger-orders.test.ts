import { describe, expect, test } from 'vitest';
import { order, sheetFor } from './support.ts';

const tablet = 'furosemide 40 MG Oral Tablet';
const vial = '10 ML Furosemide 10 MG/ML Injection';
const ofDay = (id: string, authoredOn: string) => order(id, vial, { authoredOn });

// The order itself is of Nov 12, 2026.
describe('an order of the same drug', () => {
  test.each([
    ['younger than this one', '2026-11-13'],
    ['of the same day', '2026-11-12'],
  ])('that is %s leaves the drug new', (_what, day) => {
    expect(sheetFor(tablet, [ofDay('r1', day)]).therapy).toMatchObject({
      status: 'new',
      basis: 'the chart has no earlier order, statement, dispense or dose of it',
    });
  });

  test('that is younger than an old order leaves open whether that was taken', () => {
    const { therapy } = sheetFor(tablet, [ofDay('r1', '2026-11-01')], { focal: { authoredOn: '2026-05-23' } });
    expect(therapy).toEqual({
      basis: 'ordered May 23, 2026; no dispense, dose or statement shows whether it was taken',
    });
  });

  test('that is older is its first order, whatever stands behind it', () => {
    const { therapy } = sheetFor(tablet, [ofDay('r1', '2026-11-20'), ofDay('r2', '2026-01-09')]);
    expect(therapy).toMatchObject({ status: 'ordered earlier', sources: ['MedicationRequest/r2'] });
    expect(therapy?.basis).toMatch(/^it was first ordered on Jan 9, 2026, as 10 ML Furosemide/);
  });
});
