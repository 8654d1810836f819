import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeExport } from '../../bench/export/generate.ts';
import type { Scene } from './day.ts';
import { smallDisk } from './small-disk.ts';

const bin = fileURLToPath(new URL('../../../bin/prior-auth-bridge.cjs', import.meta.url));

/** Of exit codes: an invented export has charts that lack something. */
const meanings: Readonly<Record<number, string>> = {
  0: 'all is mapped',
  1: 'all is mapped, and some requests lack something',
};

/** The disk of the output of `map` becomes full; with room again the run goes on, and its output is compared. */
export async function diskFullMap({ folder, say }: Scene): Promise<boolean> {
  const given = join(folder, 'export');
  const whole = join(folder, 'whole');
  mkdirSync(folder, { recursive: true });
  writeExport(given, { patients: 1000, everyActive: 2, bulk: 1 });
  const first = map([given, '--out', whole]);
  say(`On a disk with room map ends with ${first.status}: ${meanings[first.status ?? -1] ?? 'it did not run'}.`);
  const bytes = filesIn(whole).reduce((sum, file) => sum + statSync(file).size, 0);
  const megabytes = Math.max(1, Math.floor(bytes / 2 / (1 << 20)));
  const place = join(folder, 'disk');
  const disk = smallDisk(place, megabytes);
  try {
    const out = join(place, 'out');
    say(`The output has ${Math.round(bytes / (1 << 20))} MB; its disk: ${disk.told}.`);
    const full = map([given, '--out', out], disk.env);
    say(`map ends with ${full.status} and says: ${full.said}`);
    disk.free();
    const again = map([given, '--out', out, '--resume'], disk.env);
    say(
      `With room again map --resume ends with ${again.status}${again.said === '' ? '' : ` and says: ${again.said}`}.`,
    );
    const [wanted, got] = [digestsOf(whole), digestsOf(out)];
    const different = [...new Set([...wanted.keys(), ...got.keys()])].filter(
      (name) => wanted.get(name) !== got.get(name),
    );
    say(
      different.length === 0
        ? `All ${wanted.size} files of the output are the same as of a run that nothing disturbed.`
        : `${different.length} files of the output differ: ${different.slice(0, 10).join(', ')}`,
    );
    return full.status !== first.status && again.status === first.status && different.length === 0;
  } finally {
    disk.remove();
  }
}

// A day that does not change, so that outputs can be compared.
const day = ['--now', '2026-11-21', '--time-zone', 'America/New_York'];

function map(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const ended = spawnSync(process.execPath, [bin, 'map', ...args, '--quiet', ...day], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return { status: ended.status, said: ended.stderr.trim().replaceAll(/\s*\n\s*/g, ' / ') };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

function digestsOf(folder: string): ReadonlyMap<string, string> {
  const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
  return new Map(filesIn(folder).map((file) => [relative(folder, file), digest(file)]));
}
