import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installedPostgres } from '../support/postgres.ts';
import { type TortureOptions, torture } from './torture.ts';

// The short form of `npm run torture`, over the build in dist. What it finds depends on the order in which processes
// run, so it stands outside of the suite, which must give the same result at every run.

const isBuilt = existsSync(new URL('../../dist/src/cli.js', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'torture-short-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const few: Omit<TortureOptions, 'store' | 'webs' | 'workers' | 'folder' | 'kills' | 'cases'> = {
  seed: 1,
  sites: { valley: 'all', lake: 'no-documents' },
  together: 4,
  leavers: 0,
  hurry: 200,
  speed: 20,
  quietSeconds: 90,
  stormSeconds: 60,
  slowSite: false,
  say: () => undefined,
};

const nothing = { lost: 0, doubled: 0, false: 0, 'another patient': 0, 'not said': 0, unfinished: 0 };

const isAsked = process.env.TORTURE !== undefined;

describe.skipIf(!isBuilt || !isAsked)('the short torture run; skipped unless TORTURE is set and dist is built', () => {
  test('on the embedded store: one process is killed and started; nothing is lost, doubled or false', async () => {
    const result = await torture({ ...few, cases: 5, kills: 1, store: 'pglite', webs: 1, workers: 0, folder });
    expect(result.violations).toEqual([]);
    expect(result.counts).toMatchObject({ ...nothing, cases: 5, 'cases that arrived': 5, 'cases at their end': 5 });
    expect(result.violence.kills).toBe(1);
  }, 180_000);

  const without = installedPostgres() === undefined;
  test.skipIf(without)(
    'on PostgreSQL: one process with pages and two workers; skipped where PostgreSQL is not installed',
    async () => {
      const result = await torture({ ...few, cases: 6, kills: 2, store: 'postgres', webs: 1, workers: 2, folder });
      expect(result.violations).toEqual([]);
      expect(result.counts).toMatchObject({ ...nothing, cases: 6, 'cases that arrived': 6, 'cases at their end': 6 });
      expect(result.violence.kills).toBe(2);
    },
    180_000,
  );
});
