import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { BridgeError } from '../core/errors.ts';

export interface Lock {
  release(): void;
}

/**
 * Locks a folder for this process. Throws `store_locked` with the folder if another process (or this one) holds the
 * lock, `config_invalid` if this process cannot use the folder. The embedded PostgreSQL does not lock its files, so a
 * second process would lose commits. An open SQLite transaction is the only file lock in Node.js itself that the
 * operating system releases when the process is killed.
 */
export function lockFolder(folder: string): Lock {
  const file = lockFile(folder);
  try {
    file.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (cause) {
    file.close();
    throw new BridgeError('store_locked', { folder }, { cause });
  }
  return { release: () => file.close() };
}

/**
 * Locks a folder, but waits up to `patienceMs` for a process that still holds the lock and is finishing its work.
 * `onWait` is called once if there is a wait.
 */
export async function awaitFolder(folder: string, patienceMs: number, onWait: () => void): Promise<Lock> {
  const end = Date.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return lockFolder(folder);
    } catch (error) {
      if (!(error instanceof BridgeError) || error.code !== 'store_locked' || Date.now() >= end) throw error;
      if (isFirst) onWait();
      await sleep(Math.min(lookAgainMs, end - Date.now()));
    }
  }
}

const lookAgainMs = 100;

function lockFile(folder: string): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, 'lock');
    const file = new DatabaseSync(path);
    chmodSync(path, 0o600);
    return file;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    const problems = [`the data folder ${folder} cannot be used (${code})`];
    throw new BridgeError('config_invalid', { problems }, { cause });
  }
}
