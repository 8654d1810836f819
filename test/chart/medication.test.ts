import { join } from 'node:path';
import type { MedicationRequest } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { chartOfFixture, loadFixture } from '../../src/proof/fixture.ts';

const charts = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

async function strengthQuestion(text: string) {
  const fixture = loadFixture(join(charts, 'drug-text-that-is-no-rxnorm-name-is-not-taken-apart'));
  const entries = fixture.entries.map((entry) =>
    entry.resource.resourceType === 'MedicationRequest'
      ? { ...entry, resource: { ...entry.resource, medicationCodeableConcept: { text } } as MedicationRequest }
      : entry,
  );
  return (await chartOfFixture({ ...fixture, entries }))?.asked
    ?.find(({ target }) => target === 'prescription.strength')
    ?.options?.map(({ value }) => value);
}

test.each([
  ['norgestimate-ethinyl estradiol (SPRINTEC) tablet 0.25-35 mg-mcg', '0.25-35 mg-mcg'],
  ['adalimumab (HUMIRA) pen injector 40 mg/0.4 mL', '40 mg/0.4 mL'],
  ['insulin glargine (LANTUS) injection 100 unit/mL', '100 unit/mL'],
])('the strength behind the form of “%s” is offered, not sent', async (text, strength) => {
  expect(await strengthQuestion(text)).toEqual([strength]);
});

test.each([
  'Xeljanz 5mg tabs (brand)', // not behind the form
  'tofacitinib 5 MG Oral Tablet', // an RxNorm name says it with certainty
  'adalimumab (HUMIRA) pen injector', // none
  'vancomycin 1,250 mg + Sodium Chloride 0.9% in bag', // not at the end
])('nothing is offered from “%s”', async (text) => {
  expect(await strengthQuestion(text)).toBeUndefined();
});

test('an element of another form is told by its place, without its value', async () => {
  const chart = await chartOfFixture(loadFixture(join(charts, 'vendor-class-type-that-is-no-concept-is-not-read')));
  expect(chart?.warnings).toEqual([
    'Coverage/c1 is not of the form of FHIR R4 at class[0].type, class[1].type, class[2].type, class[3].type, class[4].type; what stands there was not read.',
  ]);
});
