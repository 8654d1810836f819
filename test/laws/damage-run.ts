import { loadBases } from './bases.ts';
import { damagedCharts } from './damage.ts';
import { readingsOf } from './product.ts';

/** The long form of the damaged charts: `npm run laws:damage -- 200000 7` (charts, seed). */
const [count = '200000', seed = '20261121'] = process.argv.slice(2);
const bases = await Promise.all(
  loadBases().map(async (base) => ({ ...base, readings: await readingsOf(base.open().entries) })),
);
const found = new Map<string, { count: number; example: string }>();
for (const { law, detail, base, seed: own, damage } of damagedCharts(bases, {
  count: Number(count),
  seed: Number(seed),
})) {
  const key = `${law}: ${detail
    .replace(/ of \S+( in \S+)*/, '')
    .replace(/\d+/g, 'n')
    .slice(0, 140)}`;
  const known = found.get(key) ?? { count: 0, example: `${base} seed ${own}: ${damage.join(', ')}` };
  found.set(key, { ...known, count: known.count + 1 });
}
process.stdout.write(
  `${count} damaged charts, ${[...found.values()].reduce((sum, one) => sum + one.count, 0)} violations\n`,
);
for (const [key, { count: times, example }] of [...found].sort(([, left], [, right]) => right.count - left.count))
  process.stdout.write(`${times} ${key}\n    ${example}\n`);
process.exitCode = found.size === 0 ? 0 : 1;
