import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from './run-cli.ts';

const root = join(import.meta.dirname, '../..');
const story = (name: string) => join(root, `fixtures/charts/${name}/bundle.json`);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function json(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8'));
}

test('a complete chart becomes a request file, and the command ends with 0', async () => {
  const out = join(folder, 'complete');
  const { code, out: text } = await cli(['map', story('story-step-therapy'), '--out', out]);
  expect(code).toBe(0);
  expect(text).toContain('1 file, 1 patient, ');
  const [name] = readdirSync(join(out, 'requests'));
  expect(json(join(out, 'requests', name!))).toMatchObject({
    prescription: expect.anything(),
    patient: expect.anything(),
    provider: expect.anything(),
    diagnoses: expect.anything(),
  });
  expect(readdirSync(join(out, 'drafts'))).toEqual([]);
});

test('a chart with gaps becomes a draft that names them, and the command ends with 1', async () => {
  const out = join(folder, 'gaps');
  const { code, out: text } = await cli(['map', story('story-snomed-only'), '--out', out]);
  expect(code).toBe(1);
  expect(text).toMatch(/What is missing, by field[\s\S]*diagnoses/);
  const [name] = readdirSync(join(out, 'drafts'));
  expect(json(join(out, 'drafts', name!))).toMatchObject({
    gaps: expect.arrayContaining([
      expect.objectContaining({ target: expect.stringMatching(/^diagnoses/), severity: 'blocks' }),
    ]),
  });
});

test('the written files can be read by their owner only', async () => {
  const out = join(folder, 'private');
  await cli(['map', story('story-step-therapy'), '--out', out]);
  for (const path of [out, join(out, 'requests'), join(out, 'report.json')])
    expect(statSync(path).mode & 0o077).toBe(0);
});

test('the report names references and fields but holds no value from the chart', async () => {
  const out = join(folder, 'report');
  const bundle = json(story('story-step-therapy'));
  const { out: text } = await cli(['map', story('story-step-therapy'), '--out', out]);
  const patient = (
    bundle.entry as { resource: { resourceType: string; name?: { family: string }[]; birthDate?: string } }[]
  ).find(({ resource }) => resource.resourceType === 'Patient')!.resource;
  const report = readFileSync(join(out, 'report.json'), 'utf8');
  for (const value of [patient.name![0]!.family, patient.birthDate!]) {
    expect(report).not.toContain(value);
    expect(text).not.toContain(value);
  }
});

test('an earlier run is replaced only on request', async () => {
  const out = join(folder, 'again');
  await cli(['map', story('story-step-therapy'), '--out', out]);
  const refused = await cli(['map', story('story-step-therapy'), '--out', out]);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain('--overwrite');
  expect((await cli(['map', story('story-snomed-only'), '--out', out, '--overwrite'])).code).toBe(1);
  expect(readdirSync(join(out, 'requests'))).toEqual([]);
});

test('a folder with other files is never used for output', async () => {
  const out = mkdtempSync(join(folder, 'other-'));
  writeFileSync(join(out, 'thesis.txt'), 'mine');
  const { code, err } = await cli(['map', story('story-step-therapy'), '--out', out, '--overwrite']);
  expect(code).toBe(2);
  expect(err).toContain('holds other files');
  expect(readdirSync(out)).toEqual(['thesis.txt']);
});

test.runIf(existsSync('/proc/self'))(
  'an output folder that can never be made is told, and so is one below it',
  async () => {
    for (const out of ['/proc/never-a-folder', '/proc/never-a-folder/today']) {
      const { code, err } = await cli(['map', story('story-step-therapy'), '--out', out]);
      expect(code).toBe(2);
      expect(err).toContain(`The output folder cannot be used.\n  folder: ${out}\n`);
    }
  },
  5000,
);

test('an output folder is made with the folders above it', async () => {
  const out = join(folder, 'of/this/day');
  expect((await cli(['map', story('story-step-therapy'), '--out', out])).code).toBe(0);
  expect(readdirSync(join(out, 'requests'))).toHaveLength(1);
});

test('--json prints per order the body or draft, gaps and provenance, and writes nothing', async () => {
  const { code, out } = await cli(['map', story('story-step-therapy'), story('story-snomed-only'), '--json']);
  expect(code).toBe(1);
  const { orders, report } = JSON.parse(out) as { orders: Record<string, unknown>[]; report: { totals: object } };
  const ready = orders.find((order) => order.state === 'ready');
  const draft = orders.find((order) => order.state === 'incomplete');
  expect(ready).toMatchObject({
    order: expect.stringMatching(/^MedicationRequest\//),
    body: expect.anything(),
    gaps: expect.any(Array),
    provenance: expect.arrayContaining([expect.objectContaining({ target: 'prescription.quantity' })]),
  });
  expect(draft).toMatchObject({
    draft: expect.anything(),
    gaps: expect.arrayContaining([expect.objectContaining({ severity: 'blocks' })]),
  });
  expect(report.totals).toMatchObject({ files: 2, ready: 1, incomplete: 1 });
  expect(existsSync('prior-auth-out')).toBe(false);
});

test('--ndjson is a filter: bundles in, one result per line out', async () => {
  const stdin = ['story-step-therapy', 'story-no-rxbin']
    .map((name) => `${JSON.stringify(json(story(name)))}\n`)
    .join('');
  const { out } = await cli(['map', '-', '--ndjson'], { stdin });
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line): { file: string; line: number } => JSON.parse(line));
  expect(new Set(lines.map(({ file, line }) => `${file} ${line}`))).toEqual(new Set(['- 1', '- 2']));
});

test('an unreadable bundle is named with its place, the others are mapped, and the command ends with 2', async () => {
  const bad = file(
    'bad.json',
    '{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Patient","name":[{"family":"Wintergr',
  );
  const { code, out } = await cli(['map', bad, story('story-step-therapy'), '--json']);
  expect(code).toBe(2);
  const { orders, report } = JSON.parse(out) as { orders: { state: string }[]; report: { files: object[] } };
  expect(orders.filter((order) => order.state === 'ready')).toHaveLength(1);
  expect(report.files).toContainEqual(
    expect.objectContaining({ file: bad, state: 'unreadable', note: 'it ends too early: the JSON is cut off' }),
  );
  expect(out).not.toContain('Wintergr');
});

test('a bundle without a Patient gets a clear line', async () => {
  const lost = file('lost.json', {
    resourceType: 'Bundle',
    type: 'collection',
    entry: [
      {
        resource: {
          resourceType: 'MedicationRequest',
          id: 'm1',
          status: 'active',
          intent: 'order',
          subject: { reference: 'Patient/p1' },
          medicationCodeableConcept: { text: 'examplumab' },
        },
      },
    ],
  });
  const { code, out } = await cli(['map', lost, '--out', join(folder, 'lost')]);
  expect(code).toBe(1);
  expect(out).toContain(`${lost}: entry[0].resource: MedicationRequest/m1: Patient/p1 is not in the input`);
});

test('a truncated NDJSON line is named by file and line', async () => {
  const cut = file('cut.ndjson', '{"resourceType":"Patient","id":"p1"}\n{"resourceType":"Medi');
  const { code, out } = await cli(['map', cut, '--out', join(folder, 'cut')]);
  expect(code).toBe(2);
  expect(out).toContain(`${cut}: line 2: it ends too early: the JSON is cut off`);
});

test('a path that does not exist ends with 2', async () => {
  const { code, out } = await cli(['map', join(folder, 'nowhere'), '--json']);
  expect(code).toBe(2);
  expect(out).toContain('there is no such file or folder');
});

test('wrong options are explained and end with 2', async () => {
  expect(await cli(['map'])).toMatchObject({
    code: 2,
    err: expect.stringContaining("missing required argument 'paths'"),
  });
  expect(await cli(['map', 'x', '--mapping', 'nonsense'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Allowed choices are prior-auth'),
  });
  expect(await cli(['map', 'x', '--time-zone', 'Mars/Olympus'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('It is not the name of a time zone, such as America/New_York.'),
  });
  expect(await cli(['map', 'x', '--now', 'yesterday'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('YYYY-MM-DD'),
  });
  expect(await cli(['mpa'])).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean map?') });
});

test('a site of the sites file gives its mapping and policies', async () => {
  const sites = join(root, 'docs/sites/sites.example.json');
  expect((await cli(['map', story('story-step-therapy'), '--json', '--sites', sites, '--site', 'valley'])).code).toBe(
    0,
  );
  expect(
    await cli(['map', story('story-step-therapy'), '--json', '--sites', sites, '--site', 'nowhere']),
  ).toMatchObject({
    code: 3,
    err: expect.stringContaining('Name one of: valley, lakeside'),
  });
  expect(await cli(['map', 'x', '--site', 'valley', '--sites', join(folder, 'none.json')])).toMatchObject({
    code: 3,
    err: expect.stringContaining('cannot be read'),
  });
});

test('enrollments are written with a word about consent', async () => {
  const sites = join(root, 'docs/sites/sites.example.json');
  const { err } = await cli([
    'map',
    story('story-step-therapy'),
    '--json',
    '--mapping',
    'enrollment',
    '--sites',
    sites,
    '--site',
    'valley',
  ]);
  expect(err).toContain('recorded consent');
});

test('help tells what is read, what is written and the exit codes', async () => {
  const { code, out } = await cli(['map', '--help']);
  expect(code).toBe(0);
  expect(out).toMatch(/Reads[\s\S]*Writes[\s\S]*Examples[\s\S]*Exit codes/);
});

test('an empty folder is told, ends with 2 and leaves nothing behind', async () => {
  const empty = mkdtempSync(join(folder, 'empty-'));
  const out = join(folder, 'of-nothing');
  for (const how of [['--out', out], ['--json'], ['--ndjson']]) {
    const { code, out: text, err } = await cli(['map', empty, ...how]);
    expect({ code, text }).toEqual({ code: 2, text: '' });
    expect(err).toContain(`There is no FHIR in the input.\n  input:\n    ${empty}\nNext: Name files or folders`);
  }
  expect(existsSync(out)).toBe(false);
});

test('files without any FHIR, and a pipe that gives nothing, are told and end with 2', async () => {
  const text = file('notes.txt', 'hello');
  const ran = await cli(['map', text, '--out', join(folder, 'of-texts')]);
  expect(ran.code).toBe(2);
  expect(ran.out).toContain(`${text}: not JSON`);
  expect(ran.err).toContain('There is no FHIR in the input.');
  expect(await cli(['map', '-', '--ndjson'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('no FHIR in the input'),
  });
});

test('FHIR without a medication order ends with 0 and says that there is none', async () => {
  const patient = file('patient.json', { resourceType: 'Patient', id: 'p1' });
  const { code, out } = await cli(['map', patient, '--out', join(folder, 'no-orders')]);
  expect(code).toBe(0);
  expect(out).toContain('no medication orders; mapping prior-auth');
});

test('each incomplete order is listed with the fields that it lacks', async () => {
  const snomed = story('story-snomed-only');
  const { out } = await cli(['map', snomed, '--out', join(folder, 'lacks')]);
  expect(out).toMatch(
    new RegExp(
      `Incomplete, and what is missing\n  ${snomed}: .*MedicationRequest/snomed-order of ` +
        'Patient/snomed-patient: diagnoses \\(the chart has no code for it\\)\n',
    ),
  );
  expect(out).toContain('\n  1 incomplete\n');
});

test('a duplicate is listed with what it repeats', async () => {
  const first = story('story-step-therapy');
  const copy = file('copy.json', readFileSync(first, 'utf8'));
  const { out } = await cli(['map', first, copy, '--out', join(folder, 'twice')]);
  expect(out).toMatch(
    /Duplicates\n {2}.*copy\.json: .*: the same request as MedicationRequest\/steptx-order \(.*story-step-therapy/,
  );
});

test('colors are for a terminal only, and not where NO_COLOR is set', async () => {
  const ansi = '\u001B[';
  const map = (name: string, how: object) =>
    cli(['map', story('story-snomed-only'), '--out', join(folder, name)], how).then(({ out }) => out);
  const colored = await map('terminal', { isTTY: true });
  expect(colored).toContain(`${ansi}33m1 incomplete${ansi}39m`);
  expect(await map('pipe', {})).not.toContain(ansi);
  expect(await map('no-color', { isTTY: true, env: { NO_COLOR: '1' } })).not.toContain(ansi);
  expect(await map('dumb', { isTTY: true, env: { TERM: 'dumb' } })).not.toContain(ansi);
});

test('a path that is not there leaves no output folder behind', async () => {
  const out = join(folder, 'mistyped');
  expect(await cli(['map', join(folder, 'no-such-folder'), '--out', out])).toMatchObject({ code: 2 });
  expect(existsSync(out)).toBe(false);
});
