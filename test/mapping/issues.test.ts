import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { judged } from '../../src/mapping/issues.ts';
import { withRequiredParts } from '../../src/mapping/schema.ts';
import { valueAt } from '../../src/mapping/target.ts';
import { listFixtures, loadFixture } from '../../src/proof/fixture.ts';
import { CreateBenefitVerificationRequest } from '../../src/service/contract/benefit-verification.ts';
import { CreatePriorAuthRequest } from '../../src/service/contract/documented.ts';
import { CreateEnrollmentRequest } from '../../src/service/contract/enrollment.ts';
import { damaged } from '../support/damaged.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

/** What zod alone says of a value: a second time with the required parts that are missing, where one is. */
function byZod(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { data: parsed.data };
  const lacksPart = parsed.error.issues.some(
    (issue) => issue.code === 'invalid_type' && issue.expected === 'object' && valueAt(value, issue.path) === undefined,
  );
  const filled = lacksPart ? schema.safeParse(withRequiredParts(schema, value)).error?.issues : undefined;
  return { issues: filled ?? parsed.error.issues };
}

function wholeBodies(file: string): unknown[] {
  return listFixtures(root).flatMap((folder) => loadFixture(folder).expected[file] ?? []);
}

/** Bodies with one thing wrong, and some of them with two. */
function* wrong(body: unknown): Generator<unknown> {
  let count = 0;
  for (const one of damaged(body)) {
    yield one;
    count += 1;
    if (count % 199 === 0) yield* damaged(one);
  }
}

describe('judged', () => {
  it.each([
    ['prior-auth.json', 'documented', CreatePriorAuthRequest],
    ['enrollment.json', 'enrollment', CreateEnrollmentRequest],
    ['benefit-verification.json', 'benefit verification', CreateBenefitVerificationRequest],
  ])('says of damaged bodies of %s, judged by the contract %s, what zod says of the whole', (file, _, schema) => {
    let count = 0;
    for (const body of wholeBodies(file).slice(0, 2))
      for (const one of wrong(body)) {
        expect(judged<unknown>(schema, one)).toEqual(byZod(schema, one));
        count += 1;
      }
    expect(count).toBeGreaterThan(500);
  });

  it('makes of a value what the schema makes of it', () => {
    const schema = z.strictObject({ a: z.string().trim(), b: z.string().optional() });
    expect(judged(schema, { b: 'y', a: ' x ' })).toEqual({ data: { a: 'x', b: 'y' } });
  });

  it('names each required leaf of a part that is missing, and asks the checks of the whole beside it', () => {
    const part = z.strictObject({ c: z.string(), d: z.string().optional() });
    const schema = z
      .strictObject({ a: part, b: z.array(part).optional() })
      .refine(() => false, { path: ['b'], message: 'never', when: () => true });
    const { issues } = judged(schema, { b: [{ c: 'x' }, { c: 1 }] }) as { issues: z.core.$ZodIssue[] };
    expect(issues.map(({ path, code }) => [path.join('.'), code])).toEqual([
      ['a.c', 'invalid_type'],
      ['b.1.c', 'invalid_type'],
      ['b', 'custom'],
    ]);
  });
});
