import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { command, root, run } from './commands.ts';
import { type Measured, medianOf, type Wanted } from './row.ts';

/** What it costs until something is there: a command's help, and with another checkout the sandbox of `npm start`. */
export async function startNumbers({ size, against }: Wanted): Promise<Measured[]> {
  const rounds = size === 'short' ? 3 : 15;
  const help: number[] = [];
  await run([process.execPath, command, 'map', '--help']);
  for (let round = 0; round < rounds; round += 1) {
    // a run is a few hundredths of a second, which is what the system counts in
    const own = await many([process.execPath, command, 'map', '--help']);
    help.push(own / (await many([process.execPath, '-e', '0'])));
  }
  const started = against === undefined ? [] : await npmStart(resolve(against), size === 'short' ? 1 : 3);
  return [{ name: 'map --help', ratio: medianOf(help) }, ...started];
}

async function many(argv: readonly string[]): Promise<number> {
  let processor = 0;
  for (let time = 0; time < 5; time += 1) processor += (await run(argv)).processor;
  return processor;
}

/** A first start, whose data folder is new, and one more; both after a build. */
async function npmStart(other: string, rounds: number): Promise<Measured[]> {
  const ratios = { first: { processor: [], memory: [] }, next: { processor: [], memory: [] } } satisfies Starts;
  for (let round = 0; round < rounds; round += 1) {
    const folders = [root, other].map(() => mkdtempSync(join(tmpdir(), 'bench-start-')));
    for (const start of ['first', 'next'] as const) {
      const [own, before] = [await started(root, folders[0] ?? ''), await started(other, folders[1] ?? '')];
      const at: Starts['first'] = ratios[start];
      at.processor.push(own.processor / before.processor);
      at.memory.push(own.memory / before.memory);
    }
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
  return (['first', 'next'] as const).flatMap((start) => [
    { name: `npm start, ${start} start, processor time`, ratio: medianOf(ratios[start].processor) },
    { name: `npm start, ${start} start, memory`, ratio: medianOf(ratios[start].memory) },
  ]);
}

type Starts = Record<'first' | 'next', { processor: number[]; memory: number[] }>;

/** Processor seconds and the largest peak of one process, in KiB, until the sandbox says that it runs. */
async function started(checkout: string, data: string): Promise<{ processor: number; memory: number }> {
  const port = String(20_000 + Math.floor(Math.random() * 20_000));
  const child = spawn('npm', ['start', '--silent', '--', '--port', port, '--data', data], {
    cwd: checkout,
    detached: true,
    env: { ...process.env, PATH: `${join(checkout, 'node_modules/.bin')}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await answering(child);
    const all = familyOf(child.pid ?? 0);
    return {
      processor: all.reduce((sum, pid) => sum + processorOf(pid), 0),
      memory: Math.max(...all.map(peakOf)),
    };
  } finally {
    const ended = new Promise((done) => child.once('close', done));
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

async function answering(child: ChildProcess): Promise<void> {
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  while (!said.includes('Ctrl+C')) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}: ${said}`);
    await pause(20);
  }
}

/** The process and all that it started. */
function familyOf(first: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name)) parents.set(Number(name), Number(statOf(Number(name))[1]));
  const family = new Set([first]);
  for (const one of family) for (const [pid, parent] of parents) if (parent === one) family.add(pid);
  return [...family];
}

/** User and system time with that of what it has waited for, in hundredths of a second (proc(5)). */
function processorOf(pid: number): number {
  return statOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
}

function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(contentOf(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** The fields behind the name, the state first. */
function statOf(pid: number): string[] {
  const content = contentOf(`/proc/${pid}/stat`);
  return content.slice(content.lastIndexOf(')') + 2).split(' ');
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // it has ended meanwhile
    return '';
  }
}
