import { expect, test } from 'vitest';
import { z } from 'zod';
import { inOurWords } from '../../src/core/issue-words.ts';

const words = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, inOurWords).error?.issues.map(({ message }) => message);

test.each([
  [z.string(), undefined, 'it is missing'],
  [z.union([z.string(), z.int()]), undefined, 'it is missing'],
  [z.string(), 5, 'it must be a text'],
  [z.int(), 1.5, 'it must be a whole number'],
  [z.array(z.string()), 'a', 'it must be a list'],
  [z.record(z.string(), z.string()), 3, 'it must be an object'],
  [z.string().min(1), '', 'it is empty'],
  [z.array(z.string()).min(1), [], 'it is empty'],
  [z.string().max(3), 'long', 'it must have at most 3 characters'],
  [z.number().min(3), 2, 'it must be at least 3'],
  [z.number().positive(), 0, 'it must be more than 0'],
  [z.enum(['a', 'b']), 'c', 'it must be one of a, b'],
  [z.literal('a'), 'c', 'it must be a'],
  [z.url(), 'ehr', 'it must be a URL'],
  [z.iso.date(), 'May', 'it must be a date, as YYYY-MM-DD'],
  [z.string().regex(/^a$/), 'b', 'it must match /^a$/'],
  [z.strictObject({}), { a: 1 }, 'there is no such key here: a'],
  [z.union([z.string(), z.int()]), true, 'it has none of the forms that are allowed here'],
])('%#: a schema and %j give %j', (schema, value, said) => {
  expect(words(schema, value)).toEqual([said]);
});

test('a message of the schema itself stays', () => {
  expect(words(z.string().regex(/^a$/, 'small letters only'), 'B')).toEqual(['small letters only']);
});
