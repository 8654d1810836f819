import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { installedPostgres } from '../../support/postgres.ts';
import type { Person } from '../person.ts';
import type { Storm } from '../torture.ts';
import type { Store, World } from '../world.ts';
import { atWork, live, type Scene } from './day.ts';

const bin = fileURLToPath(new URL('../../../bin/prior-auth-bridge.cjs', import.meta.url));
const operate = fileURLToPath(new URL('../../../docs/operate/running.md', import.meta.url));

/**
 * A backup while people work, by the commands of docs/operate/running.md; later every process is killed and the store
 * lost, the backup is restored by the commands of docs/operate/running.md, and people go on, but for those who sent
 * after the backup.
 */
export async function backupRestore({ folder, say }: Scene, store: Store): Promise<boolean> {
  if (store === 'postgres' && installedPostgres() === undefined) {
    say('PostgreSQL is not installed below /usr/lib/postgresql: its backup is not tried.');
    return true;
  }
  return await live({
    folder,
    say,
    store,
    async happens(storm) {
      const { world, people } = storm;
      const run = runIn(folder, say);
      const from = new Date().toISOString();
      const early = atWork(storm);
      await early.begun(Math.floor(people.length / 2));
      const backupAt = new Date().toISOString();
      say(`${early.seen.size} people had begun when the backup was made.`);
      const restore = store === 'pglite' ? await ofFolder(world, run) : await ofDatabase(world, run);
      await early.begun(Math.floor((people.length * 3) / 4));
      await pause(5000);
      await early.end();
      const later = await sentSince(storm, backupAt);
      say(`${later.length} requests left between the backup and the loss; ${people.length} people in all.`);
      await killed(world);
      await restore();
      say(`audit verify: ${audit(world)}`);
      await started(world);
      say('The restored store is run on. Who sent after the backup does not send again, as running.md says.');
      const left = people.filter((person) => !later.includes(person));
      const late = atWork(storm, left);
      await late.begun(left.length);
      await late.end();
      const doubled = await createsSince(storm, from, later);
      say(`Of the requests that left after the backup the service has ${doubled}, for ${later.length} patients.`);
      return left;
    },
  });
}

type Run = (block: string, env?: Readonly<Record<string, string>>) => void;

async function ofFolder(world: World, run: Run): Promise<() => Promise<void>> {
  const [backup = '', restore = ''] = commands();
  for (const one of world.processes) await one.end();
  run(backup);
  await started(world);
  return async () => run(restore);
}

async function ofDatabase(world: World, run: Run): Promise<() => Promise<void>> {
  const [, , backup = '', restore = ''] = commands();
  const url = world.cluster?.url ?? '';
  const restored = url.replace(/[^/]*$/, 'restored');
  run(backup, { DATABASE_URL: url });
  return async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('create database restored');
    await client.end();
    run(restore, { NEW_DATABASE_URL: restored });
    for (const one of world.processes) one.change({ DATABASE_URL: restored });
    Object.assign(world.env, { DATABASE_URL: restored });
  };
}

/** The commands of docs/operate/running.md: of the folder its backup and its restoring, of PostgreSQL the same. */
function commands(): readonly string[] {
  const section = /\n## Backup and restore\n([\s\S]*?)\n## /.exec(readFileSync(operate, 'utf8'))?.[1] ?? '';
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  if (blocks.length !== 4) throw new Error(`running.md has ${blocks.length} blocks of commands on backups, not 4`);
  return blocks;
}

function runIn(folder: string, say: (line: string) => void): Run {
  return (block, env = {}) => {
    for (const line of block.trim().split('\n')) say(`$ ${line}`);
    const path = `${installedPostgres() ?? ''}:${process.env.PATH ?? ''}`;
    const ended = spawnSync('bash', ['-ec', block], {
      cwd: folder,
      env: { ...process.env, PATH: path, ...env },
      encoding: 'utf8',
    });
    const said = `${ended.stdout}${ended.stderr}`.trim();
    if (said !== '') say(said);
    if (ended.status !== 0) throw new Error(`the commands of docs/operate/running.md end with ${ended.status}`);
  };
}

function audit(world: World): string {
  const env = { PATH: process.env.PATH ?? '', ...world.env };
  const ended = spawnSync(process.execPath, [bin, 'audit', 'verify'], { env, encoding: 'utf8' });
  return `${ended.stdout}${ended.stderr}`.trim().replaceAll(/\s*\n\s*/g, ' / ');
}

async function killed(world: World): Promise<void> {
  for (const one of world.processes) one.signal('SIGKILL');
  while (world.processes.some(({ isUp }) => isUp)) await pause(50);
}

async function started(world: World): Promise<void> {
  for (const one of world.processes) {
    one.start(0);
    await one.ready();
  }
}

const created = /^(prior_authorization|enrollment|benefit_verification)\.accepted$/;

/** Whose request the service has accepted since then. */
async function sentSince({ world, people }: Storm, since: string): Promise<readonly Person[]> {
  const accepted = (await world.service.ledger.read()).filter(({ kind, at }) => created.test(kind) && at >= since);
  const patients = new Set(accepted.map(({ patient }) => patient));
  return people.filter(({ request }) => patients.has(request.mrn));
}

async function createsSince({ world }: Storm, since: string, of: readonly Person[]): Promise<number> {
  const patients = new Set<unknown>(of.map(({ request }) => request.mrn));
  const accepted = (await world.service.ledger.read()).filter(({ kind, at }) => created.test(kind) && at >= since);
  return accepted.filter(({ patient }) => patients.has(patient)).length;
}
