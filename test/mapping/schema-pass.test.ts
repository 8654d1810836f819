import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compilePass, refused } from '../../src/mapping/schema-pass.ts';
import { CreateEnrollmentRequest, CreatePriorAuthRequest } from '../../src/service/contract.ts';
import { enrollmentBody, priorAuthBody } from '../service/sample.ts';

const evidence = [{ title: 'Lab', date_created: '2026-11-20T00:00:00.000000', content: { value: 7 } }];
const address = { street: '2 Invented Way', country: 'USA', zip_postal_code: '62701-1234' };

const bodies: Readonly<Record<string, readonly [schema: z.ZodType, body: unknown]>> = {
  'a prior authorization': [CreatePriorAuthRequest, priorAuthBody()],
  'a prior authorization with every part': [
    CreatePriorAuthRequest,
    priorAuthBody('Oxaprozin', {
      evidence,
      insurance: [{ file_content: 'aGVsbG8=' }],
      priority: 2,
      pharmacy: { name: 'Corner Pharmacy', address },
      provider: { first_name: 'Ada', last_name: 'Muster', npi: '1234567893', address },
    }),
  ],
  'an enrollment': [CreateEnrollmentRequest, enrollmentBody()],
};

describe.each(Object.entries(bodies))('%s', (_, [schema, body]) => {
  const pass = compilePass(schema);

  test('passes with what the schema makes of it, in the order of the schema', () => {
    expect(JSON.stringify(pass(body))).toBe(JSON.stringify(schema.parse(body)));
  });

  test('passes or is refused as the schema says, whatever stands at one place of it', () => {
    const changed = placesOf(body).flatMap((place) => others.map((other) => withAt(body, place, other)));
    expect(changed.length).toBeGreaterThan(100);
    for (const one of changed) {
      const parsed = schema.safeParse(one);
      expect(JSON.stringify(pass(one)), JSON.stringify(one)).toBe(
        JSON.stringify(parsed.success ? parsed.data : refused),
      );
    }
  });

  test('what says undefined is left to the schema, or passes with what the schema makes of it', () => {
    const changed = placesOf(body).map((place) => withAt(body, place, undefined));
    const passed = changed.filter((one) => pass(one) !== refused);
    expect(passed.length).toBeLessThan(changed.length);
    for (const one of passed) expect(JSON.stringify(pass(one))).toBe(JSON.stringify(schema.parse(one)));
  });
});

test('blanks around a text are taken off before it is measured', () => {
  const pass = compilePass(z.strictObject({ name: z.string().trim().min(1) }));
  expect(pass({ name: ' Ada ' })).toEqual({ name: 'Ada' });
  expect(pass({ name: '  ' })).toBe(refused);
});

test('a key without a place, a missing key and another type are refused', () => {
  const pass = compilePass(z.strictObject({ name: z.string(), more: z.string().optional() }));
  expect(pass({ name: 'Ada' })).toEqual({ name: 'Ada' });
  expect(pass({ name: 'Ada', other: 1 })).toBe(refused);
  expect(pass({ more: 'x' })).toBe(refused);
  expect(pass({ name: 7 })).toBe(refused);
});

const others: readonly unknown[] = [null, 7, -1, 0.5, true, '', '  ', ' x ', 'x', '62701', [], {}, [{}], { key: 'x' }];

type Place = readonly (string | number)[];

/** Every place of a body, and one beside each that it does not have. */
function placesOf(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inside = Object.entries(value).flatMap(([key, inner]) =>
    placesOf(inner, [...at, Array.isArray(value) ? Number(key) : key]),
  );
  const more: Place[] = Array.isArray(value) ? [] : [[...at, 'no_such_key']];
  return [...(at.length === 0 ? [] : [at]), ...inside, ...more];
}

function withAt(value: unknown, [key, ...rest]: Place, other: unknown): unknown {
  if (key === undefined) return other;
  const inner = withAt(Reflect.get(Object(value), key), rest, other);
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? inner : item));
  return { ...Object(value), [key]: inner };
}
