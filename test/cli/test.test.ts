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

const expecting = (gaps: readonly object[]) => ({ 'expected.json': { 'prior-auth': { gaps } } });

function readJson(folder: string, file: string) {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

test('a case that comes out as expected passes, and the closing line counts', async () => {
  makeCase('good', expecting(diagnosisGap));
  expect(await cli(['test', 'good', '--fixtures', fixtures])).toEqual({
    code: 0,
    out: 'ok      good\n\n1 passed, 0 failed\n',
    err: '',
  });
});

test('a difference is told by file and path, and the command ends with 1', async () => {
  makeCase(
    'wrong',
    expecting([
      { ...diagnosisGap[0], reason: 'missing' },
      { target: 'provider.npi', severity: 'blocks', reason: 'missing' },
    ]),
  );
  const { code, out } = await cli(['test', 'wrong', '--fixtures', fixtures]);
  expect(code).toBe(1);
  expect(out).toContain(
    'FAILED  wrong\n    expected.json: prior-auth.gaps[0].reason differs\n      - expected "missing"\n      + found ' +
      '"choice"\n    expected.json: prior-auth.gaps[1] is missing',
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
  makeCase('fine', expecting(diagnosisGap));
  writeFileSync(join(makeCase('fine-but-broken', {}), 'bundle.json'), '{');
  const { code, out } = await cli(['test', 'fine', '--fixtures', fixtures]);
  expect(code).toBe(1);
  expect(out).toContain('ok      fine\n');
  expect(out).toMatch(/FAILED {2}fine-but-broken\n {4}The input cannot be read\. .*bundle\.json/);
});

test('--json holds the same', async () => {
  makeCase('wrong', expecting([]));
  const { out } = await cli(['test', 'wrong', '--fixtures', fixtures, '--json']);
  expect(JSON.parse(out)).toMatchObject({
    passed: 0,
    failed: 1,
    cases: [
      {
        name: 'wrong',
        ok: false,
        diffs: [{ file: 'expected.json', path: 'prior-auth.gaps[0]', actual: diagnosisGap[0] }],
      },
    ],
  });
});

test('a file that nothing reads fails its case', async () => {
  makeCase('unread', { ...expecting(diagnosisGap), 'prior-auth.json': {} });
  const { code, out } = await cli(['test', 'unread', '--fixtures', fixtures]);
  expect(code).toBe(1);
  expect(out).toContain('prior-auth.json');
});

test('--update records what the case does not state, of both mappings, with warnings and choices', async () => {
  const folder = makeCase('renewed', expecting(diagnosisGap));
  expect(await cli(['test', 'renewed', '--fixtures', fixtures, '--update'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('updated    renewed: recorded.json'),
  });
  const recorded = readJson(folder, 'recorded.json');
  expect(Object.keys(recorded)).toEqual(['choices', 'enrollment', 'prior-auth', 'warnings']);
  expect(recorded['prior-auth']).toMatchObject({ status: 'incomplete', body: { patient: {} } });
  expect(Object.keys(recorded['prior-auth'].gaps)).toEqual(['diagnoses']);
  expect(Object.keys(recorded['prior-auth'].gaps.diagnoses)).toEqual(['message']);
  expect(recorded.enrollment.gaps.programId).toMatchObject({ severity: 'blocks', reason: 'missing' });
  expect((await cli(['test', 'renewed', '--fixtures', fixtures])).code).toBe(0);
});

test('--update leaves a recording that says the same, whatever the order of its keys', async () => {
  const folder = makeCase('same', expecting(diagnosisGap));
  await cli(['test', 'same', '--fixtures', fixtures, '--update']);
  const entries = Object.entries(readJson(folder, 'recorded.json'));
  const text = JSON.stringify(Object.fromEntries(entries.toReversed()));
  writeFileSync(join(folder, 'recorded.json'), text);
  const { out } = await cli(['test', 'same', '--fixtures', fixtures, '--update']);
  expect(out).toContain('unchanged  same\n');
  expect(readFileSync(join(folder, 'recorded.json'), 'utf8')).toBe(text);
});

test('--update takes out of a recording what is now stated by hand', async () => {
  const folder = makeCase('stated', expecting(diagnosisGap));
  await cli(['test', 'stated', '--fixtures', fixtures, '--update']);
  const { message, options } = readJson(folder, 'recorded.json')['prior-auth'].gaps.diagnoses;
  makeCase('stated', expecting([{ ...diagnosisGap[0], message, options }]));
  const { code, out } = await cli(['test', 'stated', '--fixtures', fixtures]);
  expect(code).toBe(1);
  expect(out).toContain('recorded.json: prior-auth.gaps is missing');
  expect((await cli(['test', 'stated', '--fixtures', fixtures, '--update'])).code).toBe(0);
  expect(readJson(folder, 'recorded.json')['prior-auth'].gaps).toBeUndefined();
});

test('--update leaves what was worked out by hand, and the case still fails', async () => {
  const folder = makeCase('by-hand', expecting([]));
  expect((await cli(['test', 'by-hand', '--fixtures', fixtures, '--update'])).code).toBe(1);
  expect(readJson(folder, 'expected.json')).toEqual({ 'prior-auth': { gaps: [] } });
});

test('--update writes an expectation that the request marks as recorded, and of it what differs', async () => {
  const source = { kind: 'chart', resource: 'Patient/none', path: 'Patient.gender' };
  const folder = makeCase('marked', {
    'expected.json': {
      'prior-auth': { gaps: [], sources: { 'patient.gender': source } },
      enrollment: {
        gaps: [{ target: 'programId', severity: 'blocks', reason: 'missing', message: 'Program id is missing.' }],
      },
    },
    'request.json': { expectation: 'recorded' },
  });
  expect(await cli(['test', 'marked', '--fixtures', fixtures, '--update'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('updated    marked: expected.json, recorded.json'),
  });
  const { 'prior-auth': priorAuth, enrollment } = readJson(folder, 'expected.json');
  expect(priorAuth.gaps).toEqual(diagnosisGap);
  expect(Object.keys(priorAuth.sources)).toEqual(['patient.gender']);
  expect(priorAuth.sources['patient.gender'].resource).toMatch(/^Patient\/(?!none)/);
  expect(enrollment.gaps[0].message).toBe('Program id is missing.');
  expect(readJson(folder, 'request.json')).toEqual({ expectation: 'recorded' });
  expect((await cli(['test', 'marked', '--fixtures', fixtures])).code).toBe(0);
});

test('a message that an expectation states is compared', async () => {
  makeCase('message', expecting([{ ...diagnosisGap[0], message: 'Another question.' }]));
  const { out } = await cli(['test', 'message', '--fixtures', fixtures]);
  expect(out).toContain('expected.json: prior-auth.gaps[0].message differs\n      - expected "Another question."');
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
