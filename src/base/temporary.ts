import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Temporary files of one run, for data that does not fit into memory. They hold patient data, so only their owner can
 * read them.
 */
export interface Temporary {
  /** A path for a new file; the folder is created at the first call. */
  path(): string;
  remove(): void;
}

/** Leftovers of a killed run are removed first, whether or not this run will need a folder. */
export function createTemporary(): Temporary {
  const all = join(tmpdir(), `prior-auth-bridge-${process.getuid?.() ?? -1}`);
  removeAbandoned(all);
  let folder: string | undefined;
  let count = 0;
  const open = (): string => {
    mkdirSync(all, { recursive: true, mode: 0o700 });
    return mkdtempSync(join(all, `${process.pid}-`));
  };
  return {
    path: () => {
      folder ??= open();
      count += 1;
      return join(folder, String(count));
    },
    remove: () => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      folder = undefined;
    },
  };
}

function removeAbandoned(all: string): void {
  for (const name of namesIn(all)) {
    const owner = Number(/^(\d+)-/.exec(name)?.[1]);
    if (owner > 0 && !isRunning(owner)) rmSync(join(all, name), { recursive: true, force: true });
  }
}

/** If this user cannot list the folder, no run of this user has left anything in it. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
