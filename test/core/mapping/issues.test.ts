import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CreateBenefitVerificationRequest } from '../../../src/core/contract/benefit-verification.ts';
import { CreatePriorAuthRequest as CurrentRequest } from '../../../src/core/contract/current.ts';
import { CreatePriorAuthRequest } from '../../../src/core/contract/documented.ts';
import { CreateEnrollmentRequest } from '../../../src/core/contract/enrollment.ts';
import type { Kind } from '../../../src/core/contract/kinds.ts';
import { validated } from '../../../src/core/mapping/issues.ts';
import { valueAt } from '../../../src/core/mapping/target.ts';
import { listFixtures, loadFixture } from '../../../src/dev/kit/fixture.ts';
import { damaged } from '../../support/damaged.ts';

const root = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'charts');

/**
 * What zod alone says of a value in which an empty part stands for each required one that is absent. One that may be
 * empty, but not absent, is named itself.
 */
function byZod(schema: z.ZodType, value: unknown): Expected {
  const filled = structuredClone(value);
  const absent: z.core.$ZodIssue[] = [];
  for (;;) {
    const parsed = schema.safeParse(filled);
    const found = parsed.error?.issues ?? [];
    const issues = withChecks(schema, filled, found);
    const missing = issues.filter((issue) => isPart(issue) && valueAt(filled, issue.path) === undefined);
    for (const issue of missing) put(filled, issue.path, {});
    absent.push(...missing);
    if (missing.length > 0) continue;
    const mayBeEmpty = absent.filter(({ path }) => !issues.some((issue) => isBelow(issue.path, path)));
    const isInOrder = mayBeEmpty.length === 0 && issues === found;
    if (issues.length + mayBeEmpty.length === 0) return { judgment: { data: parsed.data }, isInOrder };
    return { judgment: { issues: [...mayBeEmpty, ...issues] }, isInOrder };
  }
}

interface Expected {
  readonly judgment: unknown;
  /** Whether the issues stand in the order in which zod finds them. */
  readonly isInOrder: boolean;
}

/** Beside a number that is not whole, zod asks no check of a part that holds it: they are asked with a whole one. */
function withChecks(
  schema: z.ZodType,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): readonly z.core.$ZodIssue[] {
  const notWhole = issues.filter((issue) => issue.code === 'invalid_type' && issue.expected === 'int');
  if (notWhole.length === 0) return issues;
  const whole = structuredClone(value);
  for (const { path } of notWhole) put(whole, path, 1);
  const checks = schema.safeParse(whole).error?.issues.filter(({ code }) => code === 'custom') ?? [];
  return [...issues.filter(({ code }) => code !== 'custom'), ...checks];
}

type Path = readonly PropertyKey[];

/** Of a part, and not of an item of a list. */
function isPart(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.expected === 'object' && typeof issue.path.at(-1) === 'string';
}

function isBelow(path: Path, part: Path): boolean {
  return part.every((key, at) => path[at] === key);
}

function put(value: unknown, path: Path, what: unknown): void {
  const parent = valueAt(value, path.slice(0, -1));
  Reflect.set(parent as object, path.at(-1) ?? '', what); // zod looked for a part of it
}

/** With its issues in an order that does not depend on who found them. */
function sorted(judgment: unknown): unknown {
  const issues = (judgment as { readonly issues?: readonly object[] }).issues;
  return issues === undefined ? judgment : { issues: issues.map((issue) => JSON.stringify(issue)).sort() };
}

function wholeBodies(kind: Kind): unknown[] {
  return listFixtures(root).flatMap((folder) => loadFixture(folder).expected[kind]?.body ?? []);
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
    ['prior-auth', 'documented', CreatePriorAuthRequest],
    ['prior-auth', 'current', CurrentRequest],
    ['enrollment', 'enrollment', CreateEnrollmentRequest],
    ['benefit-verification', 'benefit verification', CreateBenefitVerificationRequest],
  ] as const)(
    'says of damaged bodies of %s, judged by the contract %s, what zod says of the whole',
    (kind, _, schema) => {
      let count = 0;
      const bodies = wholeBodies(kind).filter((body) => schema.safeParse(body).success);
      for (const body of bodies.slice(0, 2))
        for (const one of wrong(body)) {
          const { judgment, isInOrder } = byZod(schema, one);
          const given = validated<unknown>(schema, one);
          if (isInOrder) expect(given).toEqual(judgment);
          else expect(sorted(given)).toEqual(sorted(judgment));
          count += 1;
        }
      expect(count).toBeGreaterThan(500);
    },
  );

  it('makes of a value what the schema makes of it', () => {
    const schema = z.strictObject({ a: z.string().trim(), b: z.string().optional() });
    expect(validated(schema, { b: 'y', a: ' x ' })).toEqual({ data: { a: 'x', b: 'y' } });
  });

  it('names each required leaf of a part that is missing, and asks the checks of the whole beside it', () => {
    const part = z.strictObject({ c: z.string(), d: z.string().optional() });
    const schema = z
      .strictObject({ a: part, b: z.array(part).optional() })
      .refine(() => false, { path: ['b'], message: 'never', when: () => true });
    const { issues } = validated(schema, { b: [{ c: 'x' }, { c: 1 }] }) as { issues: z.core.$ZodIssue[] };
    expect(issues.map(({ path, code }) => [path.join('.'), code])).toEqual([
      ['a.c', 'invalid_type'],
      ['b.1.c', 'invalid_type'],
      ['b', 'custom'],
    ]);
  });
});
