import type { MedicationRequest, Patient } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { selectChart } from '../../src/chart/select.ts';

const now = new Date('2026-11-21T15:00:00Z');
const site = { timeZone: 'America/New_York' };

function questionsOf(role: string, birthDate?: string, authoredOn?: string): string[] {
  const patient: Patient = { resourceType: 'Patient', id: 'p1', ...(birthDate === undefined ? {} : { birthDate }) };
  const order: MedicationRequest = {
    resourceType: 'MedicationRequest',
    id: 'o1',
    status: 'active',
    intent: 'order',
    subject: { reference: 'Patient/p1' },
    ...(authoredOn === undefined ? {} : { authoredOn }),
  };
  const chart = selectChart([patient, order], { roles: mappings.roles, order: 'MedicationRequest/o1', now, site });
  return chart.questions([role]).map(({ message }) => message);
}

describe('V15: implausible dates are told', () => {
  test.each([
    ['2030-01-01', ['The birth date is in the future.']],
    ['2026-11-22', ['The birth date is in the future.']],
    ['2026-11-21', []],
    ['1800-05-05', ['The birth date is before 1900.']],
    ['0001-01-01', ['The birth date is before 1900.']],
    ['1900-01-01', []],
    ['1980', []],
    ['unknown', []],
    [undefined, []],
  ])('birth date %s: %j', (birthDate, expected) => {
    expect(questionsOf('patient', birthDate)).toEqual(expected);
  });

  test.each([
    ['2031-01-01', ['The order is dated in the future.']],
    ['2026-11-21', []],
    ['2026-11-21T10:01:00-05:00', ['The order is dated in the future.']],
    ['2026-11-21T10:00:00-05:00', []],
    ['2025-01-01T00:00:00Z', []],
  ])('prescription date %s: %j', (authoredOn, expected) => {
    expect(questionsOf('order', undefined, authoredOn)).toEqual(expected);
  });
});
