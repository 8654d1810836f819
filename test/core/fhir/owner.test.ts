import type { Resource } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { ownerOf, ownerProperties } from '../../../src/core/fhir/references/owner.ts';

// what JSON.parse gives is whatever was written
const resource = (json: Record<string, unknown>) => json as unknown as Resource;

test.each([
  ['Observation', ['subject']],
  ['Coverage', ['beneficiary']],
  ['AllergyIntolerance', ['patient']],
  ['RelatedPerson', ['patient']],
  ['Task', ['for']],
  ['ResearchSubject', ['individual']],
  ['Device', ['patient']],
  ['Patient', []],
  ['Organization', []],
  ['Medication', []],
  ['ActivityDefinition', []], // its subject is a group
  ['ResearchStudy', []],
])('the property of %s that holds its patient', (type, properties) => {
  expect(ownerProperties(type)).toEqual(properties);
});

test('a resource is of the patient that its type names, not of one who performed or reported', () => {
  const order = { resourceType: 'MedicationRequest', subject: { reference: 'Patient/1' } };
  expect(ownerOf(resource({ ...order, requester: { reference: 'Patient/2' } }))).toEqual({ reference: 'Patient/1' });
  expect(ownerOf(resource({ resourceType: 'Organization', subject: { reference: 'Patient/1' } }))).toBeUndefined();
});

test('a list of one is of that one, a list of two of nobody', () => {
  const [one, two] = [{ reference: 'Patient/1' }, { reference: 'Patient/2' }];
  expect(ownerOf(resource({ resourceType: 'Account', subject: [one] }))).toEqual(one);
  expect(ownerOf(resource({ resourceType: 'Account', subject: [one, two] }))).toBeUndefined();
});

test('a type that FHIR R4 does not have is of the patient that it names in any of the usual ways', () => {
  expect(ownerOf(resource({ resourceType: 'MedicationUsage', subject: { reference: 'Patient/1' } }))).toEqual({
    reference: 'Patient/1',
  });
});
