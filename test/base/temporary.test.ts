import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createTemporary } from '../../src/base/temporary.ts';

const folder = mkdtempSync(join(tmpdir(), 'temporary-'));
const mine = join(folder, `prior-auth-bridge-${process.getuid?.() ?? -1}`);
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('a run that writes no temporary files starts where the folder of these cannot be listed', () => {
  vi.stubEnv('TMPDIR', folder);
  writeFileSync(mine, '');
  createTemporary().remove();
  expect(existsSync(mine)).toBe(true);
});
