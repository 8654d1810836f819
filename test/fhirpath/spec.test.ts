import fhirpath from 'fhirpath';
import r4 from 'fhirpath/fhir-context/r4';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compilePath } from '../../src/fhirpath/compile.ts';
import { EvaluationError, PathError } from '../../src/fhirpath/error.ts';
import { Item } from '../../src/fhirpath/item.ts';
import { defineMapping } from '../../src/mapping/words/define.ts';
import { each, from, type Transform } from '../../src/mapping/words/rules.ts';
import { checkPaths } from '../../src/proof/check.ts';
import { fhirModel } from '../support/fhir-model.ts';
import { covered, type SpecCase } from './spec-cases.ts';
import { refused } from './spec-refused.ts';
import { subjects } from './spec-subjects.ts';
import { strict, suite } from './spec-suite.ts';

const cases = Object.values(covered).flat();
const turnedAway = Object.values(refused).flat();
const impossible = Object.values(strict).flat();
const groups = [covered, refused, strict].flatMap((kind) => Object.keys(kind));
const text: Transform<string> = {
  name: 'text',
  apply: (value) => (typeof value === 'string' ? { value } : { refused: 'no text' }),
};

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

describe('FHIRPath’s own test suite: what the compiler refuses, where and why', () => {
  test.each(turnedAway.map((one) => [one.name, one] as const))('%s', (_, { expression, reason, at }) => {
    const error = refusalOf(expression);
    expect(error?.reason).toMatch(reason);
    expect(expression.slice(error?.position).startsWith(at)).toBe(true);
  });
});

test('FHIRPath’s own test suite: what is refused is FHIRPath all the same, but for what the suite has as malformed', () => {
  expect(turnedAway.filter(({ expression }) => !isFhirPath(expression))).toEqual(
    turnedAway.filter((one) => one.malformed === true),
  );
});

describe('FHIRPath’s own test suite: what the path check of mappings finds', () => {
  test.each(impossible.map((one) => [one.name, one] as const))('%s', (_, { role, expression, issue }) => {
    const mapping = defineMapping('sample', z.object({ list: z.array(z.object({ leaf: z.string() })) }), {
      list: each(`%${role}`, { leaf: from(text, expression) }),
    });
    const issues = checkPaths(mapping, { patient: ['Patient'], observation: ['Observation'] }, fhirModel());
    expect(issues.map(({ position, message }) => `${position}: ${message}`)).toEqual([issue]);
  });
});

const totals = `${cases.length} answered, ${turnedAway.length} refused, ${impossible.length} found by the path check`;

test(`FHIRPath’s own test suite: every case has a row (${totals})`, () => {
  const told = Object.fromEntries(
    Object.keys(suite).map((group) => [
      group,
      [covered, refused, strict].reduce((sum, kind) => sum + (kind[group]?.length ?? 0), 0),
    ]),
  );
  expect(told).toEqual(suite);
  expect(groups.filter((group) => suite[group] === undefined)).toEqual([]);
});

test('FHIRPath’s own test suite: no case has two rows', () => {
  const names = [...cases, ...turnedAway, ...impossible].map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

type Answer = readonly unknown[] | 'error';

function ourAnswer(expression: string, on: SpecCase['on']): Answer {
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

function isFhirPath(expression: string): boolean {
  try {
    fhirpath.parse(expression);
    return true;
  } catch {
    return false;
  }
}
