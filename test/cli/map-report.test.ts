import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Reporter } from '../../src/batch/report/report.ts';
import { fieldLabels } from '../../src/cli/report/field-label.ts';
import { mapPage } from '../../src/cli/report/map-page.tsx';
import { listedOrders } from '../../src/cli/report/orders-table.tsx';
import { reportStyle } from '../../src/cli/report/style.ts';
import { cli } from './run-cli.ts';

const root = join(import.meta.dirname, '../..');
const story = (name: string) => join(root, `fixtures/charts/${name}/bundle.json`);
const folder = mkdtempSync(join(tmpdir(), 'map-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The page of a run over a ready and an incomplete order. */
async function pageOf(name: string, more: readonly string[] = []): Promise<string> {
  const path = join(folder, `${name}.html`);
  const stories = [story('story-step-therapy'), story('story-snomed-only')];
  await cli(['map', ...stories, '--out', join(folder, name), '--report', path, ...more]);
  return readFileSync(path, 'utf8');
}

test('each --report is written, in the form that its name ends with [U12]', async () => {
  const paths = ['a.html', 'a.csv', 'a.ndjson', 'a.json'].map((name) => join(folder, name));
  const reports = paths.flatMap((path) => ['--report', path]);
  await cli(['map', story('story-snomed-only'), '--out', join(folder, 'several'), ...reports]);
  const starts = paths.map((path) => readFileSync(path, 'utf8').slice(0, 5));
  expect(starts).toEqual(['<!doc', 'file,', '{"fil', '{"map']);
});

test('the page counts the states, names fields as the review page does, and says that it is patient data', async () => {
  const page = await pageOf('counted');
  expect(page).toMatch(/<b>1<\/b><span>Ready, /);
  expect(page).toMatch(/<b>1<\/b><span>Incomplete, /);
  expect(page).toContain('<th scope="row">Diagnosis<code>diagnoses</code></th>');
  expect(page).toContain('Handle this page as patient data.');
});

test('the page links to each draft and request, from where it stands', async () => {
  const page = await pageOf('linked');
  const links = [...page.matchAll(/<a href="([^"]+)">(Open \w+)<\/a>/g)];
  expect(links.map(([, , text]) => text).sort()).toEqual(['Open draft', 'Open request']);
  for (const [, href = ''] of links) expect(existsSync(resolve(dirname(join(folder, 'x')), href))).toBe(true);
});

test('with one file for all orders the page says where the lines are, and links to none', async () => {
  const page = await pageOf('lines', ['--format', 'ndjson']);
  expect(page).toContain('in requests.ndjson and drafts.ndjson, one line for each order');
  expect(page).not.toContain('<a href');
});

test('the page holds no name, birth date or address of the patient', async () => {
  const page = await pageOf('without');
  const { entry } = JSON.parse(readFileSync(story('story-snomed-only'), 'utf8')) as {
    entry: { resource: { resourceType: string; name: { family: string }[]; birthDate: string } }[];
  };
  const { name, birthDate } = entry.find(({ resource }) => resource.resourceType === 'Patient')!.resource;
  for (const value of [name[0]!.family, birthDate]) expect(page).not.toContain(value);
});

/** A run with so many orders of two states, the ready ones first. */
function manyOrders(ready: number, incomplete: number) {
  const reporter = new Reporter({ mapping: 'prior-auth', now: new Date('2026-03-02T00:00:00Z') });
  const line = (at: number) => {
    const state = at < ready ? ('ready' as const) : ('incomplete' as const);
    const missing = state === 'ready' ? [] : ['provider.npi'];
    return { file: 'a.ndjson', line: at + 1, order: `MedicationRequest/m${at}`, state, missing };
  };
  const all = Array.from({ length: ready + incomplete }, (_, at) => line(at));
  for (const one of all) reporter.order(one, { drug: 'adalimumab', payer: '', prescriber: '' });
  let read = 0;
  function* lines() {
    for (const one of all) {
      read += 1;
      yield JSON.stringify(one);
    }
  }
  return { whole: { report: reporter.report(), lines }, read: () => read };
}

test('of each state 1,000 orders are listed, incomplete ones first, and the page says of how many', () => {
  const { whole } = manyOrders(3000, 2);
  const orders = listedOrders(whole);
  expect(orders.length).toBe(1002);
  expect(orders.slice(0, 3).map(({ order }) => order)).toEqual([
    'MedicationRequest/m3000',
    'MedicationRequest/m3001',
    'MedicationRequest/m0',
  ]);
  const page = [...mapPage({ ...whole, kind: 'prior-auth', path: 'r.html', format: 'files' })].join('');
  expect(page).toContain('1,002 of 3,002 are listed');
});

test('no more lines of a run are read than are listed', () => {
  const { whole, read } = manyOrders(1500, 0);
  expect(listedOrders(whole).length).toBe(1000);
  expect(read()).toBe(1000);
});

test.each([
  ['provider.npi', 'Prescriber: NPI'],
  ['patient.address.zip_postal_code', 'Patient: ZIP code'],
  ['diagnoses.code', 'Diagnosis'],
  ['diagnoses[1].code', 'Diagnosis'],
  ['no_such.field', 'no_such.field'],
])('the field %s of a prior authorization is called %s', (field, label) => {
  expect(fieldLabels('prior-auth')(field)).toBe(label);
});

test('the page has the colors of the product’s pages', () => {
  const tokens = (css: string) => [...css.matchAll(/--[\w-]+: #[0-9a-f]{6};/g)].map(([token]) => token);
  const product = tokens(readFileSync(join(root, 'src/web/assets/bridge.css'), 'utf8'));
  expect(tokens(reportStyle).filter((token) => !product.includes(token))).toEqual([]);
});

test('a summary comes first, and a line for each file only with --files', async () => {
  const [bundle, out] = [story('story-snomed-only'), join(folder, 'summary')];
  const plain = await cli(['map', bundle, '--out', out]);
  expect(plain.out).toMatch(/^1 file, 1 patient, /);
  expect(plain.out).not.toContain('\nFiles\n');
  const files = await cli(['map', bundle, '--out', out, '--overwrite', '--files']);
  expect(files.out).toMatch(/^1 file, 1 patient, /);
  expect(files.out).toContain(`\nFiles\n  ${bundle}: `);
});
