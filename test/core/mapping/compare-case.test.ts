import { expect, test } from 'vitest';
import { z } from 'zod';
import { compareCase } from '../../../src/core/mapping/compare-case.ts';
import type { MappingInput } from '../../../src/core/mapping/input.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { defineMapping } from '../../../src/core/mapping/words/define.ts';
import { constant, from } from '../../../src/core/mapping/words/rules.ts';

const letter = defineMapping(
  'letter',
  z.strictObject({ name: z.string(), street: z.string(), city: z.string(), sender: z.string() }),
  {
    name: from('%patient.name.family'),
    street: from('%patient.address.line[0]'),
    city: from('%patient.address.city'),
    sender: constant('the clinic', 'every letter is signed so'),
  },
);

const patient = { resourceType: 'Patient', id: 'p1', name: [{ family: 'Example' }] };
const chart: MappingInput = {
  root: (role) =>
    role === 'patient'
      ? { nodes: [{ value: patient, source: { resource: 'Patient/p1', path: 'Patient' } }] }
      : undefined,
  resolve: () => undefined,
  questions: () => [],
};
const result = runMapping(letter, chart);
const body = { name: 'Example', sender: 'the clinic' };
const gaps = [
  { target: 'city', severity: 'blocks', reason: 'missing' },
  { target: 'street', severity: 'blocks', reason: 'missing' },
] as const;
const source = { kind: 'chart', resource: 'Patient/p1', path: 'Patient.name[0].family' } as const;

test('a result that is as its case states differs in nothing', () => {
  expect(compareCase(result, { body, gaps, sources: { name: source, sender: { kind: 'constant' } } })).toEqual([]);
});

test('what a case does not state is not compared', () => {
  expect(compareCase(result, {})).toEqual([]);
  expect(compareCase(result, { sources: {} })).toEqual([]);
});

test('another value, one too many and one too few are told by path', () => {
  expect(compareCase(result, { body: { name: 'Sample', city: 'Springfield' } })).toEqual([
    { of: 'body', path: 'name', kind: 'changed', expected: 'Sample', actual: 'Example' },
    { of: 'body', path: 'city', kind: 'missing', expected: 'Springfield' },
    { of: 'body', path: 'sender', kind: 'unexpected', actual: 'the clinic' },
  ]);
});

test('every gap counts, in the order of the targets', () => {
  expect(compareCase(result, { gaps: [gaps[0]] })).toEqual([
    { of: 'gaps', path: '[1]', kind: 'unexpected', actual: expect.objectContaining(gaps[1]) },
  ]);
  expect(compareCase(result, { gaps: [gaps[0], { ...gaps[1], severity: 'warns' }] })).toEqual([
    { of: 'gaps', path: '[1].severity', kind: 'changed', expected: 'warns', actual: 'blocks' },
  ]);
});

test('the message of a gap is compared where it is stated', () => {
  const [difference] = compareCase(result, { gaps: [{ ...gaps[0], message: 'No city.' }, gaps[1]] });
  expect(difference).toMatchObject({ of: 'gaps', path: '[0].message', kind: 'changed', expected: 'No city.' });
});

test('of sources the named leaves are compared', () => {
  expect(compareCase(result, { sources: { name: { ...source, path: 'Patient.name[1].family' } } })).toEqual([
    {
      of: 'sources',
      path: 'name.path',
      kind: 'changed',
      expected: 'Patient.name[1].family',
      actual: 'Patient.name[0].family',
    },
  ]);
  expect(compareCase(result, { sources: { street: source } })).toEqual([
    { of: 'sources', path: 'street', kind: 'missing', expected: source },
  ]);
});
