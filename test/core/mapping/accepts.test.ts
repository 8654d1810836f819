import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CreatePriorAuthRequest } from '../../../src/core/contract/documented.ts';
import { CreateEnrollmentRequest } from '../../../src/core/contract/enrollment.ts';
import type { Kind } from '../../../src/core/contract/kinds.ts';
import { acceptsOf } from '../../../src/core/mapping/accepts.ts';
import { listFixtures, loadFixture } from '../../../src/dev/kit/fixture.ts';
import { damaged } from '../../support/damaged.ts';

const root = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'charts');
/** Whether zod takes a value and leaves it as it is, with its keys in their order. */
function isLeft(schema: z.ZodType, value: unknown): boolean {
  const parsed = schema.safeParse(value);
  return parsed.success && textOf(parsed.data) === textOf(value);
}

// JSON leaves out what is undefined.
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (inner === undefined ? 'undefined' : inner));
}

function bodiesOf(kind: Kind): unknown[] {
  return listFixtures(root).flatMap((folder) => {
    const body = loadFixture(folder).expected[kind]?.body;
    return body === undefined ? [] : [body];
  });
}

describe('acceptsOf', () => {
  it.each([
    ['prior-auth', CreatePriorAuthRequest],
    ['enrollment', CreateEnrollmentRequest],
  ] as const)('accepts no body of %s that the schema refuses or changes, and every whole one', (kind, schema) => {
    const accepts = acceptsOf(schema);
    const whole = bodiesOf(kind).filter((body) => isLeft(schema, body));
    expect(whole.length).toBeGreaterThan(5);
    expect(whole.filter((body) => !accepts(body))).toEqual([]);
    for (const body of whole.slice(0, 12))
      for (const other of damaged(body)) if (accepts(other)) expect(isLeft(schema, other)).toBe(true);
  });

  it.each([
    ['a text that would be trimmed', z.strictObject({ a: z.string().trim() }), { a: ' x' }],
    ['keys in another order', z.strictObject({ a: z.string(), b: z.string() }), { b: 'x', a: 'y' }],
    ['a key that the schema does not know', z.strictObject({ a: z.string() }), { a: 'x', b: 1 }],
    ['a required key that is missing', z.strictObject({ a: z.string(), b: z.string().optional() }), { b: 'x' }],
    ['a pattern that does not fit', z.strictObject({ a: z.string().regex(/^\d$/) }), { a: 'x' }],
    ['a refinement that does not hold', z.strictObject({ a: z.string() }).refine(() => false), { a: 'x' }],
    ['what a default would fill in', z.strictObject({ a: z.string().default('x') }), {}],
    ['what a transform would change', z.strictObject({ a: z.string().transform((a) => `${a}!`) }), { a: 'x' }],
    ['an object that would lose keys', z.object({ a: z.string() }), { a: 'x', b: 'y' }],
  ])('leaves to the schema %s', (_, schema, value) => {
    expect(acceptsOf(schema)(value)).toBe(false);
  });

  it('takes quotes, line ends and template marks in keys for text', () => {
    const key = ['\'"`\n', '$', '{process.exit()}\u2028'].join('');
    const accepts = acceptsOf(z.strictObject({ [key]: z.string() }));
    expect([accepts({ [key]: 'x' }), accepts({ [key]: 1 })]).toEqual([true, false]);
  });
});
