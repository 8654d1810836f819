import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError } from '../core/errors.ts';
import { toDisk } from './empty-database.ts';

/**
 * The file `release` in a data folder names the release that created its tables. It is checked before the database is
 * opened, since PostgreSQL changes its files on every start and a refused folder must stay unchanged.
 */
const name = 'release';
const firstRelease = '0.1.0';

/** Throws `store_older` if the folder has a database that no release made. */
export function assertReleasedFolder(folder: string): void {
  if (hasDatabase(folder) && !existsSync(join(folder, name))) throw new BridgeError('store_older', { folder });
}

/** Marks a folder that has no database yet. The mark is written to the disk before the database is created. */
export function markRelease(folder: string): void {
  if (hasDatabase(folder)) return;
  writeFileSync(join(folder, name), `${firstRelease}\n`, { mode: 0o600, flush: true });
  toDisk(folder);
}

function hasDatabase(folder: string): boolean {
  const path = join(folder, 'pg');
  return existsSync(path) && readdirSync(path).length > 0;
}
