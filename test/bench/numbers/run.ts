import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleNumbers } from './bundles.ts';
import { chartNumbers } from './charts.ts';
import { exportNumbers } from './exports.ts';
import { jobNumbers } from './jobs.ts';
import { launchNumbers } from './launch.ts';
import { statedNumbers } from './limits.ts';
import { reviewPageNumbers } from './review-page.ts';
import type { Measured, Wanted } from './row.ts';
import { startNumbers } from './start.ts';
import { type Judged, judge, notMeasured, tableOf } from './table.ts';
import { worklistNumbers } from './worklist.ts';

/**
 * Every number of docs/develop/speed.md in one table, measured in this run as ratios; names those that it did not
 * measure. Ends with exit code 1 when one is over its limit there.
 *
 *   npm run bench -- numbers [--short] [--only charts --only start] [--against ../other-checkout]
 */
const parts: Readonly<Record<string, (wanted: Wanted) => Promise<Measured[]>>> = {
  charts: chartNumbers,
  bundles: bundleNumbers,
  exports: exportNumbers,
  start: startNumbers,
  review: reviewPageNumbers,
  launch: launchNumbers,
  worklist: worklistNumbers,
  jobs: jobNumbers,
};

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: Object.keys(parts) },
    against: { type: 'string' },
  },
});
const { against } = values;
if (against !== undefined && !existsSync(join(against, 'dist'))) throw new Error(`build it first: ${against}`);
const wanted: Wanted = {
  size: values.short ? 'short' : 'full',
  ...(against === undefined ? {} : { against }),
};
const stated = statedNumbers();
const judged: Judged[] = [];
for (const name of values.only) {
  const part = parts[name];
  if (part === undefined) throw new Error(`--only ${name}: none of ${Object.keys(parts).join(', ')}`);
  process.stderr.write(`${name} ...\n`);
  for (const measured of await part(wanted)) judged.push(judge(measured, stated, wanted.size));
}
const over = judged.filter(({ isOver }) => isOver);
process.stdout.write(`${tableOf(judged, wanted.size)}\n\n`);
const left = notMeasured(judged, stated, wanted.size);
if (left.length > 0) process.stdout.write(`Not measured in this run: ${left.join('; ')}.\n`);
for (const { measured, stated: at } of over)
  process.stdout.write(`${measured.name}: ${measured.ratio.toFixed(2)}, at most ${at.limit[wanted.size]}\n`);
process.stdout.write(over.length === 0 ? 'No number is over its limit.\n' : `${over.length} over the limit.\n`);
process.exitCode = over.length === 0 ? 0 : 1;
