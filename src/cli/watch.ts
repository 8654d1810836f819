import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../base/package.ts';
import type { Io } from './io.ts';

export interface WatchRequest {
  /** The command line to run again, without --watch. */
  readonly argv: readonly string[];
  readonly fixtures: string;
}

/**
 * Runs a command again after each change of a fixture or a mapping, until the process is asked to end. Compiles changed
 * sources first. Each run is a process of its own, since Node.js does not reload modules.
 */
export async function watchAndRun({ argv, fixtures }: WatchRequest, io: Io): Promise<void> {
  const sources = [join(packageRoot, 'mappings'), join(packageRoot, 'src')].filter((folder) => existsSync(folder));
  let dirty: 'no' | 'fixtures' | 'sources' = 'fixtures';
  let running = false;
  const round = async () => {
    if (running || dirty === 'no') return;
    running = true;
    const compile = dirty === 'sources';
    dirty = 'no';
    const built = !compile || (await runNode([join(packageRoot, 'bin/build.mjs')], io)) === 0;
    if (built) await runNode([join(packageRoot, 'bin/prior-auth-bridge.cjs'), ...argv], io);
    io.stderr.write(`${io.clock().toLocaleTimeString()}  waiting for changes; Ctrl+C ends\n`);
    running = false;
    await round();
  };
  // Editors write a file in several steps. One round handles all of them.
  let soon: NodeJS.Timeout | undefined;
  const changed = (what: 'fixtures' | 'sources') => () => {
    dirty = dirty === 'sources' ? 'sources' : what;
    clearTimeout(soon);
    soon = setTimeout(() => void round(), 150);
  };
  const watchers = [
    watch(fixtures, { recursive: true }, changed('fixtures')),
    ...sources.map((folder) => watch(folder, { recursive: true }, changed('sources'))),
  ];
  await round();
  await io.stopped();
  clearTimeout(soon);
  for (const watcher of watchers) watcher.close();
}

function runNode(args: readonly string[], io: Io): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk: Buffer) => void io.stdout.write(chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => void io.stderr.write(chunk.toString()));
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
}
