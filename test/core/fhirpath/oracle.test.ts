import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from 'fhir/r4.js';
import fhirpath from 'fhirpath';
import r4 from 'fhirpath/fhir-context/r4';
import { expect, test } from 'vitest';
import { readBundle } from '../../../src/core/fhir/bundle.ts';
import { choiceKeysOf } from '../../../src/core/fhir/model/model.ts';
import { choiceTexts } from '../../../src/core/fhir/model/r4.generated.ts';
import { readShape } from '../../../src/core/fhir/shape/read-shape.ts';
import { compilePath } from '../../../src/core/fhirpath/compile.ts';
import { EvaluationError } from '../../../src/core/fhirpath/error.ts';
import { Item } from '../../../src/core/fhirpath/item.ts';
import { listFixtures, loadFixture } from '../../../src/dev/kit/fixture.ts';
import { hasPublicData, publicData } from '../../support/public-data.ts';
import { corpus } from './corpus.ts';
import { expressionsFor } from './expressions.ts';

const root = join(import.meta.dirname, '../../..');

test('the subset agrees with HL7’s fhirpath on more than 2,000 expressions over our own resources', () => {
  const compared = compare(corpus.map((resource) => ({ resource, limit: 2_000 })));
  expect(compared.differences).toEqual([]);
  expect(compared.pairs).toBeGreaterThan(2_000);
});

const pitfalls: readonly (readonly [type: string, expression: string])[] = [
  ['Patient', "extension('urn:x:race').extension('ombCategory').value.code"],
  ['Patient', "extension('urn:x:race').extension.where(url = 'text').value"],
  ['Patient', "extension('urn:x:none').exists()"],
  ['Patient', "birthDate.extension('http://hl7.org/fhir/StructureDefinition/patient-birthTime').value"],
  ['Patient', 'birthDate.extension.value.ofType(dateTime)'],
  ['Patient', "name.family.extension('http://hl7.org/fhir/StructureDefinition/data-absent-reason').value"],
  ['Patient', 'name.family.count()'],
  ['Patient', 'name.family.hasValue()'],
  ['Patient', 'name[2].family.hasValue()'],
  ['Patient', 'name[2].family.exists()'],
  ['Patient', "name[2].family > 'A'"],
  ['Patient', "name.where(family > 'Am').use"],
  ['Patient', "name.given.extension('urn:x:nick').value"],
  ['Patient', 'birthDate < @1971-02-04'],
  ['Patient', 'birthDate = @1971-02-03'],
  ['Patient', 'birthDate = @1971-02'],
  ['Patient', 'birthDate != @1971-03'],
  ['Patient', 'birthDate <= @1971'],
  ['Patient', 'birthDate > @1970'],
  [
    'Patient',
    "identifier.where(type.coding.exists(system = 'http://terminology.hl7.org/CodeSystem/v2-0203' and code = " +
      "'MR')).value",
  ],
  ['Patient', "identifier.where(type.coding.code = 'MR').value"],
  ['Patient', 'identifier.where(period.end < @2022-01-01).value'],
  ['Patient', 'identifier.where(period.empty()).value'],
  ['Patient', "name.where(use = 'official').given"],
  ['Patient', "name.where(use = 'official' or use = 'usual').given.first()"],
  ['Patient', "name.where(use != 'old').given.last()"],
  ['Patient', 'name.given[2]'],
  ['Patient', 'name[1].given[1]'],
  ['Patient', 'name.given.distinct()'],
  ['Patient', "telecom.where(system = 'phone' and rank = 1).value"],
  ['Patient', 'telecom.where(rank > 1).value'],
  ['Patient', "telecom.where(system in ('phone' | 'fax')).count()"],
  ['Patient', "telecom.all(system = 'phone')"],
  ['Patient', 'active and deceased'],
  ['Patient', 'active or deceased'],
  ['Patient', 'active xor deceased'],
  ['Patient', 'deceased implies active'],
  ['Patient', 'deceased.not()'],
  ['Patient', 'maritalStatus and active'],
  ['Patient', 'maritalStatus and deceased'],
  ['Patient', 'maritalStatus or active'],
  ['Patient', 'maritalStatus.exists() or deceased'],
  ['Patient', 'maritalStatus xor active'],
  ['Patient', 'name.given and active'],
  ['Patient', 'gender and active'],
  ['Patient', 'name.given = name.given'],
  ['Patient', "('a' | 'b') = ('a' | 'b')"],
  ['Patient', "('a' | 'b') = ('b' | 'a')"],
  ['Patient', "'a' = {}"],
  ['Patient', '{} = {}'],
  ['Patient', '{}.exists()'],
  ['Patient', '{}.empty()'],
  ['Patient', '{}.not()'],
  ['Patient', '1 = 1.0'],
  ['Patient', '-1 < 0'],
  ['Patient', "1 = '1'"],
  ['Patient', "true = 'true'"],
  ['Patient', "'It\\'s' = 'It\\u0027s'"],
  ['Patient', 'name.given.first().first().last()'],
  ['Patient', 'multipleBirth.ofType(integer)'],
  ['Patient', 'multipleBirth.ofType(boolean)'],
  ['Patient', 'multipleBirth is integer'],
  ['Patient', 'Patient.name.family'],
  ['Patient', 'Observation.name.family'],
  ['Patient', '$this.name.family'],
  ['Patient', "name.exists(given contains 'Mo')"],
  ['Patient', "name.where($this.given.exists($this = 'Mo')).family"],
  ['Patient', "iif(active, 'yes', 'no')"],
  ['Patient', "iif(maritalStatus.exists(), 'yes')"],
  ['Patient', '`name`.`given`.first()'],
  ['MedicationRequest', 'medication.ofType(Reference).display'],
  ['MedicationRequest', 'medication.ofType(CodeableConcept).exists()'],
  ['MedicationRequest', '(medication as Reference).reference'],
  ['MedicationRequest', 'contained.ofType(Medication).code.text'],
  ['MedicationRequest', 'contained.ofType(Organization).name'],
  ['MedicationRequest', 'contained.where($this is Medication).ingredient.item.text'],
  ['MedicationRequest', 'contained.ingredient.strength.numerator.value'],
  ['MedicationRequest', "contained.where(id = 'm1').code.coding.display"],
  ['MedicationRequest', 'dosageInstruction.doseAndRate.dose.ofType(Quantity).value'],
  ['MedicationRequest', 'dosageInstruction.doseAndRate.dose.ofType(Range).high.value'],
  ['MedicationRequest', 'dosageInstruction.asNeeded.ofType(boolean)'],
  ['MedicationRequest', 'dosageInstruction.where(asNeeded is CodeableConcept).text'],
  ['MedicationRequest', 'dosageInstruction.timing.repeat.bounds.ofType(Period).start'],
  ['MedicationRequest', "reasonCode.coding.where(system = 'http://hl7.org/fhir/sid/icd-10-cm').code"],
  ['MedicationRequest', 'reasonCode.where(coding.empty()).text'],
  ['MedicationRequest', 'reported'],
  ['MedicationRequest', 'reported.ofType(boolean).not()'],
  ['MedicationRequest', 'authoredOn = @2026-10-05'],
  ['MedicationRequest', 'authoredOn > @2026-10-04'],
  ['MedicationRequest', 'authoredOn < @2026-10-05T10:00:00Z'],
  ['MedicationRequest', 'note.time > @2026-10-05T09:59:59Z'],
  ['MedicationRequest', 'note.time = @2026-10-05T12:00:00+02:00'],
  ['MedicationRequest', 'note.time = @2026-10-05T06:00:00.000-04:00'],
  ['MedicationRequest', 'dispenseRequest.quantity.value = 30'],
  ['Coverage', "class.where(type.coding.exists(code = 'rxbin')).value"],
  ['Coverage', "class.where(type.coding.code = 'rxpcn').value"],
  ['Coverage', "class.where(type.text = 'rxgroup' or type.coding.exists(code = 'rxgroup')).value"],
  ['Coverage', "class.value.where($this = 'G1')"],
  ['Coverage', 'class.value.distinct()'],
  ['Coverage', "extension('urn:x:rx-bin').value"],
  ['Coverage', "extension.where(url = 'urn:x:rx-bin').value.ofType(string)"],
  ['Coverage', 'payor.where(reference.exists()).reference'],
  ['Coverage', 'payor.tail().display'],
  ['Condition', 'onset = @2019-05'],
  ['Condition', 'onset < @2019-05-02'],
  ['Condition', 'onset < @2020'],
  ['Condition', 'onset.ofType(dateTime)'],
  ['Condition', 'abatement.ofType(string)'],
  ['Condition', 'abatement is dateTime'],
  ['Observation', 'value.ofType(Quantity).value > 8'],
  ['Observation', '(value as Quantity).unit'],
  ['Observation', 'component.where(value is string).code.text'],
  ['Observation', 'component.value.ofType(CodeableConcept).coding.code'],
  ['Observation', "component.where(code.text = 'systolic').value.value"],
  ['Observation', 'component.where(dataAbsentReason.exists()).code.text'],
  ['Observation', 'effective > @2026-03-04T07:59:59Z'],
  ['Observation', 'effective = issued'],
  ['Observation', 'component.value'],
  ['Observation', 'value = value'],
  ['Observation', 'component.value = component.value'],
  ['Observation', 'component[0].value = component[0].value'],
  ['Immunization', 'dose'],
  ['Immunization', 'dose.value'],
  ['Immunization', 'doseQuantity.value'],
  ['Immunization', 'where(dose.exists()).id'],
  ['Immunization', 'occurrence'],
  ['Immunization', 'protocolApplied.doseNumber'],
  ['ClinicalImpression', 'finding.item'],
  ['ClinicalImpression', 'finding.where(item.exists()).count()'],
  ['ClinicalImpression', "finding.where(item.text = 'swollen joints').count()"],
  ['ClinicalImpression', "finding.where(itemCodeableConcept.text = 'swollen joints').count()"],
  ['ClinicalImpression', 'effective.start'],
  ['PractitionerRole', 'period.start < @2020-06'],
  ['PractitionerRole', 'period.start = @2020'],
  ['PractitionerRole', 'period.end >= @2030'],
  ['PractitionerRole', "availableTime.daysOfWeek contains 'tue'"],
];

test.each(pitfalls)('%s: %s gives what HL7’s fhirpath gives', (type, expression) => {
  const resource = corpus.find((candidate) => candidate.resourceType === type);
  expect(resource).toBeDefined();
  if (resource !== undefined) expect(ourAnswer(expression, resource)).toBe(answerOfOracle(expression, resource));
});

// FHIR R4 has one of a choice at most, and says nothing of what a path finds where there are two.
function hasAChoiceTwice(resource: object): boolean {
  const stated = Object.keys(choiceTexts).map((name) => choiceKeysOf(name) ?? []);
  return stated.some((keys) => keys.filter(({ key }) => Object.hasOwn(resource, key)).length > 1);
}

test('the subset agrees with HL7’s fhirpath on the resources of every fixture', () => {
  const cases = listFixtures(join(root, 'fixtures/charts')).map(loadFixture);
  // as a mapping sees them
  const all = cases.flatMap(({ entries }) => entries.map(({ resource }) => readShape(resource).resource));
  const resources = all.filter((resource) => !hasAChoiceTwice(resource));
  expect(all.length - resources.length).toBeLessThan(10);
  // Most charts are another one with a change: what they share is compared once.
  const different = new Map(resources.map((resource) => [JSON.stringify(resource), resource]));
  const compared = compare([...different.values()].map((resource) => ({ resource, limit: 12 })));
  expect(compared.differences).toEqual([]);
  expect(compared.pairs).toBeGreaterThan(2_000);
});

test.skipIf(!hasPublicData)('the subset agrees with HL7’s fhirpath on public FHIR data', () => {
  const resources = sampleOf(bundlesIn(publicData()), 150);
  const compared = compare(resources.map((resource) => ({ resource, limit: 20 })));
  expect(compared.differences).toEqual([]);
  expect(compared.pairs).toBeGreaterThan(2_000);
});

interface Difference {
  readonly expression: string;
  readonly type: string;
  readonly oracle: string;
  readonly ours: string;
}

function compare(subjects: readonly { resource: Resource; limit: number }[]): {
  pairs: number /** answered, not errors on both sides */;
  differences: Difference[];
} {
  const differences: Difference[] = [];
  let pairs = 0;
  for (const { resource, limit } of subjects) {
    for (const expression of expressionsFor(resource, limit)) {
      const [oracle, ours] = [answerOfOracle(expression, resource), ourAnswer(expression, resource)];
      if (oracle !== 'error') pairs += 1;
      if (oracle !== ours) differences.push({ expression, type: resource.resourceType, oracle, ours });
    }
  }
  return { pairs, differences: differences.slice(0, 20) };
}

const compiled = new Map<string, (resource: unknown) => unknown>();

function answerOfOracle(expression: string, resource: Resource): string {
  try {
    const known = compiled.get(expression) ?? fhirpath.compile(expression, r4);
    compiled.set(expression, known);
    return JSON.stringify(known(resource));
  } catch {
    return 'error';
  }
}

function ourAnswer(expression: string, resource: Resource): string {
  try {
    const items = compilePath(expression).run([new Item(resource, {})], {
      variable: () => [],
      resolve: () => undefined,
    });
    return JSON.stringify(items.filter((item) => item.value !== undefined).map((item) => item.value));
  } catch (error) {
    if (error instanceof EvaluationError) return 'error';
    throw error;
  }
}

function bundlesIn(folder: string): Resource[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith('.json'),
  );
  return files.flatMap((entry) => resourcesIn(join(entry.parentPath, entry.name)));
}

function resourcesIn(path: string): Resource[] {
  const text = readFileSync(path, 'utf8');
  if (text.length > 2_000_000 || !text.includes('"resourceType"')) return [];
  try {
    return readBundle(JSON.parse(text)).entries.map((entry) => entry.resource);
  } catch {
    return [];
  }
}

function sampleOf<T>(all: readonly T[], size: number): T[] {
  const step = Math.max(1, Math.floor(all.length / size));
  return all.filter((_, index) => index % step === 0).slice(0, size);
}
