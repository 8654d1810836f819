import type { Identifier } from 'fhir/r4.js';
import { expect, it } from 'vitest';
import { type Referable, ReferenceIndex } from '../../../src/core/fhir/references/reference-index.ts';

const asked: string[] = [];
const numbered = (type: string, id: string, value: string): Referable => ({
  type,
  id,
  name: `${type}/${id}`,
  fullUrl: undefined,
  base: undefined,
  identifiers: (): Identifier[] => {
    asked.push(type);
    return [{ system: 'urn:numbers', value }];
  },
});

it('a search for a practitioner looks into practitioners alone, one without a type into everything', () => {
  const doctor = numbered('Practitioner', '1', '7');
  const index = new ReferenceIndex([numbered('Patient', '1', '7'), doctor]);
  expect(index.resolve({ reference: 'Practitioner?identifier=urn:numbers|7' })).toBe(doctor);
  expect(new Set(asked)).toEqual(new Set(['Practitioner']));
  const identifier = { system: 'urn:numbers', value: '7' };
  expect(index.candidates({ identifier }).map(({ type }) => type)).toEqual(['Patient', 'Practitioner']);
  expect(index.resolve({ type: '', identifier })).toBeUndefined();
});
