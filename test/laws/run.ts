import { openTextCache } from '../../src/core/text-cache.ts';
import { allLaws } from './all-laws.ts';
import type { Broken } from './long-law.ts';

/**
 * The long form of the laws: `npm run proof -- laws` runs all of them, `npm run proof -- laws changes 10000 7` those
 * that it names, over so many charts, with a seed. Prints what is broken by kind, with two examples each.
 */
const args = process.argv.slice(2);
const [count, seed = 20261121] = args.filter((arg) => /^\d+$/.test(arg)).map(Number);
const wanted = args.filter((arg) => !/^\d+$/.test(arg));
const unknown = wanted.filter((name) => !Object.hasOwn(allLaws, name));
if (unknown.length > 0) throw new Error(`No law ${unknown.join(', ')}. Laws: ${Object.keys(allLaws).join(', ')}.`);

openTextCache();
for (const [name, law] of Object.entries(allLaws)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { charts, broken } = await law.run({ count: count ?? law.usual, seed });
  process.stdout.write(`${name}: ${charts} charts, ${broken.length} violations\n`);
  for (const [kind, found] of byCount(broken)) printKind(kind, found);
  if (broken.length > 0) process.exitCode = 1;
}

function byCount(broken: readonly Broken[]): (readonly [string, readonly Broken[]])[] {
  const kinds = [...Map.groupBy(broken, ({ kind }) => kind)];
  return kinds.sort(([, left], [, right]) => right.length - left.length);
}

function printKind(kind: string, found: readonly Broken[]): void {
  process.stdout.write(`  ${found.length} ${kind}\n`);
  for (const { example } of found.slice(0, 2)) process.stdout.write(`      ${example}\n`);
}
