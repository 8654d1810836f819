import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { answerRoles, answers } from '../../mappings/index.ts';
import { readFixtureChart } from '../../src/base/fixture-chart.ts';
import { packageRoot } from '../../src/base/package.ts';
import { unreadTypes } from '../../src/batch/unread-types.ts';
import { answersSheet } from '../../src/core/answers/sheet.ts';
import { mapChart } from '../../src/core/roles/map-chart.ts';
import { cli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'answers-'));
afterAll(() => rmSync(folder, { recursive: true }));

function chartOf(name: string): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(readFixtureChart(join(packageRoot, 'fixtures/charts', name))));
  return file;
}

const trials = chartOf('answers-of-a-drug-after-trials-of-others');
const sensitive = chartOf('answers-that-are-sensitive-say-so');
const day = ['--now', '2026-11-21', '--time-zone', 'America/Los_Angeles'];

interface Body {
  readonly evidence?: readonly { readonly title: string; readonly content: Record<string, unknown> }[];
  readonly questionnaires?: readonly { readonly questions: readonly { question: string; answer: string }[] }[];
}

async function bodyOf(args: readonly string[], stdin = ''): Promise<Body> {
  const { out } = await cli(['map', ...args, ...day], { stdin });
  const [first] = args.includes('--json') ? JSON.parse(out).orders : out.split('\n').slice(0, 1).map(parsed);
  return first.body ?? first.draft;
}

const parsed = (line: string) => JSON.parse(line);

function sentSheet({ body, draft, ...request }: Body & { readonly body?: Body; readonly draft?: Body }): string {
  return JSON.stringify((body ?? draft ?? request).evidence);
}

test('map --answers sends the sheet along as the last item of evidence', async () => {
  const { evidence = [] } = await bodyOf([trials, '--json', '--answers']);
  expect(evidence.at(-1)?.title).toBe('Answers');
  // The chart says that etanercept was stopped before it was begun: a person looks at that first.
  expect(evidence.at(-1)?.content.trials).toMatchObject([
    ...['adalimumab', 'apremilast', 'betamethasone / calcipotriene', 'golimumab', 'infliximab', 'leflunomide'].map(
      (ingredient) => ({ ingredient }),
    ),
    ...[
      { ingredient: 'methotrexate', days_covered: 86 },
      { ingredient: 'methotrexate', days_covered: 28 },
    ],
    ...[{ ingredient: 'prednisone' }, { ingredient: 'sulfasalazine' }],
  ]);
  expect(JSON.stringify(evidence)).not.toMatch(/not_counted|contradict/);
});

test('and without it nothing', async () => {
  expect(await bodyOf([trials, '--json'])).not.toHaveProperty('evidence');
});

test('in the profile current as a questionnaire', async () => {
  const { questionnaires = [], evidence } = await bodyOf([
    ...[trials, '--json', '--answers', '--mapping', 'prior-auth-current'],
  ]);
  expect(evidence).toBeUndefined();
  const asked = questionnaires.flatMap(({ questions }) => questions);
  expect(asked.map(({ answer }) => answer.split('\n')[0])).toContain(
    'adalimumab (Humira); 40 mg every other week; from Aug 1, 2024; until Nov 28, 2024; about 120 days, as told; ' +
      'not tolerated: “Injection-site reactions”',
  );
});

test('never with what is sensitive', async () => {
  const { evidence = [] } = await bodyOf([sensitive, '--json', '--answers']);
  const { trials: rows, response, intolerance, severity, tests } = evidence.at(-1)?.content ?? {};
  expect([rows, response, intolerance, severity]).toEqual([undefined, undefined, undefined, undefined]);
  expect(tests).toMatchObject({ results: [{ source: 'Observation/crp2' }] });
  expect(JSON.stringify(evidence)).not.toMatch(/HIV|restricted/);
});

test('never with a result past the window of its test', async () => {
  const sites = join(folder, 'sites.json');
  const example = parsed(readFileSync(join(packageRoot, 'docs/sites/sites.example.json'), 'utf8'));
  const windows = (days: number) => {
    const [valley] = example.sites;
    const answers = { windows: { 'C-reactive protein': days } };
    writeFileSync(sites, JSON.stringify({ ...example, sites: [{ ...valley, answers }] }));
  };
  const results = async () => {
    const { evidence = [] } = await bodyOf([
      ...[sensitive, '--json', '--answers', '--sites', sites, '--site', 'valley'],
    ]);
    return JSON.stringify(evidence.at(-1)?.content.tests ?? {});
  };
  windows(3650);
  expect(await results()).toContain('Observation/crp2');
  windows(1);
  expect(await results()).not.toContain('Observation/crp2');
});

test('as a filter too', async () => {
  const line = `${JSON.stringify(JSON.parse(readFileSync(trials, 'utf8')))}\n`;
  const { evidence = [] } = await bodyOf(['--stdin', '--stdout', '--answers'], line);
  expect(evidence.at(-1)?.title).toBe('Answers');
});

test.each([
  ['files', []],
  ['ndjson', []],
  ['ndjson', ['--fast']],
])('the same into a folder (%s %s), where nothing else reads what it is found in', async (format, more) => {
  const out = join(folder, `out-${format}-${more.length}`);
  await cli(['map', trials, '--out', out, '--format', format, ...more, '--answers', ...day]);
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /^(requests|drafts)(\.ndjson|\/.+\.json)$/.test(name));
  const texts = files.map((name) => readFileSync(join(out, name), 'utf8'));
  const written = format === 'files' ? texts : texts.flatMap((text) => text.trim().split('\n'));
  const told = JSON.parse((await cli(['map', trials, '--json', '--answers', ...day])).out).orders;
  const made = told.filter(({ state }: { state: string }) => ['ready', 'incomplete'].includes(state));
  expect(made.length).toBeGreaterThan(1);
  expect(written.map((text) => sentSheet(parsed(text))).sort()).toEqual(made.map(sentSheet).sort());
});

// As each of these types may look in an export: of the patient, with a drug and a value.
const patient = { reference: 'Patient/p1' };
const unread = [...unreadTypes({ choices: false, along: true })].map((resourceType) => ({
  ...{ resourceType, id: 'unread', status: 'completed', subject: patient, patient, beneficiary: patient },
  ...{ code: { text: 'C-reactive protein' }, valueString: 'unread', conclusion: 'C-reactive protein 9 mg/L' },
  ...{ medicationCodeableConcept: { text: 'cyclosporine 100 mg capsule' }, vaccineCode: { text: 'BCG' } },
  ...{ effectiveDateTime: '2026-11-01', whenHandedOver: '2026-11-01', daysSupply: { value: 30, code: 'd' } },
}));

test('into a folder the sheet reads none of the types that a run leaves aside', async () => {
  const told = async (name: string, resources: readonly object[]) => {
    const chart = JSON.parse(readFileSync(trials, 'utf8'));
    const file = join(folder, `${name}.json`);
    const entry = [...chart.entry, ...resources.map((resource) => ({ resource }))];
    writeFileSync(file, JSON.stringify({ ...chart, entry }));
    const out = join(folder, name);
    await cli(['map', file, '--out', out, '--format', 'ndjson', '--answers', ...day]);
    const lines = ['requests', 'drafts'].map((kind) => join(out, `${kind}.ndjson`)).filter((path) => existsSync(path));
    return lines.flatMap((path) =>
      readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((text) => sentSheet(parsed(text))),
    );
  };
  expect(unread.length).toBeGreaterThan(30);
  const sheets = await told('with-unread', unread);
  expect(sheets).toEqual(await told('without-unread', []));
  expect(sheets.join()).toContain('methotrexate');
  expect(sheets.join()).not.toMatch(/cyclosporine|BCG|\/unread/);
});

test('nor would it, were they read', () => {
  const chart = JSON.parse(readFileSync(trials, 'utf8'));
  const sheets = (resources: readonly object[]) =>
    mapChart(
      { ...chart, entry: [...chart.entry, ...resources.map((resource) => ({ resource }))] },
      { mapping: answers, roles: answerRoles, now: new Date('2026-11-21T15:00:00Z') },
    ).orders.map((one) => one.chart && answersSheet(answers, one.chart).cells);
  expect(sheets(unread)).toEqual(sheets([]));
});

test('but not with an enrollment, which has no place for it', async () => {
  const { err, code } = await cli(['map', trials, '--json', '--answers', '--mapping', 'enrollment', ...day]);
  expect(code).not.toBe(0);
  expect(err).toContain('Leave out --answers');
});

test('the digests of requests are those of the requests alone', async () => {
  const digests = async (name: string, ...args: readonly string[]) => {
    const out = join(folder, name);
    await cli(['map', trials, '--out', out, ...args, ...day]);
    return readFileSync(join(out, 'digests.txt'), 'utf8');
  };
  expect(await digests('with', '--answers')).toBe(await digests('without'));
});
