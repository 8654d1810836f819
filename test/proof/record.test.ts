import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Patient } from 'fhir/r4.js';
import { expect, onTestFinished, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { candidateOrders, selectChart } from '../../src/chart/select.ts';
import { readDocuments } from '../../src/documents/read-documents.ts';
import { runMapping } from '../../src/mapping/run/run.ts';
import { type Fixture, listFixtures, loadFixture } from '../../src/proof/fixture.ts';
import { recordFixture } from '../../src/proof/record.ts';
import { cli } from '../cli/run-cli.ts';

const root = join(import.meta.dirname, '../..');
const fixtures = listFixtures(join(root, 'fixtures/charts')).map(loadFixture);

function record(fixture: Fixture, order: string, entries = fixture.entries) {
  return recordFixture({
    entries,
    order,
    request: { now: fixture.request.now, site: fixture.request.site },
    map: async (resources, { order, now, site }) =>
      runMapping(
        mappings['prior-auth']['prior-auth']!,
        selectChart(resources, {
          roles: mappings.roles,
          order,
          now: new Date(now),
          site,
          readings: await readDocuments(resources),
        }),
      ),
    seed: 'fixed for this test',
    shiftDays: -91,
  });
}

/** What a note says decides here, and a recorded note no longer says it: these are refused, since they would answer otherwise. */
const toldByWords = [
  'evidence-note-of-the-visit-that-mentions-hiv-is-not-taken-by-the-sites-policy',
  'evidence-note-of-the-visit-that-names-a-drug-for-hiv-is-not-taken-by-the-sites-policy',
];

/** What is no value is replaced like one, and then the chart answers otherwise: these are refused too. */
const noValues = ['phone-of-fives-is-not-sent', 'name-null-is-a-surname'];

test('every chart we have is recorded with the same answers and without its names', async () => {
  const refused: string[] = [];
  for (const fixture of fixtures.filter(({ name }) => ![...toldByWords, ...noValues].includes(name))) {
    const order = candidateOrders(fixture.entries, {
      roles: mappings.roles,
      now: new Date(fixture.request.now),
      site: fixture.request.site,
    }).find(({ fits }) => fits)?.order;
    if (order === undefined) continue;
    const { refusals, files } = await record(fixture, order);
    const family = fixture.entries.flatMap(({ resource }) =>
      resource.resourceType === 'Patient'
        ? ((resource as Patient).name ?? []).flatMap((name) => name.family ?? [])
        : [],
    );
    const told = family
      .filter((name) => name.length > 3 && JSON.stringify(files['bundle.json']).includes(name))
      .map((name) => `the family name of ${name.length} letters is still there`);
    refused.push(...[...refusals, ...told].map((line) => `${fixture.name}: ${line}`));
  }
  expect(refused).toEqual([]);
});

test('a chart whose answers hang on the words of a note is not recorded', async () => {
  for (const name of toldByWords) {
    const fixture = loadFixture(join(root, 'fixtures/charts', name));
    const order = candidateOrders(fixture.entries, {
      roles: mappings.roles,
      now: new Date(fixture.request.now),
      site: fixture.request.site,
    }).find(({ fits }) => fits)!.order;
    expect((await record(fixture, order)).refusals).toContain(
      'the mapping now answers: evidence[1].title chart DocumentReference title',
    );
  }
});

test('nothing is written when an original value survives', async () => {
  const fixture = loadFixture(join(root, 'fixtures/charts/story-no-rxbin'));
  const leaking = fixture.entries.map((entry) =>
    entry.resource.resourceType === 'MedicationRequest'
      ? { ...entry, resource: { ...entry.resource, instantiatesUri: [familyOf(fixture)] } as typeof entry.resource }
      : entry,
  );
  expect((await record(fixture, 'MedicationRequest/norx-order', leaking)).refusals).toContainEqual(
    expect.stringMatching(
      /^an original value is still at MedicationRequest\/medication-request-\d+ instantiatesUri\[0\]$/,
    ),
  );
});

test('the command writes a fixture that passes at once, and refuses a folder that is there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'record-'));
  try {
    const out = join(folder, 'recorded-case');
    const input = join(root, 'fixtures/charts/story-no-rxbin/bundle.json');
    expect(await cli(['record', input, '--now', '2026-11-21', '--out', out])).toMatchObject({ code: 0 });
    expect(readdirSync(out).sort()).toEqual(['bundle.json', 'prior-auth.gaps.json', 'prior-auth.json', 'request.json']);
    expect(await cli(['test', '--fixtures', folder])).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 passed, 0 failed'),
    });
    expect(await cli(['record', input, '--out', out])).toMatchObject({ code: 2 });
    const expected = JSON.parse(readFileSync(join(out, 'prior-auth.json'), 'utf8'));
    writeFileSync(
      join(out, 'prior-auth.json'),
      JSON.stringify({ ...expected, patient: { ...expected.patient, gender: 'other' } }),
    );
    expect(await cli(['test', '--fixtures', folder])).toMatchObject({ code: 1 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('record of an input with several orders names them and asks for one', async () => {
  const bundle = join(root, 'fixtures/charts/story-no-rxbin/bundle.json');
  const two = mkdtempSync(join(tmpdir(), 'record-two-'));
  onTestFinished(() => rmSync(two, { recursive: true }));
  const { entry, ...rest } = JSON.parse(readFileSync(bundle, 'utf8')) as {
    entry: { fullUrl: string; resource: { id: string } }[];
  };
  const { fullUrl, resource } = entry.find((one) => one.resource.id === 'norx-order')!;
  const more = {
    fullUrl: fullUrl.replace('norx-order', 'another-order'),
    resource: { ...resource, id: 'another-order' },
  };
  writeFileSync(join(two, 'bundle.json'), JSON.stringify({ ...rest, entry: [...entry, more] }));
  const { code, err } = await cli(['record', two, '--out', join(two, 'out')]);
  expect(code).toBe(2);
  expect(err).toMatch(
    /^prior-auth-bridge: The input holds several medication orders\.\n {2}orders:\n( {4}.+\n){2}Next: Name one with --order\.\n$/,
  );
  for (const id of ['norx-order', 'another-order']) expect(err).toContain(`    MedicationRequest/${id}\n`);
  expect(existsSync(join(two, 'out'))).toBe(false);
});

test('record of a file that is cut off names the file and speaks of no order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'record-cut-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const cut = join(folder, 'cut.json');
  writeFileSync(cut, '{"resourceType":"Bundle","entry":[');
  expect(await cli(['record', cut, '--out', join(folder, 'out')])).toEqual({
    code: 2,
    out: '',
    err: `${cut}: it ends too early: the JSON is cut off\nprior-auth-bridge: The input cannot be read.\nNext: Check the named file and line.\n`,
  });
});

function familyOf({ entries }: Fixture): string {
  const patient = entries.find(({ resource }) => resource.resourceType === 'Patient')?.resource as Patient;
  return patient.name?.[0]?.family ?? '';
}
