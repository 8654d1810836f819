import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
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

/** Where this user can list nothing, no run of this user has left anything. */
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
