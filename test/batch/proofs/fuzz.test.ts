import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { differencesOfWays, fuzzLines } from './fuzz.ts';

const folder = mkdtempSync(join(tmpdir(), 'map-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('damaged lines are named, no order holds a value of another patient, and --fast changes nothing', async () => {
  const found = await fuzzLines({ lines: 300, seed: 5, folder: join(folder, 'exports'), say: () => {} });
  expect(found.wrong).toEqual([]);
  expect(differencesOfWays(join(folder, 'exports'), join(folder, 'out'))).toEqual([]);
  expect(found.lines).toBe(600);
  expect(found.rejected).toBeGreaterThan(100);
  expect(found.orders).toBeGreaterThan(100);
});
