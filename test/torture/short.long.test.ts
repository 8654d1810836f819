import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installedPostgres } from '../support/postgres.ts';
import { someEhrs } from './ehrs.ts';
import { type TortureOptions, type TortureResult, torture } from './torture.ts';

// The short form of `npm run proof -- torture`, over the build in dist. A busy machine makes it slow, not wrong: what
// is waited for ends by itself, and the limits end only what hangs.

const isBuilt = existsSync(new URL('../../dist/src/cli.js', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'torture-short-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const few: Omit<TortureOptions, 'profile' | 'sites' | 'store' | 'webs' | 'workers' | 'folder' | 'kills' | 'cases'> = {
  seed: 1,
  asked: 0,
  together: 5,
  leavers: 0,
  hurry: 600,
  looksAgain: false,
  speed: 60,
  slowestMs: 1500,
  quietSeconds: 1500,
  stormSeconds: 1200,
  slowSite: false,
  say: () => undefined,
};

const limitMs = 3_000_000;

describe.skipIf(!isBuilt)('the short torture run, over the build in dist; skipped without one', () => {
  test(
    'on the embedded store, benefits too: one process is killed and started; nothing is lost, doubled or false',
    async () => {
      const result = await torture({
        ...few,
        profile: 'current',
        sites: someEhrs('valley', 'lake', 'brook', 'moor', 'marsh'),
        cases: 5,
        kills: 1,
        store: 'pglite',
        webs: 1,
        workers: 0,
        folder,
      });
      expectWhole(result, { cases: 5, kills: 1 });
    },
    limitMs,
  );

  const without = installedPostgres() === undefined;
  test.skipIf(without)(
    'on PostgreSQL: one process with pages and two workers; skipped where PostgreSQL is not installed',
    async () => {
      const result = await torture({
        ...few,
        profile: 'documented',
        sites: someEhrs('valley', 'lake', 'heath', 'grove', 'fen'),
        cases: 6,
        kills: 2,
        store: 'postgres',
        webs: 1,
        workers: 2,
        folder,
      });
      expectWhole(result, { cases: 6, kills: 2 });
    },
    limitMs,
  );
});

/**
 * Nothing is lost, doubled or false, every case came to its end, whatever the people answered on the way, and every
 * process ended cleanly.
 */
function expectWhole(
  { counts, violations, violence, endings }: TortureResult,
  { cases, kills }: { readonly cases: number; readonly kills: number },
): void {
  expect(violations).toEqual([]);
  expect(endings).toEqual([]);
  const ended =
    (counts['cases at their end'] ?? 0) + (counts['enrollments that a person wrongly said had arrived'] ?? 0);
  expect({ cases: counts.cases, ended }).toEqual({ cases, ended: cases });
  expect(violence.kills).toBeGreaterThanOrEqual(kills);
}
