import type { Resource } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { readShape } from '../../../../src/core/fhir/shape/read-shape.ts';
import { shapeWarnings } from '../../../../src/core/fhir/shape/shape-warnings.ts';

const told = (json: Record<string, unknown>) =>
  // what JSON.parse gives is whatever was written
  shapeWarnings(`${json.resourceType}/1`, readShape(json as unknown as Resource));

test('what was not read is told by place, the first five of it', () => {
  expect(told({ resourceType: 'Coverage', period: '2026', class: ['a'] })).toEqual([
    'Coverage/1 is not of the form of FHIR R4 at period, class[0]; what stands there was not read.',
  ]);
  expect(told({ resourceType: 'Coverage', class: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] })).toEqual([
    'Coverage/1 is not of the form of FHIR R4 at class[0], class[1], class[2], class[3], class[4] and 2 more; ' +
      'what stands there was not read.',
  ]);
});

test('what was not used is told with the reason', () => {
  expect(told({ resourceType: 'Patient', name: [{ use: 7, family: 'X' }] })).toEqual([
    'Patient/1: name[0] was not used, because its use is not of the form of FHIR R4 and could change what it means.',
  ]);
  expect(told({ resourceType: 'MedicationRequest', status: 7 })).toEqual([
    'MedicationRequest/1 was not used, because its status is not of the form of FHIR R4 and could change what it ' +
      'means.',
  ]);
  expect(told({ resourceType: 'Patient', link: ['x'] })).toEqual([
    'Patient/1: link[0] was not used, because it is not of the form of FHIR R4.',
  ]);
});

test('a resource of another release is told as such', () => {
  expect(told({ resourceType: 'MedicationRequest', medication: { concept: {} }, reason: [] })).toEqual([
    'MedicationRequest/1 is not FHIR R4: it has medication, reason, which FHIR R4 does not have; that was not read.',
  ]);
});

test('nothing is told of a resource in the form of FHIR R4, nor of null', () => {
  expect(told({ resourceType: 'Patient', id: 'p', name: null })).toEqual([]);
});
