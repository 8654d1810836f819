import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAndResume } from './kills.ts';

/** kills.long.test.ts at length: `npm run proof -- map-kills 50 1` (kills, seed). */
const [kills = '50', seed = '1'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'map-kills-'));
try {
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const found = await killAndResume({ kills: Number(kills), charts: 450, seed: Number(seed), folder, say });
  say(`${found.kills} kills, ${found.resumed} runs gone on with, ${found.compared} outputs compared:`);
  say(`${found.differences.length} files differ, ${found.left.length} temporary folders left`);
  for (const line of [...found.differences, ...found.failed]) say(line);
  process.exitCode = found.differences.length + found.failed.length + found.left.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
