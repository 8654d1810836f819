import type { MedicationRequest, Patient } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import type { Edits } from '../../src/core/mapping/result.ts';
import { runMapping } from '../../src/core/mapping/run/run.ts';
import type { Mapping } from '../../src/core/mapping/words/define.ts';
import type { Chart } from '../../src/core/roles/chart.ts';
import { selectChart } from '../../src/core/roles/select.ts';

const now = new Date('2026-11-21T15:00:00Z');
const site = { timeZone: 'America/New_York' };

function chartOf(birthDate?: string, authoredOn?: string): Chart {
  const patient: Patient = { resourceType: 'Patient', id: 'p1', ...(birthDate === undefined ? {} : { birthDate }) };
  const order: MedicationRequest = {
    resourceType: 'MedicationRequest',
    id: 'o1',
    status: 'active',
    intent: 'order',
    subject: { reference: 'Patient/p1' },
    ...(authoredOn === undefined ? {} : { authoredOn }),
  };
  return selectChart([patient, order], { roles: mappings.roles, order: 'MedicationRequest/o1', now, site });
}

function birthDateGaps(mapping: Mapping<never>, chart: Chart, edits: Edits = {}): [string, string][] {
  return runMapping(mapping, chart, { edits })
    .gaps.filter(({ target, reason }) => target === 'patient.date_of_birth' && reason !== 'missing')
    .map(({ severity, message }) => [severity, message]);
}

// only their gaps are read
const both = [mappings['prior-auth']['prior-auth'], mappings.enrollment.enrollment] as unknown as Mapping<never>[];

describe('V15: implausible dates are asked [K5]', () => {
  test.each([
    ['2030-01-01', ['The birth date is in the future. Enter the right one.']],
    ['2026-11-22', ['The birth date is in the future. Enter the right one.']],
    ['2026-11-21', []],
    ['1800-05-05', ['The birth date is before 1900. Enter the right one, or confirm it as it stands.']],
    ['0001-01-01', ['The birth date is before 1900. Enter the right one, or confirm it as it stands.']],
    ['1900-01-01', []],
    ['1980', []],
    ['unknown', []],
    [undefined, []],
  ])('birth date %s: %j', (birthDate, expected) => {
    for (const mapping of both) {
      const told = birthDateGaps(mapping, chartOf(birthDate)).filter(([severity]) => severity === 'blocks');
      expect(told.map(([, message]) => message).filter((message) => message.startsWith('The birth date'))).toEqual(
        expected,
      );
    }
  });

  test.each([
    ['2031-01-01', ['The order is dated in the future.']],
    ['2026-11-21', []],
    ['2026-11-21T10:01:00-05:00', ['The order is dated in the future.']],
    ['2026-11-21T10:00:00-05:00', []],
    ['2025-01-01T00:00:00Z', []],
  ])('prescription date %s: %j', (authoredOn, expected) => {
    expect(
      chartOf(undefined, authoredOn)
        .questions(['order'])
        .map(({ message }) => message),
    ).toEqual(expected);
  });
});

describe('a birth date that a person enters', () => {
  test('blocks while it is in the future, in both requests', () => {
    for (const mapping of both)
      expect(birthDateGaps(mapping, chartOf('1980-02-03'), { 'patient.date_of_birth': '2026-11-22' })).toEqual([
        ['blocks', 'The birth date is in the future. Enter the right one.'],
      ]);
  });

  test('is the site’s today at the latest', () => {
    for (const mapping of both)
      expect(birthDateGaps(mapping, chartOf('2030-01-01'), { 'patient.date_of_birth': '2026-11-21' })).toEqual([]);
  });
});
