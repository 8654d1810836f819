import type { Resource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { type Element, elementsOf, jsonKindOf } from '../../../../src/core/fhir/model/model.ts';
import { isInShape } from '../../../../src/core/fhir/shape/is-in-shape.ts';
import { readShape } from '../../../../src/core/fhir/shape/read-shape.ts';
import { structureDefinitions } from '../../../support/structure-definitions.ts';

const types = structureDefinitions.filter(({ kind, abstract }) => kind === 'resource' && !abstract);

describe('the quick look and the thorough reading agree', () => {
  test.each(types.map(({ type }) => type))('%s with every element that it may have', (type) => {
    const whole = example(type, 2);
    expect(isInShape(whole)).toBe(true);
    // A foreign key sends it through the thorough reading.
    const read = readShape({ ...whole, foreign: 1 } as Resource);
    expect(read).toEqual({ resource: whole, isUsable: true, misshapen: [], foreign: ['foreign'] });
  });

  test('over 2,000 damaged resources: what is read is in shape, and what is out of shape is told', () => {
    const random = numbers(7);
    const examples = types.map(({ type }) => example(type, 1));
    for (let round = 0; round < 2_000; round += 1) {
      const whole = examples[Math.floor(random() * examples.length)] ?? example('Patient', 1);
      const damaged = damage(whole, random);
      const shape = readShape(damaged);
      expect(isInShape(shape.resource)).toBe(true);
      if (isInShape(damaged)) expect(shape.resource).toBe(damaged);
      else expect(shape.resource).not.toBe(damaged);
    }
  });
});

function example(type: string, depth: number): Resource {
  return { resourceType: type, ...elementsExample(type, depth) } as Resource;
}

function elementsExample(type: string, depth: number): Record<string, unknown> {
  const elements = [...(elementsOf(type)?.values() ?? [])].filter(
    ({ key, type: inner }) =>
      jsonKindOf(inner) !== 'object' || (depth > 0 && (type !== 'Extension' || key === 'extension')),
  );
  return Object.fromEntries(elements.map((element) => [element.key, valueExample(element, depth)]));
}

function valueExample(element: Element, depth: number): unknown {
  const one = oneExample(element.type, depth);
  if (!element.isList) return one;
  return jsonKindOf(element.type) === 'object' ? [one] : [one, null];
}

function oneExample(type: string, depth: number): unknown {
  if (type === 'Resource') return { resourceType: 'Basic', id: 'b' };
  const kind = jsonKindOf(type);
  if (kind === 'object') return elementsExample(type, depth - 1);
  if (kind === 'number') return 1;
  return kind === 'boolean' ? true : 'x';
}

const junk: readonly unknown[] = [null, 7, 'x', true, {}, [], [null], ['x'], [{}], [[]], { extension: {} }];

/** The resource with junk at one place of it. */
function damage(whole: Resource, random: () => number): Resource {
  const copy = structuredClone(whole);
  let at: object = copy;
  for (;;) {
    const keys = Object.keys(at).filter((key) => key !== 'resourceType');
    const key = keys[Math.floor(random() * keys.length)] ?? 'id';
    const inner: unknown = Reflect.get(at, key);
    if (typeof inner !== 'object' || inner === null || random() < 0.4) {
      Reflect.set(at, random() < 0.1 ? `_${key}` : key, junk[Math.floor(random() * junk.length)]);
      return copy;
    }
    at = inner;
  }
}

// Park and Miller: the same numbers in every run.
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
