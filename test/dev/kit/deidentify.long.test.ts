import { expect, test } from 'vitest';
import { canariesLeft } from './canaries-left.ts';

test('of canaries at every element of every resource of FHIR R4 none is found again: four words and a number', () => {
  expect(canariesLeft({ isShort: false })).toEqual([]);
});
