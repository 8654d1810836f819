import { loadBases } from './bases.ts';
import { changes } from './changes/index.ts';
import { pairs, singles } from './generator.ts';
import { judge, laws, type Violation } from './laws.ts';
import type { LongLaw } from './long-law.ts';
import { readingsOf } from './product.ts';

/**
 * Every change on every base, and so many pairs of changes. A pair with a change that breaks a law alone is left out.
 */
export const changesLaw: LongLaw = {
  usual: 10_000,
  async run(extent) {
    const bases = loadBases();
    const readings = new Map(
      await Promise.all(bases.map(async (base) => [base.name, await readingsOf(base.open().entries)] as const)),
    );
    const violations: Violation[] = [];
    let charts = 0;
    for (const one of [...singles(bases, changes), ...pairs(bases, changes, extent)]) {
      charts += 1;
      violations.push(...judge(one, readings.get(one.base.name) ?? { texts: {}, images: {} }));
    }
    return { charts, broken: [...Map.groupBy(violations, ({ law }) => law).values()].flatMap(brokenOf) };
  },
};

function brokenOf(found: readonly Violation[]) {
  const alone = found.filter((violation) => violation.changes.length < 2);
  const known = new Set(alone.map(nameOf));
  const paired = found.filter(
    (violation) => !violation.changes.some((change) => known.has(`${change.about} ${change.name}`)),
  );
  return [...alone, ...paired].map((violation) => ({
    kind: `${laws[violation.law]}: ${nameOf(violation)}`,
    example: `${violation.base}: ${violation.detail}`,
  }));
}

function nameOf(violation: Violation): string {
  return violation.changes.map(({ about, name }) => `${about} ${name}`).join(' + ') || 'the base itself';
}
