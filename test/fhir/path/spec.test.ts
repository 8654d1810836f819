import fhirpath from 'fhirpath';
import r4 from 'fhirpath/fhir-context/r4';
import { describe, expect, test } from 'vitest';
import { compilePath } from '../../../src/fhir/path/compile.ts';
import { EvaluationError, PathError } from '../../../src/fhir/path/error.ts';
import { Item } from '../../../src/fhir/path/item.ts';
import { covered, type SpecCase } from './spec-cases.ts';
import { refused } from './spec-refused.ts';
import { subjects } from './spec-subjects.ts';
import { notApplicable, suite } from './spec-suite.ts';

const cases = Object.values(covered).flat();

describe('FHIRPath’s own test suite: what the subset answers', () => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', (_, { expression, on, expected, ours }) => {
    expect(ourAnswer(expression, on)).toEqual(ours?.answer ?? expected);
  });
});

describe('FHIRPath’s own test suite: what HL7’s package answers to the same cases', () => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', (_, { expression, on, expected, deviates }) => {
    const answer = answerOfOracle(expression, on);
    if (deviates === undefined) expect(answer).toEqual(expected);
    else expect(answer).not.toEqual(expected);
  });
});

describe('FHIRPath’s own test suite: what the compiler refuses, and why', () => {
  test.each(refused.map((one) => [`${one.group}: ${one.expression}`, one] as const))('%s', (_, { expression, reason }) => {
    const error = refusalOf(expression);
    expect(error?.reason).toMatch(reason);
    expect(error?.position).toBeGreaterThanOrEqual(0);
    expect(error?.position).toBeLessThanOrEqual(expression.length);
  });
});

test('every case of the suite is covered, refused, or for the path check: 314 + 616 + 5 = 935', () => {
  const counted = Object.keys(suite).map((group) => {
    const told = refused.filter((one) => one.group === group).reduce((sum, one) => sum + one.cases, 0);
    return { group, covered: covered[group]?.length ?? 0, refused: told, notApplicable: notApplicable[group]?.length ?? 0 };
  });
  expect(counted.filter((one) => one.covered + one.refused + one.notApplicable !== suite[one.group])).toEqual([]);
  const sum = (of: 'covered' | 'refused' | 'notApplicable') => counted.reduce((total, one) => total + one[of], 0);
  expect({ covered: sum('covered'), refused: sum('refused'), notApplicable: sum('notApplicable') }).toEqual({ covered: 314, refused: 616, notApplicable: 5 });
});

test('every group that is told of is one of the suite, and no case is told twice', () => {
  const groups = [...Object.keys(covered), ...refused.map(({ group }) => group), ...Object.keys(notApplicable)];
  expect(groups.filter((group) => suite[group] === undefined)).toEqual([]);
  const names = [...cases.map(({ name }) => name), ...Object.values(notApplicable).flat()];
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

type Answer = readonly unknown[] | 'error';

function ourAnswer(expression: string, on: SpecCase['on']): Answer {
  try {
    const items = compilePath(expression).run([new Item(subjects[on], {})], { variable: () => [], resolve: () => undefined });
    return items.map(({ value }) => value);
  } catch (error) {
    if (error instanceof EvaluationError) return 'error';
    throw error;
  }
}

function answerOfOracle(expression: string, on: SpecCase['on']): Answer {
  try {
    const answer: unknown = fhirpath.evaluate(subjects[on], expression, undefined, r4);
    return JSON.parse(JSON.stringify(answer));
  } catch {
    return 'error';
  }
}

function refusalOf(expression: string): PathError | undefined {
  try {
    compilePath(expression);
    return undefined;
  } catch (error) {
    if (error instanceof PathError) return error;
    throw error;
  }
}
