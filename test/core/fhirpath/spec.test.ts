import { expect, test } from 'vitest';
import { compilePath } from '../../../src/core/fhirpath/compile.ts';
import { EvaluationError } from '../../../src/core/fhirpath/error.ts';
import { Item } from '../../../src/core/fhirpath/item.ts';
import { type SpecCase, specCases } from './spec-cases.ts';
import { subjects } from './spec-subjects.ts';

test.each(specCases)('FHIRPath’s own test suite: $name', ({ expression, on, expected, ours }) => {
  expect(answerOf(expression, on)).toEqual(ours?.answer ?? expected);
});

test('FHIRPath’s own test suite: no case has two rows', () => {
  const names = specCases.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

function answerOf(expression: string, on: SpecCase['on']): readonly unknown[] | 'error' {
  try {
    const items = compilePath(expression).run([new Item(subjects[on], {})], {
      variable: () => [],
      resolve: () => undefined,
    });
    return items.map(({ value }) => value);
  } catch (error) {
    if (error instanceof EvaluationError) return 'error';
    throw error;
  }
}
