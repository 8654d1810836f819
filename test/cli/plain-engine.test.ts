import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from './run-cli.ts';

const root = join(import.meta.dirname, '../..');

function run(argv: readonly string[], flags: readonly string[]) {
  const transform = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
  return spawnSync(process.execPath, [...transform, ...flags, join(root, 'src/cli.ts'), ...argv], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  });
}

const day = ['--now', '2026-11-21', '--time-zone', 'America/New_York'];
const forbidden = ['--disallow-code-generation-from-strings'];

test('where the host forbids generated code, map tells the same and says once that it takes longer', async () => {
  const cases = ['story-step-therapy', 'story-snomed-only', 'address-of-general-delivery-is-sent'];
  const argv = ['map', ...cases.map((name) => join(root, 'fixtures/charts', name)), '--json', ...day];
  const [usual, plain] = [await cli(argv), run(argv, forbidden)];
  expect(plain.stdout).toBe(usual.out);
  expect(plain.status).toBe(usual.code);
  expect(JSON.parse(plain.stdout).orders.length).toBeGreaterThanOrEqual(3);
  const told = plain.stderr.split('\n').filter((line) => !usual.err.includes(line));
  expect(told).toEqual([
    'prior-auth-bridge: this Node.js forbids generated code (--disallow-code-generation-from-strings): charts are ' +
      'mapped by the plain engine, with the same results, slower',
  ]);
});

test.each(['serve', 'sandbox'])('%s says what it cannot do without generated code, and what to do', (command) => {
  const { status, stderr } = run([command], forbidden);
  expect(status).toBe(3);
  expect(stderr).toContain('NODE_OPTIONS: --disallow-code-generation-from-strings forbids what find-my-way');
});

test('help says nothing of it', () => {
  expect(run(['map', '--help'], forbidden)).toMatchObject({ status: 0, stderr: '' });
});
