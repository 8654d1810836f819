import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mapLargeBundle } from './large-bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'map-large-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a Bundle of 600 MB is mapped under 1 GiB with --fast, and refused without it in words that name it', () => {
  const { bytes, fast, refused } = mapLargeBundle({ size: 600e6, folder });
  expect(bytes).toBeGreaterThan(600e6);
  expect(fast).toMatchObject({ code: 1, drafts: 1 });
  expect(fast.peak).toBeLessThan(1024);
  expect(refused).toContain('map it with --fast');
});
