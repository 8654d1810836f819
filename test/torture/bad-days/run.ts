import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupRestore } from './backup-restore.ts';
import { clockBack } from './clock-back.ts';
import type { Scene } from './day.ts';
import { diskFullMap } from './disk-full-map.ts';
import { diskFullStore } from './disk-full-store.ts';
import { postgresRestart } from './postgres-restart.ts';

// `npm run proof -- bad-days disk-full`, or `disk-full map` for one part: each says in sentences what happened. Ends
// with 1 when anything was lost, doubled or false.

type Part = (scene: Scene) => Promise<boolean>;

/** By name, the parts of each day by what they are tried on: `pglite` is the embedded store. */
const days: Readonly<Record<string, Readonly<Record<string, Part>>>> = {
  'disk-full': { pglite: diskFullStore, map: diskFullMap },
  'postgres-restart': { postgres: postgresRestart },
  'clock-back': {
    pglite: (scene) => clockBack(scene, 'pglite'),
    postgres: (scene) => clockBack(scene, 'postgres'),
  },
  'backup-restore': {
    pglite: (scene) => backupRestore(scene, 'pglite'),
    postgres: (scene) => backupRestore(scene, 'postgres'),
  },
};

const [asked = 'all', onlyOn] = process.argv.slice(2);
const chosen = asked === 'all' ? Object.keys(days) : [asked];
const say = (line: string) => void process.stdout.write(`${line}\n`);

for (const name of chosen) {
  const parts = days[name];
  if (parts === undefined) {
    say(`There is no day “${name}”: ${Object.keys(days).join(', ')}, all`);
    process.exitCode = 1;
    continue;
  }
  for (const [on, part] of Object.entries(parts).filter(([on]) => onlyOn === undefined || on === onlyOn)) {
    const folder = mkdtempSync(join(tmpdir(), `bad-day-${name}-`));
    say(`\n${name}, ${on} (ledgers and logs in ${folder})`);
    const isWhole = await part({ folder, say }).catch((error: unknown) => {
      say(`It could not be lived to its end: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    });
    say(isWhole ? 'Nothing lost, doubled or false.' : 'Something is wrong: see above.');
    if (!isWhole) process.exitCode = 1;
  }
}
