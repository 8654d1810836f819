import { join } from 'node:path';
import type { MedicationRequest } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { chartOfFixture, loadFixture } from '../../../src/dev/kit/fixture.ts';

const charts = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'charts');

async function strengthOf(text: string) {
  const fixture = loadFixture(join(charts, 'drug-text-in-the-words-of-a-practice-is-read'));
  const entries = fixture.entries.map((entry) =>
    entry.resource.resourceType === 'MedicationRequest'
      ? { ...entry, resource: { ...entry.resource, medicationCodeableConcept: { text } } as MedicationRequest }
      : entry,
  );
  const chart = await chartOfFixture({ ...fixture, entries }, mappings.roles);
  const [node] = chart?.root('drug').nodes ?? [];
  // what the role holds
  const reading = node?.value as { readonly name?: string; readonly strength?: string } | undefined;
  return [reading?.name, reading?.strength];
}

test.each([
  [
    'norgestimate-ethinyl estradiol (SPRINTEC) tablet 0.25-35 mg-mcg',
    'norgestimate-ethinyl estradiol (SPRINTEC)',
    'norgestimate 0.25 mg / ethinyl estradiol 35 mcg',
  ],
  ['adalimumab (HUMIRA) pen injector 40 mg/0.4 mL', 'adalimumab (HUMIRA)', '40 mg/0.4 mL'],
  ['insulin glargine (LANTUS) injection 100 unit/mL', 'insulin glargine (LANTUS)', '100 unit/mL'],
  ['Xeljanz 5mg tabs (brand)', 'Xeljanz', '5 mg'],
  ['tofacitinib 5 MG Oral Tablet', 'tofacitinib', '5 MG'],
  ['adalimumab (HUMIRA) pen injector', 'adalimumab (HUMIRA)', undefined],
])('an order’s text “%s” names the drug and its strength', async (text, name, strength) => {
  expect(await strengthOf(text)).toEqual([name, strength]);
});

test('an infusion in one text is not taken apart: words that are not accounted for leave no name', async () => {
  const text = 'vancomycin 1,250 mg + Sodium Chloride 0.9% in bag';
  expect(await strengthOf(text)).toEqual([undefined, undefined]);
});

test('an element of another form is told by its place, without its value', async () => {
  const chart = await chartOfFixture(
    loadFixture(join(charts, 'vendor-class-type-that-is-no-concept-is-not-read')),
    mappings.roles,
  );
  expect(chart?.warnings).toEqual([
    'Coverage/c1 is not of the form of FHIR R4 at class[0].type, class[1].type, class[2].type, class[3].type, ' +
      'class[4].type; what stands there was not read.',
  ]);
});
