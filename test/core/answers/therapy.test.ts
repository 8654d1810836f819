import type { FhirResource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { fill, order, sheetFor, statement, subject } from './support.ts';

const drug = 'adalimumab 40 MG/0.8 ML Prefilled Syringe';

type Request = Parameters<typeof sheetFor>[2];

const therapy = (resources: readonly FhirResource[], request: Request = {}) =>
  sheetFor(drug, resources, request).therapy;

describe('the ordered drug', () => {
  test('is new where the chart has nothing earlier of it, and that is said', () => {
    expect(therapy([])).toEqual({
      status: 'new',
      basis: 'the chart has no earlier order, statement, dispense or dose of it',
    });
  });

  test('of which not all was read is not known to be new', () => {
    expect(therapy([], { unread: ['MedicationDispense'] })).toBeUndefined();
  });

  test('is continued where supply covered a day in the last 90 days', () => {
    // 28 days from Aug 1 cover Aug 28; Nov 21 is 85 days later
    expect(therapy([fill('d1', drug, '2026-08-01', 28)])).toMatchObject({
      status: 'continuing',
      since: '2026-08-01',
      last_covered: '2026-08-28',
      days_covered: 28,
    });
  });

  test('was used earlier where it is longer ago', () => {
    const chart = [fill('d1', drug, '2026-07-01', 28)];
    expect(therapy(chart)).toMatchObject({ status: 'used earlier', since: '2026-07-01', last_covered: '2026-07-28' });
    expect(therapy(chart, { site: { answers: { continuingDays: 120 } } })).toMatchObject({ status: 'continuing' });
  });

  test('is continued where the patient says so, whatever its brand is called', () => {
    const told = statement('s1', 'Humira', { status: 'active', effectivePeriod: { start: '2025-12' } });
    expect(therapy([told])).toMatchObject({ status: 'continuing', since: '2025-12' });
  });

  test('was only ordered before where nothing shows that it was taken', () => {
    expect(therapy([order('r1', drug)])).toMatchObject({ status: 'ordered earlier' });
  });

  test('that was begun on samples is new', () => {
    const sample = fill('d1', drug, '2026-11-01', 14, { type: { coding: [{ code: 'MS' }] } });
    expect(therapy([sample])).toMatchObject({ status: 'new', samples: 'samples were given; they are no beginning' });
  });

  test('that is told of without an end covers no day behind the last dispense', () => {
    const told = statement('s1', drug, { status: 'active', effectivePeriod: { start: '2026-07-01' } });
    // Jul 1 to Aug 31 are told, Sep 1 to Sep 28 dispensed: 31 + 31 + 28 days
    expect(therapy([told, fill('d1', drug, '2026-09-01', 28)])).toMatchObject({
      since: '2026-07-01',
      last_covered: '2026-09-28',
      days_covered: 90,
    });
  });

  test('has its gaps told', () => {
    // Jan 1 to Jan 28, then from Apr 1: Jan 29 to Mar 31 are 62 days
    const chart = [fill('d1', drug, '2026-01-01', 28), fill('d2', drug, '2026-04-01', 200)];
    expect(therapy(chart)).toMatchObject({ gaps: [{ from: '2026-01-29', to: '2026-03-31', days: 62 }] });
  });

  test('that was given is continued', () => {
    const given: FhirResource = {
      resourceType: 'MedicationAdministration',
      id: 'a1',
      status: 'completed',
      subject,
      medicationCodeableConcept: { text: drug },
      effectiveDateTime: '2026-10-01T09:00:00-05:00',
    };
    expect(therapy([given])).toMatchObject({ status: 'continuing', last_covered: '2026-10-01' });
  });

  test('of another patient, entered in error or never taken is none', () => {
    const chart = [
      fill('d1', drug, '2026-10-01', 28, { subject: { reference: 'Patient/p2' } }),
      fill('d2', drug, '2026-10-01', 28, { status: 'entered-in-error' }),
      statement('s1', drug, { status: 'not-taken' }),
    ];
    expect(therapy(chart)).toMatchObject({ status: 'new' });
  });
});
