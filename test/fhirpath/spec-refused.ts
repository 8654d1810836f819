import type { RefusedCase } from './spec-refusals.ts';
import { refusedCollections } from './spec-refused-collections.ts';
import { refusedNumbers } from './spec-refused-numbers.ts';
import { refusedTexts } from './spec-refused-texts.ts';
import { refusedTypes } from './spec-refused-types.ts';

/**
 * The cases of FHIRPath's own test suite that the compiler turns away, by group. Every case has a row of its own; as in `covered`, what it
 * asks is the suite's, and its resources, names, dates, texts, numbers and units are ours.
 */
export const refused: Readonly<Record<string, readonly RefusedCase[]>> = {
  ...refusedTypes,
  ...refusedCollections,
  ...refusedTexts,
  ...refusedNumbers,
};
