import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run, for what several files need and is slow to make. */
    readonly shared: string;
  }
}

// In memory where the system has such a place with room: a store is a thousand files, and each commit waits for its
// disk. The slow tests kill, fill and measure, and keep to the disk.
const inMemory = '/dev/shm';
const roomNeeded = 4 * 1024 ** 3;
const prefix = 'bridge-shared-';

// One for all projects of the run in each place: vitest loads this file once for each.
const name = `${prefix}${process.pid}-${Math.round(performance.timeOrigin)}`;

/** vitest calls it before the tests of each project, and what it answers with after them. */
export function setup(project: TestProject): () => void {
  const place = project.name !== 'long' && hasRoom() ? inMemory : tmpdir();
  removeLeftovers(place);
  const shared = join(place, name);
  mkdirSync(shared, { recursive: true, mode: 0o711 });
  project.provide('shared', shared);
  return () => rmSync(shared, { recursive: true, force: true, maxRetries: 3 });
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= roomNeeded;
  } catch {
    return false;
  }
}

/** Folders of runs that were killed. */
function removeLeftovers(place: string): void {
  for (const folder of readdirSync(place)) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(folder)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(place, folder), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
