import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from './run-cli.ts';

const stories = join(import.meta.dirname, '../../fixtures/charts');

let fixtures = '';
beforeAll(() => {
  fixtures = mkdtempSync(join(tmpdir(), 'fixtures-'));
});
afterAll(() => rmSync(fixtures, { recursive: true }));

function makeCase(name: string, expected: Readonly<Record<string, unknown>>): string {
  const folder = join(fixtures, name);
  mkdirSync(folder, { recursive: true });
  cpSync(join(stories, 'story-snomed-only/bundle.json'), join(folder, 'bundle.json'));
  for (const [file, content] of Object.entries(expected)) writeFileSync(join(folder, file), JSON.stringify(content));
  return folder;
}

const diagnosisGap = [{ target: 'diagnoses', severity: 'blocks', reason: 'choice' }];

test('a case that comes out as expected passes, and the closing line counts', async () => {
  makeCase('good', { 'prior-auth.gaps.json': diagnosisGap });
  expect(await cli(['test', 'good', '--fixtures', fixtures])).toEqual({
    code: 0,
    out: 'ok      good\n\n1 passed, 0 failed\n',
    err: '',
  });
});

test('a difference is told by file and path, and the command ends with 1', async () => {
  makeCase('wrong', {
    'prior-auth.gaps.json': [
      { ...diagnosisGap[0], reason: 'missing' },
      { target: 'provider.npi', severity: 'blocks', reason: 'missing' },
    ],
  });
  const { code, out } = await cli(['test', 'wrong', '--fixtures', fixtures]);
  expect(code).toBe(1);
  expect(out).toContain(
    'FAILED  wrong\n    prior-auth.gaps.json: [0].reason differs\n      - expected "missing"\n      + found ' +
      '"choice"\n    prior-auth.gaps.json: [1] is missing',
  );
  expect(out).toMatch(/\n0 passed, 1 failed\n$/);
});

test('a case without expectations fails: it would prove nothing', async () => {
  makeCase('empty', {});
  expect(await cli(['test', 'empty', '--fixtures', fixtures])).toMatchObject({
    code: 1,
    out: expect.stringContaining('it has no expectation file'),
  });
});

test('a case that cannot be read fails alone', async () => {
  makeCase('fine', { 'prior-auth.gaps.json': diagnosisGap });
  writeFileSync(join(makeCase('fine-but-broken', {}), 'bundle.json'), '{');
  const { code, out } = await cli(['test', 'fine', '--fixtures', fixtures]);
  expect(code).toBe(1);
  expect(out).toContain('ok      fine\n');
  expect(out).toMatch(/FAILED {2}fine-but-broken\n {4}The input cannot be read\. .*bundle\.json/);
});

test('--json holds the same', async () => {
  makeCase('wrong', { 'prior-auth.gaps.json': [] });
  const { out } = await cli(['test', 'wrong', '--fixtures', fixtures, '--json']);
  expect(JSON.parse(out)).toMatchObject({
    passed: 0,
    failed: 1,
    cases: [
      { name: 'wrong', ok: false, diffs: [{ file: 'prior-auth.gaps.json', path: '[0]', actual: diagnosisGap[0] }] },
    ],
  });
});

test('--update records what comes out of both mappings, with messages, options, warnings and choices', async () => {
  const folder = makeCase('renewed', { 'prior-auth.gaps.json': diagnosisGap });
  expect(await cli(['test', 'renewed', '--fixtures', fixtures, '--update'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('updated    renewed: recorded.json'),
  });
  const recorded = JSON.parse(readFileSync(join(folder, 'recorded.json'), 'utf8'));
  expect(Object.keys(recorded)).toEqual(['prior-auth', 'enrollment', 'warnings', 'choices']);
  expect(recorded['prior-auth']).toMatchObject({
    status: 'incomplete',
    gaps: [{ target: 'diagnoses', severity: 'blocks' }],
  });
  expect(recorded['prior-auth'].gaps[0].message).not.toBe('');
  expect((await cli(['test', 'renewed', '--fixtures', fixtures])).code).toBe(0);
});

test('--update leaves what was worked out by hand, and the case still fails', async () => {
  const folder = makeCase('by-hand', { 'prior-auth.gaps.json': [] });
  expect((await cli(['test', 'by-hand', '--fixtures', fixtures, '--update'])).code).toBe(1);
  expect(JSON.parse(readFileSync(join(folder, 'prior-auth.gaps.json'), 'utf8'))).toEqual([]);
});

test('--update writes expectations that the request marks as recorded', async () => {
  const folder = makeCase('marked', { 'prior-auth.gaps.json': [], 'request.json': { expectation: 'recorded' } });
  expect((await cli(['test', 'marked', '--fixtures', fixtures, '--update'])).code).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, 'prior-auth.gaps.json'), 'utf8'))).toEqual(diagnosisGap);
  expect(JSON.parse(readFileSync(join(folder, 'request.json'), 'utf8'))).toEqual({ expectation: 'recorded' });
});

test('a message that an expectation states is compared', async () => {
  makeCase('message', { 'prior-auth.gaps.json': [{ ...diagnosisGap[0], message: 'Another question.' }] });
  const { out } = await cli(['test', 'message', '--fixtures', fixtures]);
  expect(out).toContain('prior-auth.gaps.json: [0].message differs\n      - expected "Another question."');
});

test('a filter that matches nothing ends with 2', async () => {
  expect(await cli(['test', 'no-such-case', '--fixtures', fixtures])).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /^prior-auth-bridge: No mapping case has such a name\.\n[\s\S]*filter: no-such-case\nNext: /,
    ),
  });
});

test('a folder that is not there ends with 2', async () => {
  expect(await cli(['test', '--fixtures', join(fixtures, 'none')])).toMatchObject({ code: 2 });
});
