import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { enrollment } from '../../mappings/enrollment.ts';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { listInputs } from '../../src/batch/list-inputs.ts';
import { mapInputs } from '../../src/batch/map.ts';
import type { Entry } from '../../src/core/fhir/bundle.ts';
import { runMapping } from '../../src/core/mapping/run/run.ts';
import type { Chart } from '../../src/core/roles/chart.ts';
import {
  bodies,
  bundle,
  contents,
  coverage,
  folder,
  lines,
  nothing,
  order,
  patient,
  renewFolder,
  run,
  summary,
} from './folder-run.ts';

afterEach(renewFolder);

test('resources of a file are counted in the order of their names, however it is read', async () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ resourceType: at % 2 ? 'Slot' : 'Claim', id: `${at}` }));
  const all = [order('m1', 'Patient/p1'), patient('p1'), ...many];
  const { files } = await run({ 'a/one.json': bundle('collection', ...all), 'b/lines.ndjson': lines(...all) });
  expect(files.map(({ resources }) => Object.entries(resources))).toEqual(
    [1, 2].map(() => [
      ['Claim', 150],
      ['MedicationRequest', 1],
      ['Patient', 1],
      ['Slot', 150],
    ]),
  );
});

test('a bundle is mapped from itself', async () => {
  const { orders, files } = await run({
    'one.json': bundle('collection', patient('p1'), order('m1', 'Patient/p1'), coverage('c1', 'Patient/p1')),
  });
  expect(bodies(orders)).toEqual([
    expect.objectContaining({ order: 'MedicationRequest/m1', patient: 'Patient/p1', coverage: 'Coverage/c1' }),
  ]);
  expect(files).toEqual([
    expect.objectContaining({ file: 'one.json', state: 'read', note: '3 resources; orders: 1 ready' }),
  ]);
});

test('two patients in one bundle each get their own coverage', async () => {
  const { orders } = await run({
    'two.json': bundle(
      'collection',
      patient('p1'),
      patient('p2'),
      order('m1', 'Patient/p1'),
      order('m2', 'Patient/p2'),
      coverage('c2', 'Patient/p2'),
      coverage('c1', 'Patient/p1'),
    ),
  });
  expect(bodies(orders)).toEqual([
    expect.objectContaining({ order: 'MedicationRequest/m1', patient: 'Patient/p1', coverage: 'Coverage/c1' }),
    expect.objectContaining({ order: 'MedicationRequest/m2', patient: 'Patient/p2', coverage: 'Coverage/c2' }),
  ]);
});

test('the same patient id in two bundles is two patients', async () => {
  const { orders } = await run({
    'a.json': bundle('collection', patient('p1'), order('m1', 'Patient/p1')),
    'b.json': bundle('collection', patient('p1'), order('m2', 'Patient/p1'), coverage('c2', 'Patient/p1')),
  });
  expect(bodies(orders)[0]).not.toHaveProperty('coverage');
  expect(bodies(orders)[1]).toHaveProperty('coverage', 'Coverage/c2');
});

test('single resources of a folder are one chart, those of another folder another', async () => {
  const { orders } = await run({
    'a/patient.json': patient('p1'),
    'a/order.json': order('m1', 'Patient/p1'),
    'b/coverage.json': coverage('c1', 'Patient/p1'),
    'c/order.json': order('m3', 'Patient/p1'),
  });
  expect(summary(orders)).toEqual([
    'MedicationRequest/m1 ready',
    'MedicationRequest/m3 cannot_map: Patient/p1 is not in the input',
  ]);
  expect(bodies(orders)[0]).not.toHaveProperty('coverage');
});

test('a folder per resource type is one export', async () => {
  const { orders } = await run({
    'export/Patient/1.json': patient('p1'),
    'export/MedicationRequest/2.json': order('m1', 'Patient/p1'),
    'export/Coverage/3.json': coverage('c1', 'Patient/p1'),
  });
  expect(bodies(orders)).toEqual([expect.objectContaining({ patient: 'Patient/p1', coverage: 'Coverage/c1' })]);
});

test('NDJSON by type is grouped by patient, and practitioners are found by reference and by identifier', async () => {
  const npi = { system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' };
  const { orders } = await run({
    'Patient.ndjson': lines(patient('p1'), patient('p2')),
    'MedicationRequest.ndjson': lines(
      order('m1', 'Patient/p1', { requester: { reference: 'Practitioner/d1' } }),
      order('m2', 'Patient/p2', {
        requester: { reference: 'Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|1234567893' },
      }),
    ),
    'Coverage.ndjson': lines(coverage('c2', 'Patient/p2')),
    'Practitioner.ndjson': lines({ resourceType: 'Practitioner', id: 'd1', identifier: [npi] }),
  });
  expect(bodies(orders)).toEqual([
    expect.objectContaining({ patient: 'Patient/p1', prescriber: 'Practitioner/d1' }),
    expect.objectContaining({ patient: 'Patient/p2', prescriber: 'Practitioner/d1', coverage: 'Coverage/c2' }),
  ]);
});

test('the PractitionerRole that names the prescriber comes along, and where it works', async () => {
  const { orders } = await run({
    'a.ndjson': lines(patient('p1'), order('m1', 'Patient/p1', { requester: { reference: 'Practitioner/d1' } }), {
      resourceType: 'Practitioner',
      id: 'd1',
      name: [{ family: 'Invented' }],
    }),
    'roles.ndjson': lines(
      { resourceType: 'PractitionerRole', id: 'other', practitioner: { reference: 'Practitioner/d2' } },
      {
        resourceType: 'PractitionerRole',
        id: 'r1',
        practitioner: { reference: 'Practitioner/d1' },
        organization: { reference: 'Organization/o1' },
      },
      { resourceType: 'Organization', id: 'o1', name: 'Example Clinic' },
    ),
  });
  expect(bodies(orders)).toEqual([
    expect.objectContaining({
      prescriber: 'Practitioner/d1',
      prescriberRole: 'PractitionerRole/r1',
      practiceOrganization: 'Organization/o1',
    }),
  ]);
});

test('a cut line is named by file and line, and every other line counts', async () => {
  const whole = [patient('p1'), order('m1', 'Patient/p1')].map((one) => JSON.stringify(one));
  const { orders, files } = await run({ 'all.ndjson': [...whole, '{"resourceType":"Coverage","id":"c'].join('\n') });
  expect(summary(orders)).toEqual(['MedicationRequest/m1 ready']);
  expect(files).toEqual([
    expect.objectContaining({
      file: 'all.ndjson',
      state: 'partly',
      problems: [{ line: 3, reason: 'it ends too early: the JSON is cut off' }],
    }),
  ]);
});

test('pages of search results belong together', async () => {
  const page = (...resources: readonly { resourceType: string; id: string }[]) => ({
    resourceType: 'Bundle',
    type: 'searchset',
    entry: resources.map((resource) => ({
      fullUrl: `https://ehr.example/fhir/${resource.resourceType}/${resource.id}`,
      resource,
    })),
  });
  const { orders } = await run({
    'patients.json': page(patient('p1')),
    'orders.json': page(order('m1', 'Patient/p1'), patient('p1')),
    'coverages.json': page(coverage('c1', 'https://ehr.example/fhir/Patient/p1')),
  });
  expect(bodies(orders)).toEqual([expect.objectContaining({ patient: 'Patient/p1', coverage: 'Coverage/c1' })]);
});

test('the same id at two servers is two patients', async () => {
  const at = (base: string, resource: { resourceType: string; id: string }) => ({
    fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
    resource,
  });
  const entry = [
    at('https://a.example/fhir', patient('p1')),
    at('https://a.example/fhir', order('m1', 'Patient/p1')),
    at('https://b.example/fhir', patient('p1')),
    at('https://b.example/fhir', coverage('c1', 'Patient/p1')),
  ];
  const { orders } = await run({ 'both.json': { resourceType: 'Bundle', type: 'collection', entry } });
  expect(summary(orders)).toEqual(['MedicationRequest/m1 ready']);
  expect(bodies(orders)[0]).not.toHaveProperty('coverage');
});

test('absolute and relative references mean the same where only one server is named', async () => {
  const { orders } = await run({
    'a.json': patient('p1'),
    'b.json': order('m1', 'https://ehr.example/fhir/Patient/p1'),
    'c.json': coverage('c1', 'https://ehr.example/fhir/Patient/p1/_history/3'),
  });
  expect(bodies(orders)).toEqual([expect.objectContaining({ patient: 'Patient/p1', coverage: 'Coverage/c1' })]);
});

test('a practitioner leads to the roles that name it, and not to others with the same identifier', async () => {
  const shared = { system: 'http://hl7.org/fhir/sid/us-npi', value: '9999999999' };
  const own = { system: 'https://clinic.example/staff', value: 'd1' };
  writeFileSync(
    join(folder, 'a.ndjson'),
    lines(patient('p1'), order('m1', 'Patient/p1', { requester: { reference: 'Practitioner/d1' } })),
  );
  writeFileSync(
    join(folder, 'b.ndjson'),
    lines(
      { resourceType: 'Practitioner', id: 'd1', identifier: [shared, own] },
      { resourceType: 'Practitioner', id: 'd2', identifier: [shared] },
      { resourceType: 'PractitionerRole', id: 'r1', practitioner: { reference: 'Practitioner/d1' } },
      { resourceType: 'PractitionerRole', id: 'r2', practitioner: { identifier: own } },
      { resourceType: 'PractitionerRole', id: 'r3', practitioner: { reference: 'Practitioner/d2' } },
    ),
  );
  const used: string[] = [];
  const onChart = (_: Chart, entries: readonly Entry[]) =>
    void used.push(...entries.map(({ resource }) => `${resource.resourceType}/${resource.id}`));
  const request = {
    inputs: await listInputs([folder]),
    map: (charts: readonly Chart[]) => charts.map(contents),
    roles: mappings.roles,
    site: { country: 'USA' },
    now: new Date('2026-11-21T12:00:00'),
    stdin: nothing(),
    onChart,
  };
  for await (const event of mapInputs(request)) if (event.kind === 'order') expect(event.outcome.state).toBe('ready');
  expect(used.sort()).toEqual([
    'MedicationRequest/m1',
    'Patient/p1',
    'Practitioner/d1',
    'PractitionerRole/r1',
    'PractitionerRole/r2',
  ]);
});

test('a bundle of practitioners serves the bundles beside it', async () => {
  const { orders, files } = await run({
    'chart.json': bundle(
      'transaction',
      patient('p1'),
      order('m1', 'Patient/p1', { requester: { reference: 'Practitioner/d1' } }),
    ),
    'practitioners.json': bundle('transaction', { resourceType: 'Practitioner', id: 'd1' }),
  });
  expect(bodies(orders)).toEqual([expect.objectContaining({ prescriber: 'Practitioner/d1' })]);
  expect(files.map((file) => file.note)).toEqual([
    '2 resources; orders: 1 ready',
    'no medication order; 1 Practitioner for the other files of its folder',
  ]);
});

test('urn:uuid entries are resolved by fullUrl', async () => {
  const urn = (id: string) => `urn:uuid:00000000-0000-4000-8000-00000000000${id}`;
  const entry = [
    { fullUrl: urn('1'), resource: patient('00000000-0000-4000-8000-000000000001') },
    { fullUrl: urn('2'), resource: order('00000000-0000-4000-8000-000000000002', urn('1')) },
    {
      fullUrl: urn('3'),
      resource: coverage('00000000-0000-4000-8000-000000000003', 'Patient/00000000-0000-4000-8000-000000000001'),
    },
  ];
  const { orders } = await run({ 'urn.json': { resourceType: 'Bundle', type: 'transaction', entry } });
  expect(bodies(orders)).toEqual([
    expect.objectContaining({
      patient: 'Patient/00000000-0000-4000-8000-000000000001',
      coverage: 'Coverage/00000000-0000-4000-8000-000000000003',
    }),
  ]);
});

test('an order that stands twice with the same content is mapped once', async () => {
  const { orders } = await run({
    'a.json': patient('p1'),
    'b.json': order('m1', 'Patient/p1'),
    'c.json': order('m1', 'Patient/p1'),
  });
  expect(summary(orders)).toEqual([
    'MedicationRequest/m1 duplicate: the same order as b.json',
    'MedicationRequest/m1 ready',
  ]);
});

test('the same chart in two exports gives one request', async () => {
  const chart = bundle('collection', patient('p1'), order('m1', 'Patient/p1'));
  const { orders } = await run({ 'a.json': chart, 'b.json': chart });
  expect(summary(orders)).toEqual([
    'MedicationRequest/m1 ready',
    'MedicationRequest/m1 duplicate: the same request as MedicationRequest/m1 (a.json, entry[1].resource)',
  ]);
});

test('drafts that look the same are two when they are about two patients', async () => {
  const chart = (birthDate: string) => bundle('collection', patient('p1', { birthDate }), order('m1', 'Patient/p1'));
  const { orders } = await run(
    { 'a.json': chart('1970-01-01'), 'b.json': chart('1980-01-01'), 'c.json': chart('1970-01-01') },
    [''],
    () => ({
      status: 'incomplete',
      draft: {},
      provenance: [],
      gaps: [],
    }),
  );
  expect(orders.map(({ state }) => state)).toEqual(['incomplete', 'incomplete', 'duplicate']);
});

test('of two versions of an order the newer one is mapped', async () => {
  const version = (lastUpdated: string, text: string) =>
    order('m1', 'Patient/p1', { meta: { lastUpdated }, note: [{ text }] });
  const { orders } = await run({
    'a.json': patient('p1'),
    'b.json': version('2026-10-02T08:00:00Z', 'new'),
    'c.json': version('2026-10-01T08:00:00Z', 'old'),
  });
  expect(summary(orders)).toEqual([
    'MedicationRequest/m1 duplicate: an older version of an order that the input holds in a newer one',
    'MedicationRequest/m1 ready',
  ]);
});

test('two patients with the same id and different content are never guessed between', async () => {
  const { orders, files } = await run({
    'a.json': patient('p1', { birthDate: '1970-01-01' }),
    'b.json': patient('p1', { birthDate: '1980-01-01' }),
    'c.json': order('m1', 'Patient/p1'),
  });
  expect(summary(orders)).toEqual([
    'MedicationRequest/m1 cannot_map: Patient/p1 stands twice with different content and nothing tells which is newer',
  ]);
  expect(files.map((file) => file.conflicts.length)).toEqual([1, 1, 0]);
});

test('a bundle without a Patient costs only its own order', async () => {
  const { orders } = await run({
    'a.json': bundle('collection', order('m1', 'Patient/p9')),
    'b.json': bundle('collection', patient('p1'), order('m2', 'Patient/p1')),
  });
  expect(summary(orders)).toEqual([
    'MedicationRequest/m2 ready',
    'MedicationRequest/m1 cannot_map: Patient/p9 is not in the input',
  ]);
});

test('an order without a patient is named', async () => {
  const { subject: _, ...lost } = order('m1', 'Patient/p1');
  const { orders } = await run({ 'a.json': lost });
  expect(summary(orders)).toEqual(['MedicationRequest/m1 cannot_map: the order names no patient']);
});

test('an order that mapping stumbles over costs none of those that are mapped with it', async () => {
  const stumbles = (chart: Chart) => {
    if (chart.order === 'MedicationRequest/m2') throw new TypeError('of m2');
    return contents(chart);
  };
  const all = ['m1', 'm2', 'm3'].map((id) => order(id, 'Patient/p1'));
  const { orders } = await run({ 'a.json': bundle('collection', patient('p1'), ...all) }, [''], stumbles);
  expect(summary(orders)).toEqual([
    'MedicationRequest/m1 ready',
    'MedicationRequest/m2 cannot_map: the bridge failed on this order (TypeError): report it',
    'MedicationRequest/m3 ready',
  ]);
});

test('an order that is not active is no candidate, and says why', async () => {
  const { orders } = await run({
    'a.json': bundle('collection', patient('p1'), order('m1', 'Patient/p1', { status: 'stopped' })),
  });
  expect(summary(orders)).toEqual(['MedicationRequest/m1 not_eligible: it is stopped']);
});

test('an entry that is no resource is named by its place', async () => {
  const { files } = await run({
    'a.json': {
      resourceType: 'Bundle',
      type: 'collection',
      entry: [
        { resource: patient('p1') },
        { resource: { id: 'x' } },
        'text',
        { request: { method: 'DELETE', url: 'Patient/2' } },
      ],
    },
  });
  expect(files[0]).toMatchObject({
    state: 'partly',
    problems: [
      { path: 'entry[1].resource', reason: 'not a FHIR resource: no resourceType' },
      { path: 'entry[2].resource', reason: 'no resource' },
    ],
  });
});

test('a CDS Hooks request gives its prefetched chart and draft orders', async () => {
  const hook = {
    hook: 'order-sign',
    hookInstance: '1',
    context: { draftOrders: bundle('collection', order('m1', 'Patient/p1')) },
    prefetch: { a: patient('p1'), b: bundle('searchset', coverage('c1', 'Patient/p1')), c: null },
  };
  const { orders } = await run({ 'hook.json': hook });
  expect(bodies(orders)).toEqual([expect.objectContaining({ patient: 'Patient/p1', coverage: 'Coverage/c1' })]);
});

test('S33: of the draft orders of a CDS Hooks request those are mapped that it selects', async () => {
  const draft = (id: string) => order(id, 'Patient/p1', { status: 'draft' });
  const hook = {
    hook: 'order-select',
    hookInstance: '1',
    context: { draftOrders: bundle('collection', draft('m1'), draft('m2')), selections: ['MedicationRequest/m2'] },
    prefetch: { a: patient('p1') },
  };
  const { orders } = await run({ 'hook.json': hook });
  expect(summary(orders)).toEqual(['MedicationRequest/m2 ready', 'MedicationRequest/m1 not_eligible: it is draft']);
});

test('what is nested without end costs nothing but itself', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const odd = `{"resourceType":"Organization","id":"o1","extension":${deep}}`;
  const { orders, files } = await run({
    'a.json': patient('p1'),
    'b.json': order('m1', 'Patient/p1'),
    'c.json': odd,
    'd.json': odd,
    'e.json': `[${JSON.stringify(patient('p2'))},${deep}]`,
  });
  expect(summary(orders)).toEqual(['MedicationRequest/m1 ready']);
  expect(files.map(({ state }) => state)).toEqual(['read', 'read', 'read', 'read', 'partly']);
});

test('a Patient that an order names by identifier alone is found by it', async () => {
  const mrn = { system: 'https://clinic.example/mrn', value: '77' };
  const { orders } = await run({
    'a.ndjson': lines(patient('p1', { identifier: [mrn] }), patient('p2'), {
      ...order('m1', ''),
      subject: { identifier: mrn },
    }),
  });
  expect(bodies(orders)).toEqual([expect.objectContaining({ patient: 'Patient/p1' })]);
});

test('every file has its outcome, also one that does not exist', async () => {
  const { files } = await run({ 'in/a.json': '{', 'in/b.md': '# text', 'in/c.json': '[1]', 'in/.hidden': 'x' }, [
    'in',
    'gone.json',
  ]);
  expect(files.map(({ file, state, note }) => `${file} ${state}: ${note}`)).toEqual([
    'gone.json unreadable: there is no such file or folder',
    'in/a.json unreadable: it ends too early: the JSON is cut off',
    'in/b.md ignored: not JSON',
    'in/c.json ignored: JSON without a FHIR resource',
  ]);
});

test.each([
  ['rx-bin-not-six-digits-is-asked-and-not-sent', 'insurance_content.rx_bin'],
  ['npi-with-a-wrong-check-digit-is-none', 'provider.npi'],
])('V17: %s in a batch needs information too', async (name, target) => {
  const bundle = readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'charts', name, 'bundle.json'), 'utf8');
  const { orders } = await run({ 'one.json': bundle }, [''], (chart) => runMapping(priorAuth, chart));
  const [order] = orders;
  expect(order?.state).toBe('incomplete');
  const gaps = order !== undefined && 'result' in order ? order.result.gaps : [];
  expect(gaps.filter(({ severity }) => severity === 'blocks').map((gap) => gap.target)).toEqual([target]);
});

test('V17: an enrollment in a batch waits for an RxBIN of six digits too', async () => {
  const name = 'enrollment-rx-bin-not-six-digits-is-asked-and-not-sent';
  const bundle = readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'charts', name, 'bundle.json'), 'utf8');
  const { orders } = await run({ 'one.json': bundle }, [''], (chart) => runMapping(enrollment, chart));
  const [order] = orders;
  const gaps = order !== undefined && 'result' in order ? order.result.gaps : [];
  expect(gaps.map((gap) => gap.target)).toContain('patient.insurance_details.data.rx_bin');
});
