import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { writeExport } from '../../bench/export/generate.ts';
import { createRandom } from '../../torture/random.ts';

export interface Kills {
  readonly kills: number;
  readonly charts: number;
  readonly seed: number;
  /** An empty folder for export, output and temporary files. */
  readonly folder: string;
  readonly say: (line: string) => void;
}

export interface KillsFound {
  readonly kills: number;
  /** Runs that came to their end and were compared, and how many of them had gone on with another. */
  readonly compared: number;
  readonly resumed: number;
  readonly differences: readonly string[];
  /** Runs that ended by themselves and said that something was wrong: exit code and standard error. */
  readonly failed: readonly string[];
  /** What was left in the folder of temporary files. */
  readonly left: readonly string[];
}

const command = join(import.meta.dirname, '../../../bin/prior-auth-bridge.cjs');
const formats = ['ndjson', 'files'] as const;

/**
 * Kills `map` at random moments, goes on with `--resume`, and compares every file of the output with that of a run that
 * nobody disturbed.
 */
export async function killAndResume({ kills, charts, seed, folder, say }: Kills): Promise<KillsFound> {
  const random = createRandom(seed);
  const given = join(folder, 'given');
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  writeInput(given, charts);
  const found = {
    kills: 0,
    compared: 0,
    resumed: 0,
    differences: [] as string[],
    failed: [] as string[],
    left: [] as string[],
  };
  const start = (out: string, format: string, more: readonly string[]) => {
    const args = ['map', given, '--out', out, '--format', format, '--sources', '--workers', '2', ...day];
    const env = { ...process.env, TMPDIR: temporary };
    return spawn(process.execPath, [command, ...args, ...more], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const undisturbed = new Map<string, ReadonlyMap<string, string>>();
  for (const format of formats) {
    const out = join(folder, `whole-${format}`);
    found.failed.push(...saidOf(await endOf(start(out, format, []))));
    undisturbed.set(format, digestsOf(out));
  }
  for (let story = 0; found.kills < kills; story += 1) {
    const format = formats[story % formats.length] ?? 'ndjson';
    const out = join(folder, 'killed');
    rmSync(out, { recursive: true, force: true });
    const before = { kills: found.kills, resumed: found.resumed };
    for (let ended = false; !ended; ) {
      const part = partOf(out);
      if (part !== undefined) found.resumed += 1;
      const run = start(out, format, [part === undefined ? '--overwrite' : '--resume']);
      const end = await killed(run, out, { part: (part ?? 0) + random.between(0, 8), delay: random.between(0, 40) });
      ended = end.signal === undefined;
      if (!ended) found.kills += 1;
      found.failed.push(...saidOf(end));
    }
    found.compared += 1;
    const different = differencesOf(undisturbed.get(format) ?? new Map(), digestsOf(out));
    found.differences.push(...different.map((name) => `${format}, after ${found.kills} kills: ${name}`));
    const counts = [found.kills - before.kills, found.resumed - before.resumed];
    say(`${format}: ${counts[0]} kills, gone on with ${counts[1]} times, ${different.length} files differ`);
  }
  for (const name of readdirSync(temporary)) found.left.push(...readdirSync(join(temporary, name)));
  return found;
}

/** Kills a run once it has done so many parts, a little later, unless it ended before. */
async function killed(
  run: ReturnType<typeof spawn>,
  out: string,
  { part, delay }: { readonly part: number; readonly delay: number },
): Promise<End> {
  const end = endOf(run);
  const watch = setInterval(() => {
    if ((partOf(out) ?? 0) < part) return;
    clearInterval(watch);
    setTimeout(() => run.kill('SIGKILL'), delay);
  }, 5);
  return end.finally(() => clearInterval(watch));
}

/** How many parts of all folders a stopped or running run has done; undefined where none can be gone on with. */
function partOf(out: string): number | undefined {
  const path = join(out, '.run', 'record.db');
  if (!existsSync(path)) return undefined;
  try {
    const record = new DatabaseSync(path);
    try {
      const saved = record.prepare('SELECT count(*) AS parts FROM part WHERE EXISTS (SELECT 1 FROM state)').get();
      return Number(saved?.parts) || undefined;
    } finally {
      record.close();
    }
  } catch {
    // it ended and removed the file meanwhile, or has only begun it
    return undefined;
  }
}

/** A bulk export, and a folder of charts, of which 64 are a part. */
function writeInput(given: string, charts: number): void {
  writeExport(join(given, 'a-bulk'), { patients: 100, everyActive: 2, bulk: 1 });
  mkdirSync(join(given, 'b-charts'));
  for (let at = 0; at < charts; at += 1) {
    const id = at % 10 === 9 ? at - 9 : at;
    const entry = [
      { resourceType: 'Patient', id: `p${id}`, name: [{ family: `Invented${id}` }] },
      {
        resourceType: 'MedicationRequest',
        id: `m${id}`,
        status: 'active',
        intent: 'order',
        subject: { reference: `Patient/p${id}` },
        medicationCodeableConcept: { text: `examplumab ${id} MG Injection` },
      },
    ].map((resource) => ({ resource }));
    const bundle = { resourceType: 'Bundle', type: 'collection', entry };
    writeFileSync(join(given, 'b-charts', `${String(at).padStart(5, '0')}.json`), JSON.stringify(bundle));
  }
}

const day = ['--now', '2026-11-21', '--time-zone', 'America/New_York'];

/** The signal that ended a run, or its exit code, and what it said on standard error. */
interface End {
  readonly signal: NodeJS.Signals | undefined;
  readonly code: number | null;
  readonly said: string;
}

function endOf(run: ReturnType<typeof spawn>): Promise<End> {
  const said: Buffer[] = [];
  run.stderr?.on('data', (bytes: Buffer) => said.push(bytes));
  return new Promise((resolve, reject) => {
    run.on('error', reject);
    run.on('close', (code, signal) =>
      resolve({ signal: signal ?? undefined, code, said: Buffer.concat(said).toString() }),
    );
  });
}

/** Exit code 1 says that orders are incomplete, as all of these do. */
function saidOf({ signal, code, said }: End): string[] {
  return signal === 'SIGKILL' || (code === 1 && said === '') ? [] : [`${signal ?? code}: ${said}`];
}

function digestsOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(
    paths.map((path) => [relative(folder, path), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}

function differencesOf(whole: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const names = [...new Set([...whole.keys(), ...other.keys()])];
  return names.filter((name) => whole.get(name) !== other.get(name));
}
