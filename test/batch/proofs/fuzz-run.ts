import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { differencesOfWays, fuzzLines } from './fuzz.ts';

/** fuzz.test.ts at length: `npm run proof -- map-fuzz 100000 1` (lines of each kind, seed). */
const [lines = '100000', seed = '1'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'map-fuzz-'));
try {
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const found = await fuzzLines({ lines: Number(lines), seed: Number(seed), folder: join(folder, 'exports'), say });
  say(`${found.lines} lines, ${found.rejected} rejected and named, ${found.orders} orders`);
  say(`the slowest line took ${found.slowest.toFixed(2)} s of the processor`);
  say('the exports again, with one worker, with two and with --fast ...');
  const wrong = [...found.wrong, ...differencesOfWays(join(folder, 'exports'), join(folder, 'out'))];
  say(`${wrong.length} wrong`);
  for (const line of wrong.slice(0, 20)) say(line.slice(0, 2000));
  process.exitCode = wrong.length === 0 && found.slowest < 1 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
