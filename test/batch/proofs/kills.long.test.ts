import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { killAndResume } from './kills.ts';

const folder = mkdtempSync(join(tmpdir(), 'map-kills-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a run that is killed and gone on with writes the bytes of one that nobody disturbed', async () => {
  const found = await killAndResume({ kills: 8, charts: 450, seed: 7, folder, say: () => {} });
  expect(found).toMatchObject({ differences: [], failed: [], left: [] });
  expect(found.kills).toBeGreaterThanOrEqual(8);
  expect(found.compared).toBeGreaterThan(0);
});
