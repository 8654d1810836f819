import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where one run puts what does not fit into memory. It holds patient data: only its owner can read it. */
export interface Temporary {
  /** A path for a new file; the folder is made when the first one is asked for. */
  path(): string;
  remove(): void;
}

/** What a killed run left behind is removed first, whether this run will need a folder or not. */
export function createTemporary(): Temporary {
  const all = join(tmpdir(), `prior-auth-bridge-${process.getuid?.() ?? -1}`);
  removeAbandoned(all);
  let folder: string | undefined;
  let count = 0;
  const open = (): string => {
    mkdirSync(all, { recursive: true, mode: 0o700 });
    const mine = join(all, `${process.pid}-${randomBytes(6).toString('hex')}`);
    mkdirSync(mine, { mode: 0o700 });
    return mine;
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

/** Where this user may list nothing, no run of this user has left anything. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error))) return [];
    throw error;
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
