import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder on a disk that can be full. */
export interface SmallDisk {
  /** What it is, for people. */
  readonly told: string;
  /** Of the processes that write there. */
  readonly env: Readonly<Record<string, string>>;
  /** Leaves no byte. */
  fill(): void;
  /** Makes room for everything. */
  free(): void;
  remove(): void;
}

/** A file system of so many megabytes where one may be mounted; else writes fail as on one, by a preload. */
export function smallDisk(folder: string, megabytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'bad-day', folder]);
  return mounted.status === 0 ? realDisk(folder, megabytes) : preloaded(folder, megabytes);
}

function realDisk(folder: string, megabytes: number): SmallDisk {
  const filler = join(folder, 'filler');
  return {
    told: `a file system of ${megabytes} MB`,
    env: {},
    fill() {
      for (const size of [1 << 20, 1 << 12, 1]) while (isAppended(filler, Buffer.alloc(size)));
    },
    free() {
      rmSync(filler, { force: true });
      execFileSync('mount', ['-o', 'remount,size=2g', folder]);
    },
    // Who looks at the folder at this moment keeps it busy.
    remove: () => void spawnSync('umount', ['-l', folder]),
  };
}

function isAppended(file: string, bytes: Buffer): boolean {
  try {
    appendFileSync(file, bytes);
    return true;
  } catch {
    return false;
  }
}

function preloaded(folder: string, megabytes: number): SmallDisk {
  const file = `${folder}.full`;
  const preload = new URL('./full.mjs', import.meta.url).href;
  writeFileSync(file, String(megabytes << 20));
  return {
    told:
      'no file system can be mounted by this user, so that writes fail as on a full disk: by order, ' +
      `or after ${megabytes} MB`,
    env: { BAD_DAY_FULL: file, NODE_OPTIONS: `--import ${preload}` },
    fill: () => writeFileSync(file, '0'),
    free: () => rmSync(file, { force: true }),
    remove: () => rmSync(file, { force: true }),
  };
}
