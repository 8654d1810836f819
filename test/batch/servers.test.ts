import { afterEach, describe, expect, test } from 'vitest';
import type { OrderOutcome } from '../../src/batch/report/order-outcome.ts';
import type { MappingResult } from '../../src/core/mapping/result.ts';
import { bodies, bundle, coverage, lines, order, patient, renewFolder, run, summary } from './folder-run.ts';

afterEach(renewFolder);

const ehr = 'https://ehr.example/fhir';
const other = 'https://other.example/fhir';

const at = (base: string, resource: { resourceType: string; id: string }) => ({
  fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
  resource,
});
const search = (...entry: readonly object[]) => ({ resourceType: 'Bundle', type: 'searchset', entry });
const doctor = { resourceType: 'Practitioner', id: 'd1', name: [{ family: 'Doctor', given: ['Invented'] }] };
const signedBy = (reference: string) => ({ requester: { reference } });
const whole = expect.objectContaining({
  order: 'MedicationRequest/m1',
  patient: 'Patient/p1',
  coverage: 'Coverage/c1',
  prescriber: 'Practitioner/d1',
});

function warningsOf(orders: readonly OrderOutcome[]): readonly string[] {
  return orders.flatMap((outcome) => ('chart' in outcome ? outcome.chart.warnings : []));
}

describe('[K16] what has no address is of the one server that the input names', () => {
  const draft = { ...order('m1', 'Patient/p1', signedBy('Practitioner/d1')), status: 'draft' };
  const answers = (base: string) =>
    Object.fromEntries(
      [patient('p1'), coverage('c1', 'Patient/p1'), doctor].map((resource) => [
        resource.resourceType,
        search(at(base, resource)),
      ]),
    );
  const request = (fhirServer: string, prefetch: object, orders: object = bundle('collection', draft)) => ({
    hook: 'order-sign',
    hookInstance: '1',
    fhirServer,
    context: { userId: 'Practitioner/d1', patientId: 'p1', draftOrders: orders },
    prefetch,
  });

  test.each([
    ['as it stands', ehr, ehr],
    ['with a slash behind it', `${ehr}/`, ehr],
    ['by the other scheme', ehr.replace('https', 'http'), ehr],
    ['with the port of its scheme', 'https://ehr.example:443/fhir', ehr],
    ['with the host in capitals', 'https://EHR.Example/fhir', ehr],
  ])('a bare draft beside search results, with fhirServer %s', async (_, fhirServer, base) => {
    const { orders } = await run({ 'hook.json': request(fhirServer, answers(base)) });
    expect(bodies(orders)).toEqual([whole]);
  });

  test('a draft without an id is known by its place', async () => {
    const { id, ...nameless } = draft;
    const { orders } = await run({ 'hook.json': request(ehr, answers(ehr), bundle('collection', nameless, nameless)) });
    expect(summary(orders.slice(0, 1))).toEqual(['context.draftOrders.entry[0].resource ready']);
  });

  test('search results of another server stay somebody else’s, and that is said', async () => {
    const { orders } = await run({ 'hook.json': request(ehr, answers(other)) });
    expect(summary(orders)).toEqual([
      `MedicationRequest/m1 cannot_map: Patient/p1 is not in the input; the Patient/p1 that is there is at ${other} ` +
        'and was not taken for it',
    ]);
  });

  test('another server’s coverage is left out, and that is said at the order', async () => {
    const prefetch = { ...answers(ehr), Coverage: answers(other).Coverage };
    const { orders } = await run({ 'hook.json': request(ehr, prefetch) });
    expect(bodies(orders)).toEqual([expect.not.objectContaining({ coverage: expect.anything() })]);
    expect(warningsOf(orders)).toEqual([`1 Coverage was left out: ${other}/Patient/p1 is not in the input.`]);
  });

  const folders: readonly [string, Readonly<Record<string, unknown>>][] = [
    [
      'one saved read among saved searches',
      {
        'p.json': search(at(ehr, patient('p1'))),
        'c.json': search(at(ehr, coverage('c1', 'Patient/p1'))),
        'd.json': search(at(ehr, doctor)),
        'm.json': order('m1', 'Patient/p1', signedBy('Practitioner/d1')),
      },
    ],
    [
      'a saved search among saved reads',
      {
        'p.json': patient('p1'),
        'c.json': search(at(ehr, coverage('c1', 'Patient/p1'))),
        'd.json': doctor,
        'm.json': order('m1', 'Patient/p1', signedBy('Practitioner/d1')),
      },
    ],
    [
      'searches without fullUrl, of which one says its request',
      {
        'p.json': {
          ...search({ resource: patient('p1') }),
          link: [{ relation: 'self', url: `${ehr}/Patient?_id=p1` }],
        },
        'c.json': search({ resource: coverage('c1', `${ehr}/Patient/p1`) }),
        'd.json': search({ resource: doctor }),
        'm.json': search({ resource: order('m1', 'Patient/p1', signedBy('Practitioner/d1')) }),
      },
    ],
    [
      'absolute references in orders, relative ones elsewhere',
      {
        'p.ndjson': lines(patient('p1')),
        'c.ndjson': lines(coverage('c1', 'Patient/p1')),
        'd.ndjson': lines(doctor),
        'm.ndjson': lines(order('m1', `${ehr}/Patient/p1`, signedBy(`${ehr}/Practitioner/d1`))),
      },
    ],
    [
      'an absolute reference to the prescriber alone',
      {
        'p.ndjson': lines(patient('p1')),
        'c.ndjson': lines(coverage('c1', 'Patient/p1')),
        'd.ndjson': lines(doctor),
        'm.ndjson': lines(order('m1', 'Patient/p1', signedBy(`${ehr}/Practitioner/d1/_history/2`))),
      },
    ],
    [
      'one server by http and by https',
      {
        'p.ndjson': lines(patient('p1')),
        'c.ndjson': lines(coverage('c1', 'http://ehr.example:80/fhir/Patient/p1')),
        'd.json': search(at(ehr, doctor)),
        'm.ndjson': lines(order('m1', `${ehr}/Patient/p1`, signedBy('Practitioner/d1'))),
      },
    ],
  ];
  test.each(folders)('a folder with %s', async (_, files) => {
    const { orders } = await run(files);
    expect(bodies(orders)).toEqual([whole]);
    expect(warningsOf(orders)).toEqual([]);
  });
});

describe('[K16] what comes twice from one server is one, however its references are written', () => {
  const plan = (id: string, base: string) => coverage(id, `${base}Patient/p1`);
  test.each([
    ['a coverage of one id', 'c1', 'Coverage/c1'],
    ['a coverage under two ids', 'c2', 'Coverage/c1'],
  ])('%s', async (_, id, chosen) => {
    const { orders, files } = await run({
      'a.ndjson': lines(patient('p1'), order('m1', 'Patient/p1'), plan('c1', '')),
      'b.ndjson': lines(plan(id, `${ehr}/`)),
    });
    expect(bodies(orders)).toEqual([expect.objectContaining({ coverage: chosen })]);
    expect(files.flatMap(({ conflicts }) => conflicts)).toEqual([]);
  });
});

describe('[K16] of two servers nothing is mixed, and what was passed over is told at the order', () => {
  test('what has no address is nobody’s where the folder names two servers', async () => {
    const { orders } = await run({
      'a.json': bundle('searchset'),
      'm.json': search(at(ehr, order('m1', 'Patient/p1', signedBy('Practitioner/d1'))), at(ehr, patient('p1'))),
      'c.json': coverage('c1', 'Patient/p1'),
      'd.json': doctor,
      'o.json': search(at(other, patient('p9'))),
    });
    const named = `without an address, and the input names several servers (${ehr}, ${other})`;
    expect(bodies(orders)[0]).not.toHaveProperty('coverage');
    expect(bodies(orders)[0]).not.toHaveProperty('prescriber');
    expect(warningsOf(orders)).toEqual([
      `1 Coverage was left out: Patient/p1 is named ${named}.`,
      `MedicationRequest/m1 refers to ${ehr}/Practitioner/d1; the Practitioner/d1 that is here is ${named} and was ` +
        'not used.',
    ]);
  });

  test('a patient at another server is not taken for the one that the order names', async () => {
    const { orders } = await run({
      'a.json': search(at(other, patient('p1'))),
      'b.json': order('m1', `${ehr}/Patient/p1`),
    });
    expect(summary(orders)).toEqual([
      `MedicationRequest/m1 cannot_map: ${ehr}/Patient/p1 is not in the input; the Patient/p1 that is there is at ` +
        `${other} and was not taken for it`,
    ]);
  });

  test('servers whose paths differ in letter case are two: paths are case-sensitive', async () => {
    const { orders } = await run({
      'a.json': search(at('https://ehr.example/FHIR', patient('p1'))),
      'b.json': order('m1', `${ehr}/Patient/p1`),
    });
    expect(summary(orders)).toEqual([expect.stringContaining('cannot_map')]);
  });

  test('references to a practitioner at two servers lead to none that has no address', async () => {
    const { orders } = await run({
      'a.ndjson': lines(
        patient('p1'),
        order('m1', 'Patient/p1', signedBy(`${ehr}/Practitioner/d1`)),
        { ...coverage('c1', 'Patient/p1'), payor: [{ reference: `${other}/Organization/o1` }] },
        doctor,
      ),
    });
    expect(bodies(orders)[0]).toMatchObject({ coverage: 'Coverage/c1' });
    expect(bodies(orders)[0]).not.toHaveProperty('prescriber');
    expect(warningsOf(orders)).toEqual([
      `MedicationRequest/m1 refers to ${ehr}/Practitioner/d1; the Practitioner/d1 that is here is without an ` +
        `address, and the input names several servers (${ehr}, ${other}) and was not used.`,
    ]);
  });

  test('two patients of one id at two servers each keep what is theirs', async () => {
    const of = (base: string, more: object) => [
      at(base, patient('p1')),
      at(base, { ...coverage('c1', 'Patient/p1'), ...more }),
      at(base, order('m1', 'Patient/p1')),
    ];
    const { orders } = await run({
      'a.json': search(...of(ehr, {})),
      'b.json': search(...of(other, { status: 'cancelled' })),
    });
    expect(bodies(orders)).toEqual([
      expect.objectContaining({ coverage: 'Coverage/c1' }),
      expect.not.objectContaining({ coverage: expect.anything() }),
    ]);
    expect(warningsOf(orders)).toEqual([]);
  });

  describe('charts of two servers in one folder', () => {
    const chartAt = (base: string, id: string) => ({
      ...bundle('collection'),
      entry: [at(base, patient(id)), at(base, order('m1', `Patient/${id}`, signedBy('Practitioner/d1')))],
    });
    const charts = { 'a.json': chartAt(ehr, 'p1'), 'b.json': chartAt(other, 'p2') };

    test('share nothing that has no address', async () => {
      const { orders } = await run({ ...charts, 'd.json': doctor });
      expect(bodies(orders)).toEqual([1, 2].map(() => expect.not.objectContaining({ prescriber: expect.anything() })));
      expect(warningsOf(orders)).toEqual(
        [ehr, other].map(
          (base) =>
            `MedicationRequest/m1 refers to ${base}/Practitioner/d1; the Practitioner/d1 that is here is without an ` +
            `address, and the input names several servers (${ehr}, ${other}) and was not used.`,
        ),
      );
    });

    test('a request of CDS Hooks names its server too', async () => {
      const { entry } = chartAt(ehr, 'p1');
      const prefetch = { all: { ...bundle('collection'), entry: entry.map(({ resource }) => ({ resource })) } };
      const hook = { hook: 'order-sign', hookInstance: '1', fhirServer: ehr, context: {}, prefetch };
      const { orders } = await run({ 'a.json': hook, 'b.json': charts['b.json'], 'd.json': doctor });
      expect(bodies(orders)).toEqual([1, 2].map(() => expect.not.objectContaining({ prescriber: expect.anything() })));
    });

    test('take no role of a practitioner from what has no address', async () => {
      const { entry } = chartAt(ehr, 'p1');
      const prefetch = { all: bundle('collection', ...entry.map(({ resource }) => resource), doctor) };
      const hook = { hook: 'order-sign', hookInstance: '1', fhirServer: ehr, context: {}, prefetch };
      const role = {
        resourceType: 'PractitionerRole',
        id: 'r1',
        practitioner: { reference: 'Practitioner/d1' },
        telecom: [{ system: 'fax', value: '555-0100' }],
      };
      const alone = await run({ 'a.json': hook, 'r.json': role });
      expect(bodies(alone.orders)).toEqual([expect.objectContaining({ prescriberRole: 'PractitionerRole/r1' })]);
      const { orders } = await run({ 'b.json': charts['b.json'] });
      expect(bodies(orders)).toEqual(
        [1, 2].map(() => expect.not.objectContaining({ prescriberRole: expect.anything() })),
      );
    });

    test('lose nothing to a deletion without an address', async () => {
      const deletion = { request: { method: 'DELETE', url: 'MedicationRequest/m1' } };
      const deleted = { ...bundle('transaction'), entry: [deletion] };
      const { orders } = await run({ ...charts, 'deleted.ndjson': lines(deleted) });
      expect(orders.map(({ state }) => state)).toEqual(['ready', 'ready']);
      expect(warningsOf(orders)).toEqual([1, 2].map(() => expect.stringContaining('may have been deleted')));
    });

    test('of one server share what has no address', async () => {
      const { orders } = await run({ 'a.json': chartAt(ehr, 'p1'), 'b.json': chartAt(ehr, 'p2'), 'd.json': doctor });
      expect(bodies(orders)).toEqual([1, 2].map(() => expect.objectContaining({ prescriber: 'Practitioner/d1' })));
    });
  });

  test('a fullUrl that says another id than its resource leads to neither of two', async () => {
    const swapped = [
      { fullUrl: `${ehr}/Practitioner/d1`, resource: { ...doctor, id: 'd2' } },
      { fullUrl: `${ehr}/Practitioner/d2`, resource: doctor },
    ];
    const { orders } = await run({
      'a.json': {
        ...bundle('collection'),
        entry: [at(ehr, patient('p1')), at(ehr, order('m1', 'Patient/p1', signedBy('Practitioner/d1'))), ...swapped],
      },
    });
    expect(bodies(orders)[0]).not.toHaveProperty('prescriber');
  });
});

test('[K16] requests of two servers are one only when they say the same to the letter, patient included', async () => {
  const chartOf = (base: string, birthDate: string) => ({
    ...search(at(base, patient('p1', { birthDate })), at(base, order('m1', 'Patient/p1'))),
    type: 'collection',
  });
  const files = (birthDate: string) => ({ 'a.json': chartOf(ehr, '1970-01-01'), 'b.json': chartOf(other, birthDate) });
  const states = async (birthDate: string) =>
    (await run(files(birthDate), [''], draftOf)).orders.map(({ state }) => state);
  expect(await states('1970-01-01')).toEqual(['incomplete', 'duplicate']);
  expect(await states('1970-01-02')).toEqual(['incomplete', 'incomplete']);
});

function draftOf(): MappingResult<unknown> {
  return { status: 'incomplete', draft: {}, provenance: [], gaps: [] };
}
