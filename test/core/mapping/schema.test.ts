import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  enumAt,
  hasPlace,
  isRequiredAt,
  keysOf,
  leavesOf,
  titleOf,
  wantsNumber,
  wantsWhole,
  withRequiredParts,
} from '../../../src/core/mapping/schema.ts';

// What a form and the gaps know of a body before there is one: its schema says it, through whatever wraps it.

const schema = z.object({
  patient: z.object({ name: z.string(), sex: z.enum(['female', 'male']).nullable() }),
  drug: z.object({ quantity: z.int(), strength: z.number().optional() }).optional(),
  kind: z.enum(['new', 'refill']).default('new').describe('Kind of request'),
  lines: z.array(z.object({ text: z.string() })).readonly(),
  extra: z.record(z.string(), z.unknown()),
});

describe('a place of a body', () => {
  test.each([
    [
      ['patient', 'sex'],
      ['female', 'male'],
    ],
    [['kind'], ['new', 'refill']],
    [['patient', 'name'], undefined],
    [['patient', 'nothing'], undefined],
  ])('%j takes the words %j', (path, words) => {
    expect(enumAt(schema, path)).toEqual(words);
  });

  test.each([
    [['drug', 'quantity'], true, true],
    [['drug', 'strength'], true, false],
    [['patient', 'name'], false, false],
    [['drug', 'nothing'], false, false],
  ])('%j takes a number: %s, whole ones only: %s', (path, number, whole) => {
    expect([wantsNumber(schema, path), wantsWhole(schema, path)]).toEqual([number, whole]);
  });

  test.each([
    [['patient', 'name'], true],
    [['patient', 'sex'], false],
    [['drug'], false],
    [['drug', 'quantity'], false],
    [['kind'], false],
    [['lines', 0, 'text'], true],
    [['patient', 'nothing'], false],
  ])('%j has to be filled: %s', (path, required) => {
    expect(isRequiredAt(schema, path)).toBe(required);
  });

  test.each([
    [['lines', 3, 'text'], true],
    [['lines', 'text'], false],
    [['extra', 'anything', 'below'], true],
    [['patient', 'toString'], false],
    [['patient', 'name', 'below'], false],
  ])('%j is there: %s', (path, there) => {
    expect(hasPlace(schema, path)).toBe(there);
  });

  test('has the name that the schema gives it, inside of what wraps it', () => {
    expect(titleOf(schema.shape.kind)).toBe('Kind of request');
    expect(titleOf(schema.shape.kind.optional())).toBe('Kind of request');
    expect(titleOf(schema.shape.lines)).toBeUndefined();
    const named = z.string().meta({ title: 'Strength' });
    for (const wrapped of [named.optional(), named.nullable(), named.default('5 mg'), named.readonly()])
      expect(titleOf(wrapped)).toBe('Strength');
  });
});

test('the leaves of a body stand in its order, lists as one, and what is free as one', () => {
  expect(leavesOf(schema)).toEqual([
    'patient.name',
    'patient.sex',
    'drug.quantity',
    'drug.strength',
    'kind',
    'lines[].text',
    'extra',
  ]);
  expect([keysOf(schema.shape.drug), keysOf(schema.shape.kind), keysOf(undefined)]).toEqual([
    ['quantity', 'strength'],
    [],
    [],
  ]);
});

test('a part that has to be there is told leaf by leaf, and one that may be absent is not', () => {
  expect(withRequiredParts(schema, { lines: [{}, { text: 'one' }] })).toEqual({
    patient: {},
    lines: [{}, { text: 'one' }],
  });
  // What does not belong there is left for the schema to refuse.
  expect(withRequiredParts(schema, { drug: {}, patient: 'not an object', more: 1 })).toEqual({
    drug: {},
    patient: 'not an object',
    more: 1,
  });
});
