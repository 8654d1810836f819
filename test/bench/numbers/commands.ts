import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export const root = join(import.meta.dirname, '../../..');
export const command = join(root, 'bin/prior-auth-bridge.cjs');

/** What a finished command took, as the system says it. */
export interface Took {
  /** Seconds of processor time, user and system, of the process and what it waited for. */
  readonly processor: number;
  /** Seconds on the wall. */
  readonly wall: number;
  /** The most memory that it held, in MiB. */
  readonly peak: number;
  readonly said: string;
}

/** Runs a command to its end. Throws what it said when its exit code is not among `codes`, which are 0 alone. */
export async function run(
  argv: readonly string[],
  {
    codes = [0],
    env = {},
  }: { readonly codes?: readonly number[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Took> {
  const start = performance.now();
  const child = spawn('/usr/bin/env', ['time', '-f', '%M %U %S', ...argv], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, told, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const wall = (performance.now() - start) / 1000;
  if (!codes.includes(Number(code))) throw new Error(`${argv.join(' ')} ended with ${code}\n${told}`);
  const [kilobytes = 0, user = 0, system = 0] = (told.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { processor: user + system, wall, peak: kilobytes / 1024, said };
}
