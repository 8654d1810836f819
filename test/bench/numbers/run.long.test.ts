import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './commands.ts';

test('the short form of npm run bench -- numbers measures every number, and none is over its wide limit', () => {
  const flags = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
  const script = join(import.meta.dirname, 'run.ts');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', join(import.meta.dirname, 'from-dist.mjs'), ...flags, script, '--short'],
    { cwd: root, encoding: 'utf8' },
  );
  process.stdout.write(stdout);
  expect(`${stdout}\n${stderr}`).toContain('No number is over its limit.');
  expect(status).toBe(0);
}, 1_800_000);
