import type { Resource } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';

const patient = { resourceType: 'Patient', id: 'p', active: 'no' };
const medication = { resourceType: 'Medication', id: 'm', status: 7, code: { text: 'Methotrexate' } };
const order = { resourceType: 'MedicationRequest', id: 'o', status: 'active', subject: { reference: 'Patient/p' } };

// what JSON.parse gives is whatever was written
const graph = indexChart([patient, medication, order] as unknown as Resource[]);

test('a resource whose status cannot be read is found by no type and by no reference, and is told', () => {
  const [held] = graph.ofType('MedicationRequest');
  expect(graph.ofType('Medication')).toEqual([]);
  expect(held && graph.resolve({ reference: 'Medication/m' }, held)).toBeUndefined();
  expect(shapesOf()).toContainEqual(['Medication/m', false, ['status']]);
});

test('a patient of whom a modifier cannot be read stays, with what is to be asked', () => {
  expect(graph.ofType('Patient').map(({ reference }) => reference)).toEqual(['Patient/p']);
  expect(shapesOf()).toContainEqual(['Patient/p', true, ['active']]);
});

test('what is in the form of FHIR R4 has nothing to tell', () => {
  expect(shapesOf().map(([reference]) => reference)).not.toContain('MedicationRequest/o');
});

function shapesOf(): [string, boolean, string[]][] {
  return [...graph.shapes].map(([{ reference }, { isUsable, misshapen }]) => [
    reference,
    isUsable,
    misshapen.map(({ path }) => path),
  ]);
}
