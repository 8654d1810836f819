import { expect, test } from 'vitest';
import { explain, formatDetails, formatGaps, formatLook } from '../../../src/core/mapping/review/explain-result.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { diagnoses, diagnosisNode, order, sample, sampleInput } from './sample.ts';

test('a look prints each step with its count, and why nothing was taken', () => {
  const steps = [
    { step: 'Coverage', items: 2 },
    { step: 'class', items: 3 },
    { step: "where(type.coding.exists(code = 'rxbin'))", items: 0 },
  ];
  expect(formatLook({ expression: '%coverage.class', steps })).toBe(
    "Coverage (2) > class (3) > where(type.coding.exists(code = 'rxbin')) (0)",
  );
  expect(
    formatLook({
      expression: '%order.quantity',
      steps: [{ step: 'MedicationRequest', items: 1 }],
      refused: [
        { why: 'not_positive' },
        { why: 'not_positive', value: '0' },
        { why: 'ruled_out', words: 'it is over' },
      ],
    }),
  ).toBe('MedicationRequest (1): not a positive number; it is over');
  expect(formatLook({ expression: 'five problems of the patient', steps: [] })).toBe('five problems of the patient');
});

const proposed = { kind: 'proposed' as const, nodes: [diagnosisNode(diagnoses.crohn)], note: 'from the problem list' };
const result = runMapping(sample, sampleInput({ diagnosis: proposed, order: { ...order, dispenseRequest: {} } }), {
  edits: { phone: '555-0199' },
});

test('an explanation holds each value with its source and each gap with its looks', () => {
  const explained = explain(result);
  expect(explained.status).toBe('incomplete');
  expect(explained.values.find((value) => value.target === 'diagnoses[0].code')).toMatchObject({
    value: 'K50.90',
    kind: 'proposed',
    source: { resource: 'Condition/k1', path: 'Condition.code.coding[0].code' },
    note: 'from the problem list',
  });
  expect(explained.gaps.find((gap) => gap.target === 'quantity')?.looked).toEqual([
    'MedicationRequest (1) > dispenseRequest (1) > quantity (0)',
    'MedicationRequest (1) > dispenseRequest (1) > initialFill (0)',
  ]);
});

test('a gap whose value was found and refused is explained with the reason', () => {
  const explained = explain(
    runMapping(sample, sampleInput({ order: { ...order, dispenseRequest: { quantity: { value: '30' } } } })),
  );
  expect(explained.gaps.map(({ target, why }) => [target, why])).toEqual([['quantity', 'not_positive']]);
  expect(explain(result).gaps.every((gap) => !('why' in gap))).toBe(true);
});

test('an explanation prints its gaps first, in a line each', () => {
  expect(formatGaps(explain(result))).toBe(`Incomplete: 2 fields need an answer.

Needed before sending
  diagnoses (unconfirmed): Diagnoses: proposed from the chart; a person must confirm.
  quantity (missing): Quantity is missing.
`);
});

test('its details are where gaps were looked for, then each value with its source', () => {
  expect(formatDetails(explain(result))).toBe(`
Where each gap was looked for
  quantity
      looked at MedicationRequest (1) > dispenseRequest (1) > quantity (0)
      looked at MedicationRequest (1) > dispenseRequest (1) > initialFill (0)

Values
  patient.last_name = "Birke"
      from Patient/p1 Patient.name[0].family, version 2
      %name.family, rule sample (the current name)
  patient.birth_date = "1971-02-03"
      from Patient/p1 Patient.birthDate, version 2
      %patient.birthDate, rule sample
  patient.gender = "not_specified"
      from Patient/p1 Patient.gender, version 2
      %patient.gender, by gender, rule sample (derived; unknown in the chart)
  patient.address.city = "Lakeside"
      from Patient/p1 Patient.address[0].city, version 2
      %patient.address.city, rule sample
  patient.address.country = "US"
      from the site’s configuration
      %site.country, rule sample (site)
  diagnoses[0].code = "K50.90"
      from Condition/k1 Condition.code.coding[0].code
      coding.where(system = %icd10).code, rule sample (proposed; from the problem list)
  extra.rxnorm = "1"
      from MedicationRequest/r1 MedicationRequest.medicationCodeableConcept.coding[0].code
      %order.medication.ofType(CodeableConcept).coding.where(system = %rxnorm).code, rule sample
  extra.channel = "bridge"
      from written in the mapping
      rule sample (constant; tells who sends)
  phone = "555-0199"
      from entered by a person
      rule sample (entered; instead of "555-0100")
`);
});

test('a complete result says that it is ready', () => {
  expect(formatGaps(explain(runMapping(sample, sampleInput())))).toBe('Ready.\n');
});
