import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answerRoles, answers, priorAuth, roles } from '../../../mappings/index.ts';
import { withChangedLeaves } from '../../../src/core/answers/changed-leaves.ts';
import { goesByItself, linesOfSheet } from '../../../src/core/answers/lines.ts';
import { answersSheet } from '../../../src/core/answers/sheet.ts';
import { mapChart } from '../../../src/core/roles/map-chart.ts';
import { chartUnder } from '../../../src/core/roles/select.ts';

// The complete story: an order of Humira by Dr. Osei-Brandt after leflunomide and methotrexate.

const bundle = JSON.parse(
  readFileSync(new URL('../../../fixtures/charts/story-complete/bundle.json', import.meta.url), 'utf8'),
);
const { orders } = mapChart(bundle, { mapping: priorAuth, roles, now: new Date('2026-11-21T15:00:00Z') });
const { chart, result } = orders.find(({ order }) => order === 'MedicationRequest/complete-order')!;
const { provenance } = result!;
const lines = linesOfSheet(answersSheet(answers, chartUnder(chart!, answerRoles)));

/** The ids of the lines that a change of these leaves contradicts. */
function contradicted(...targets: readonly string[]): string[] {
  const changed = targets.map((target) => ({
    target,
    source: provenance.find((entry) => entry.target === target)?.source,
  }));
  return withChangedLeaves(lines, changed).flatMap((line) => (line.changed === undefined ? [] : [line.id]));
}

describe('an answer contradicts the request where a person changed', () => {
  test.each([
    ['prescription.directions', ['dose']],
    ['prescription.quantity', ['dose']],
    ['prescription.dispense_unit', ['dose']],
    ['prescription.days_supply', ['dose']],
    ['prescription.route_of_administration', ['dose']],
    ['prescription.strength', ['dose']],
    ['prescription.dose_form', ['dose']],
    ['prescription.drug_name', ['therapy', 'dose']],
    ['diagnoses[0].code', ['diagnosis M05.79 Rheumatoid arthritis, seropositive, multiple sites']],
    ['patient.date_of_birth', ['patient']],
    ['patient.gender', ['patient']],
    ['provider.npi', ['specialty']],
    ['pharmacy.name', ['place']],
  ])('%s', (target, ids) => {
    expect(contradicted(target)).toEqual(ids);
  });

  test.each([
    ...['patient.first_name', 'patient.phone', 'patient.address.street', 'provider.phone', 'provider.first_name'],
    ...['insurance_content.member_number', 'pharmacy.address.street', 'prescription.prescription_date'],
  ])('but not where it was %s', (target) => {
    expect(contradicted(target)).toEqual([]);
  });
});

test('such an answer names each changed leaf and does not go by itself', () => {
  const source = provenance.find(({ target }) => target === 'prescription.quantity')?.source;
  const changed = withChangedLeaves(lines, [{ target: 'prescription.quantity', source }]);
  const dose = changed.find(({ id }) => id === 'dose')!;
  expect(dose.changed).toEqual(['prescription.quantity']);
  expect(goesByItself(dose)).toBe(false);
  expect(changed.filter((line) => !goesByItself(line)).map(({ id }) => id)).toEqual(['dose']);
});
