import { loadBases } from './bases.ts';
import { changes } from './changes/index.ts';
import { type Case, pairs, singles } from './generator.ts';
import { judge, type Law, laws, type Violation } from './laws.ts';
import { readingsOf } from './product.ts';

/** The long form of the laws: `npm run laws -- 10000 7` (charts of two changes, seed). Prints what breaks which law. */
const [count = '10000', seed = '20261121'] = process.argv.slice(2);

const bases = loadBases();
const readings = new Map(
  await Promise.all(bases.map(async (base) => [base.name, await readingsOf(base.open().entries)] as const)),
);
const violations: Violation[] = [];
let charts = 0;

function run(cases: Iterable<Case>): void {
  for (const one of cases) {
    charts += 1;
    violations.push(...judge(one, readings.get(one.base.name) ?? { texts: {}, images: {} }));
  }
}

run(singles(bases, changes));
run(pairs(bases, changes, { count: Number(count), seed: Number(seed) }));
process.stdout.write(
  `${charts} charts of ${bases.length} bases and ${changes.length} changes, ${violations.length} violations\n`,
);
for (const [law, found] of Map.groupBy(violations, (violation) => violation.law)) printLaw(law, found);
process.exitCode = violations.length === 0 ? 0 : 1;

function printLaw(law: Law, found: readonly Violation[]): void {
  process.stdout.write(`\n${laws[law]}: ${found.length}\n`);
  const alone = found.filter((violation) => violation.changes.length < 2);
  const known = new Set(alone.map(nameOf));
  const paired = found.filter(
    (violation) => !violation.changes.some((change) => known.has(`${change.about} ${change.name}`)),
  );
  for (const [name, group] of Map.groupBy([...alone, ...paired], nameOf))
    process.stdout.write(`  ${group.length} ${name} [${group[0]?.base}] ${group[0]?.detail}\n`);
}

function nameOf(violation: Violation): string {
  return violation.changes.map(({ about, name }) => `${about} ${name}`).join(' + ') || 'the base itself';
}
