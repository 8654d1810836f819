import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Patient } from 'fhir/r4.js';
import { expect, onTestFinished, test } from 'vitest';
import { readSig } from '../../../src/core/drug/dosage/read-sig.ts';
import { type Fixture, loadFixture } from '../../../src/dev/kit/fixture.ts';
import { recordFixture, sigsOf } from '../../../src/dev/kit/record-fixture.ts';
import { cli } from '../../cli/run-cli.ts';
import { orderOf, record, refusalsOfCharts, toldByWords } from './recorded-charts.ts';

const root = join(import.meta.dirname, '../../..');

function resourceOf({ entries }: Fixture, type: string): unknown {
  return entries.find(({ resource }) => resource.resourceType === type)?.resource;
}

// The long tests record every chart.
test('a chart is recorded with the same answers and without its names', async () => {
  expect(await refusalsOfCharts({ every: 8 })).toEqual([]);
});

test('a day that moves onto another day of the chart is no reason to refuse', async () => {
  const fixture = loadFixture(join(root, 'fixtures/charts/story-snomed-only'));
  const now = '2027-01-18T09:00:00Z'; // 63 days after the order
  const later = { ...fixture, request: { ...fixture.request, now } };
  expect((await record(later, orderOf(fixture) ?? '', { shiftDays: -63 })).refusals).toEqual([]);
});

test('a chart whose answers hang on words that are replaced is not recorded', async () => {
  for (const name of toldByWords) {
    const fixture = loadFixture(join(root, 'fixtures/charts', name));
    expect((await record(fixture, orderOf(fixture) ?? '')).refusals).toContainEqual(
      expect.stringMatching(
        /^the mapping now answers: evidence\[\d\]\.title chart \S+ (DocumentReference|MedicationRequest) title$/,
      ),
    );
  }
});

test('directions keep amounts and times alone, and stay whole when a person kept them', async () => {
  const fixture = loadFixture(join(root, 'fixtures/charts/story-no-rxbin'));
  const order = 'MedicationRequest/norx-order';
  const { sigs } = sigsOf(fixture.entries, order);
  const directionsOf = async (keptSigs: readonly string[]) => {
    const { files, refusals } = await record(fixture, order, { keptSigs });
    expect(refusals).toEqual([]);
    const expected = files['expected.json'] as { 'prior-auth': { body: { prescription: { directions: string } } } };
    return expected['prior-auth'].body.prescription.directions;
  };
  expect(sigs).toHaveLength(1);
  expect(await directionsOf(sigs)).toBe(sigs[0]);
  const replaced = await directionsOf([]);
  expect(replaced).not.toBe(sigs[0]);
  expect(readSig(replaced)).toEqual(readSig(sigs[0]));
});

test('a recorded chart can be recorded again', async () => {
  const fixture = loadFixture(join(root, 'fixtures/charts/story-no-rxbin'));
  const { files } = await record(fixture, 'MedicationRequest/norx-order');
  const { entry } = files['bundle.json'] as { entry: Fixture['entries'] };
  const { order } = files['request.json'] as { order: string };
  expect((await record(fixture, order, { entries: entry })).refusals).toEqual([]);
});

test('nothing is written when an identifier of the chart is in a display that stays', async () => {
  const fixture = loadFixture(join(root, 'fixtures/charts/story-no-rxbin'));
  const coding = [{ system: 'http://loinc.org', code: '4548-4', display: 'A1c of QX-9034' }];
  const leaking = fixture.entries.map((entry) => {
    const { resource } = entry;
    if (resource.resourceType === 'MedicationRequest')
      return { ...entry, resource: { ...resource, category: [{ coding }] } as typeof resource };
    if (resource.resourceType !== 'Patient') return entry;
    const { identifier = [] } = resource as Patient;
    return {
      ...entry,
      resource: { ...resource, identifier: [...identifier, { value: 'QX-9034' }] } as typeof resource,
    };
  });
  const { refusals } = await record(fixture, 'MedicationRequest/norx-order', { entries: leaking });
  expect(refusals).toContainEqual(
    expect.stringMatching(
      /^still found at MedicationRequest\/medication-request-\d+ category\[0\]\.coding\[0\]\.display: an identifier$/,
    ),
  );
  expect(refusals.join()).not.toContain('9034');
});

test('nothing is written when a word of a name or an identifier is called a code of a public system', async () => {
  const fixture = loadFixture(join(root, 'fixtures/charts/story-no-rxbin'));
  const family = (resourceOf(fixture, 'Patient') as Patient).name?.[0]?.family ?? '';
  for (const [code, kind] of [
    [family, 'a word of a name'],
    ['QX-9034', 'an identifier'],
  ] as const) {
    const entries = fixture.entries.map((entry) => {
      const { resource } = entry;
      const identifier = [{ value: 'QX-9034' }];
      if (resource.resourceType === 'Practitioner') return { ...entry, resource: { ...resource, identifier } };
      if (resource.resourceType !== 'Coverage') return entry;
      const coding = [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code }];
      return { ...entry, resource: { ...resource, type: { coding } } };
    }) as Fixture['entries'];
    const { refusals } = await record(fixture, 'MedicationRequest/norx-order', { entries });
    expect(refusals.join()).toMatch(new RegExp(`Coverage/\\S+ type\\.coding\\[0\\]\\.code: ${kind}`));
  }
});

test('what stands behind a date does not stay', async () => {
  const fixture = loadFixture(join(root, 'fixtures/charts/story-no-rxbin'));
  const family = (resourceOf(fixture, 'Patient') as Patient).name?.[0]?.family ?? '';
  expect(family).not.toBe('');
  const entries = fixture.entries.map((entry) =>
    entry.resource.resourceType === 'Coverage'
      ? { ...entry, resource: { ...entry.resource, period: { start: `2025-01-02T06:00:00Z ${family}` } } }
      : entry,
  ) as Fixture['entries'];
  const { files, refusals } = await record(fixture, 'MedicationRequest/norx-order', { entries });
  expect(refusals).toEqual([]);
  expect(JSON.stringify(files)).not.toContain(family);
});

test('nothing is written when the expectation tells of the patient', async () => {
  const fixture = loadFixture(join(root, 'fixtures/charts/story-no-rxbin'));
  const [patient] = fixture.entries.filter(({ resource }) => resource.resourceType === 'Patient');
  const family = (patient!.resource as Patient).name?.[0]?.family ?? '';
  const telling = (target: string) => ({
    status: 'incomplete' as const,
    draft: {},
    provenance: [],
    gaps: [{ target, severity: 'blocks', reason: 'missing', message: '', looks: [] } as const],
  });
  const recorded = await recordFixture({
    entries: fixture.entries,
    order: 'MedicationRequest/norx-order',
    request: { now: fixture.request.now },
    map: () => telling(`patient.${family}`),
    seed: 'fixed for this test',
    shiftDays: -91,
  });
  expect(family).not.toBe('');
  expect(recorded.refusals).toContain('still found at expected.json prior-auth.gaps[0].target: a word of a name');
  expect(recorded.refusals.join()).not.toContain(family);
});

test('a site’s own codes have one name in its map and in the chart', async () => {
  const fixture = loadFixture(join(root, 'fixtures/charts/story-no-rxbin'));
  const conceptMaps = [
    {
      resourceType: 'ConceptMap',
      status: 'active',
      group: [
        {
          source: 'https://valley.example/dx',
          target: 'http://hl7.org/fhir/sid/icd-10-cm',
          element: [{ code: 'QUACK1', target: [{ code: 'M05.79', equivalence: 'equivalent' }] }],
        },
      ],
    },
  ];
  const withSite: Fixture = {
    ...fixture,
    request: { ...fixture.request, site: { ...fixture.request.site, conceptMaps } },
  };
  const { files } = await record(withSite, 'MedicationRequest/norx-order');
  const text = JSON.stringify(files['request.json']);
  expect(text).not.toMatch(/QUACK1|valley/);
  expect(text).toContain('M05.79');
});

test('the command writes a fixture that passes at once, and refuses a folder that is there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'record-'));
  try {
    const out = join(folder, 'recorded-case');
    const input = join(root, 'fixtures/charts/story-no-rxbin/bundle.json');
    expect(await cli(['record', input, '--now', '2026-11-21', '--out', out])).toMatchObject({ code: 0 });
    expect(readdirSync(out).sort()).toEqual(['bundle.json', 'expected.json', 'request.json']);
    expect(await cli(['test', '--fixtures', folder])).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 passed, 0 failed'),
    });
    expect(await cli(['record', input, '--out', out])).toMatchObject({ code: 2 });
    const expected = JSON.parse(readFileSync(join(out, 'expected.json'), 'utf8'));
    expected['prior-auth'].body.patient.gender = 'other';
    writeFileSync(join(out, 'expected.json'), JSON.stringify(expected));
    expect(await cli(['test', '--fixtures', folder])).toMatchObject({ code: 1 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the command shows the directions with their mark, and keeps them only when it is given back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'record-sig-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const input = join(root, 'fixtures/charts/vendor-specialty-loading-dose-gives-no-days/bundle.json');
  const out = join(folder, 'loading-dose');
  const command = ['record', input, '--now', '2026-11-21', '--out', out];
  const shown = await cli([...command, '--keep-sig']);
  expect(shown.code).toBe(1);
  expect(existsSync(out)).toBe(false);
  const mark = /--keep-sig ([0-9a-f]{6})\n/.exec(shown.err)?.[1] ?? '';
  expect((await cli([...command, '--keep-sig', '000000'])).code).toBe(1);
  expect(await cli([...command, '--keep-sig', mark])).toMatchObject({ code: 0 });
  const { sigs } = sigsOf(loadFixture(join(input, '..')).entries, orderOf(loadFixture(join(input, '..'))) ?? '');
  const written = readFileSync(join(out, 'bundle.json'), 'utf8');
  for (const sig of sigs) {
    expect(shown.err).toContain(sig);
    expect(written).toContain(sig);
  }
});

test('a case of a site keeps what its overlay names in roles and rules, and maps the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'record-site-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [card, bin] = ['https://river.example/fhir/drug-card', 'https://river.example/fhir/rx-bin'];
  const overlay = {
    name: 'river',
    'prior-auth': { insurance_content: { rx_bin: { from: [`%coverage.extension('${bin}').value`, '%rxBin.value'] } } },
    roles: { coverage: { prefer: [{ when: `extension('${card}').exists()`, text: 'the plan of the drug card' }] } },
  };
  const site = {
    id: 'river',
    name: 'River',
    iss: 'https://ehr.river.example/fhir',
    client: { auth: 'public', id: 'b' },
    service: { url: 'https://s.example', tokenEnv: 'T' },
    overlay: 'overlay.json',
  };
  writeFileSync(join(folder, 'overlay.json'), JSON.stringify(overlay));
  writeFileSync(join(folder, 'sites.json'), JSON.stringify({ sites: [site] }));
  const { entries } = loadFixture(join(root, 'fixtures/charts/story-no-rxbin'));
  const plan = entries.find(({ resource }) => resource.resourceType === 'Coverage');
  const marked = {
    fullUrl: plan?.fullUrl?.replace(/[^/]+$/, 'marked'),
    resource: {
      ...plan?.resource,
      id: 'marked',
      extension: [
        { url: card, valueBoolean: true },
        { url: bin, valueString: '610999' },
      ],
    },
  };
  writeFileSync(
    join(folder, 'chart.json'),
    JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: [...entries, marked] }),
  );
  const options = ['--site', 'river', '--sites', join(folder, 'sites.json')];
  const out = join(folder, 'cases', 'river-case');
  const ran = await cli(['record', join(folder, 'chart.json'), '--now', '2026-11-21', '--out', out, ...options]);
  expect(ran).toMatchObject({ code: 0, err: '' });
  const bundle = readFileSync(join(out, 'bundle.json'), 'utf8');
  expect(bundle).toContain(card);
  expect(bundle).toContain(bin);
  expect(bundle).not.toContain('610999');
  const { body } = JSON.parse(readFileSync(join(out, 'expected.json'), 'utf8'))['prior-auth'];
  expect(body.insurance_content.rx_bin).toMatch(/^\d{6}$/);
  expect(await cli(['test', '--fixtures', join(folder, 'cases'), ...options])).toMatchObject({ code: 0 });
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
  expect(err).toMatch(/^prior-auth-bridge: The input holds several medication orders\.\n {2}orders:\n/);
  expect(err).toMatch(/ {2}orders:\n( {4}.+\n){2}Next: Name one with --order\.\n$/);
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
    err:
      `${cut}: it ends too early: the JSON is cut off\nprior-auth-bridge: The input cannot be read.\nNext: ` +
      'Check the named file and line.\n',
  });
});
