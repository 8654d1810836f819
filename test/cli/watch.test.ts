import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { eventually } from '../support/eventually.ts';

let fixtures = '';
beforeAll(() => {
  fixtures = mkdtempSync(join(tmpdir(), 'watch-'));
  cpSync(join(import.meta.dirname, '../../fixtures/charts/story-no-rxbin'), join(fixtures, 'a-case'), {
    recursive: true,
  });
});
afterAll(() => rmSync(fixtures, { recursive: true }));

test('test --watch runs again after a change of a fixture, until it is asked to end', async () => {
  let out = '';
  let stop = (_signal: string) => {};
  const stopped = new Promise<string>((resolve) => {
    stop = resolve;
  });
  const ended = run(['test', '--fixtures', fixtures, '--watch'], {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: () => true },
    stdin: (async function* () {})(),
    env: {},
    clock: () => new Date(),
    stopped: () => stopped,
  });
  await eventually(() => expect(out).toContain('1 passed, 0 failed'));
  const file = join(fixtures, 'a-case', 'expected.json');
  const expected = JSON.parse(readFileSync(file, 'utf8'));
  expected['prior-auth'].body.patient.gender = 'other';
  writeFileSync(file, JSON.stringify(expected));
  await eventually(() =>
    expect(out).toMatch(/expected\.json: prior-auth\.body\.patient\.gender differs[\s\S]*0 passed, 1 failed/),
  );
  stop('SIGINT');
  expect(await ended).toBe(0);
});
