import { afterEach, describe, expect, test } from 'vitest';
import { bodies, bundle, coverage, lines, order, patient, renewFolder, run, summary } from './folder-run.ts';

afterEach(renewFolder);

const ehr = 'https://ehr.example/fhir';
const gone = (url: string, more: object = {}) => ({ request: { method: 'DELETE', url }, ...more });
const transaction = (...entry: readonly object[]) => ({ resourceType: 'Bundle', type: 'transaction', entry });
const deletedText = 'it was deleted in the EHR';
const chart = {
  'Patient.ndjson': lines(patient('p1')),
  'Coverage.ndjson': lines(coverage('c1', 'Patient/p1')),
  'MedicationRequest.ndjson': lines(order('m1', 'Patient/p1'), order('m2', 'Patient/p1')),
};

describe('[K17] what a bulk export says was deleted is not used', () => {
  test.each(['Aaa.ndjson', 'deleted.ndjson', 'Zzz.ndjson', 'deleted/1.ndjson'])(
    'an order, whatever the file is called: %s',
    async (name) => {
      const { orders, files } = await run({
        ...Object.fromEntries(Object.entries(chart).map(([file, text]) => [`all/${file}`, text])),
        [name.includes('/') ? `all/Patient/${name.split('/')[1]}` : `all/${name}`]: lines(
          transaction(gone('MedicationRequest/m1')),
        ),
      });
      expect(summary(orders).sort()).toEqual([
        `MedicationRequest/m1 not_eligible: ${deletedText}`,
        'MedicationRequest/m2 ready',
      ]);
      expect(files.map(({ note }) => note)).toContain('1 deletion');
    },
  );

  test.each([
    ['absolute', `${ehr}/MedicationRequest/m1`],
    ['with a slash before it', '/MedicationRequest/m1'],
    ['of a version', 'MedicationRequest/m1/_history/3'],
  ])('an order by an address that is %s', async (_, url) => {
    const { orders } = await run({ ...chart, 'deleted.ndjson': lines(transaction(gone(url))) });
    expect(summary(orders)[0]).toBe(`MedicationRequest/m1 not_eligible: ${deletedText}`);
  });

  test('a coverage, which is told of its file', async () => {
    const { orders, files } = await run({ ...chart, 'deleted.ndjson': lines(transaction(gone('Coverage/c1'))) });
    expect(bodies(orders)).toEqual([
      expect.not.objectContaining({ coverage: expect.anything() }),
      expect.not.objectContaining({ coverage: expect.anything() }),
    ]);
    expect(files.find(({ file }) => file === 'Coverage.ndjson')?.conflicts).toEqual([
      {
        line: 1,
        reason: expect.stringMatching(/^Coverage\/c1 was deleted \(.*deleted\.ndjson, line 1, entry\[0\]\)$/),
      },
    ]);
  });

  test('a practitioner, who is nobody’s', async () => {
    const doctor = { resourceType: 'Practitioner', id: 'd1', name: [{ family: 'Doctor' }] };
    const files = {
      'a.ndjson': lines(patient('p1'), order('m1', 'Patient/p1', { requester: { reference: 'Practitioner/d1' } })),
      'b.ndjson': lines(doctor),
    };
    expect(bodies((await run(files)).orders)[0]).toHaveProperty('prescriber');
    const { orders } = await run({ ...files, 'c.ndjson': lines(transaction(gone('Practitioner/d1'))) });
    expect(bodies(orders)[0]).not.toHaveProperty('prescriber');
  });

  test('a patient, with whom the orders go', async () => {
    const { orders } = await run({ ...chart, 'deleted.ndjson': lines(transaction(gone('Patient/p1'))) });
    expect(summary(orders)).toEqual([
      'MedicationRequest/m1 cannot_map: Patient/p1 was deleted',
      'MedicationRequest/m2 cannot_map: Patient/p1 was deleted',
    ]);
  });

  test('nothing of another type, another id or another server', async () => {
    const { orders } = await run({
      ...chart,
      'deleted.ndjson': lines(
        transaction(gone('Observation/m1'), gone('MedicationRequest/m11')),
        transaction(gone('https://other.example/fhir/MedicationRequest/m1')),
      ),
      'server.ndjson': lines(coverage('c2', `${ehr}/Patient/p9`)),
    });
    expect(summary(orders)).toEqual(['MedicationRequest/m1 ready', 'MedicationRequest/m2 ready']);
  });

  describe('where the input names two servers', () => {
    const other = 'https://other.example/fhir';
    const at = (base: string, resource: { resourceType: string; id: string }) => ({
      fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
      resource,
    });
    const searches = Object.fromEntries(
      [ehr, other].map((base, index) => [
        `${index}.json`,
        {
          resourceType: 'Bundle',
          type: 'searchset',
          entry: [
            at(base, patient('p1')),
            at(base, coverage(`c${index}`, 'Patient/p1')),
            at(base, order('m1', 'Patient/p1')),
          ],
        },
      ]),
    );
    const warnings = (orders: Awaited<ReturnType<typeof run>>['orders']) =>
      orders.map((one) =>
        'chart' in one ? one.chart.warnings.map((text) => text.replaceAll(/\(\/[^)]*\//g, '(')) : [],
      );
    const unclear = (name: string, path: string) =>
      `${name} may have been deleted: the deletion (deleted.ndjson, line 1, ${path}) is without an address, and the ` +
      `input names several servers (${ehr}, ${other})`;

    test('a deletion without an address is told of what it may mean, and takes nothing away', async () => {
      const deleted = lines(transaction(gone('MedicationRequest/m1'), gone('Coverage/c1'), gone('Coverage/c2')));
      const { orders, files } = await run({ ...searches, 'deleted.ndjson': deleted });
      expect(summary(orders)).toEqual(['MedicationRequest/m1 ready', 'MedicationRequest/m1 ready']);
      const ofOrder = `${unclear('MedicationRequest/m1', 'entry[0]')}.`;
      expect(warnings(orders)).toEqual([[ofOrder], [`${unclear('Coverage/c1', 'entry[1]')}.`, ofOrder]]);
      const conflicts = files.flatMap(({ file, conflicts }) => conflicts.map(({ path }) => `${file} ${path}`));
      expect(conflicts).toEqual(['0.json entry[2].resource', '1.json entry[1].resource', '1.json entry[2].resource']);
    });

    test('one with an address is of its server', async () => {
      const deleted = lines(transaction(gone('MedicationRequest/m1'), gone(`${other}/MedicationRequest/m1`)));
      const { orders } = await run({ ...searches, 'deleted.ndjson': deleted });
      expect(summary(orders).sort()).toEqual([
        `MedicationRequest/m1 not_eligible: ${deletedText}`,
        'MedicationRequest/m1 ready',
      ]);
      expect(warnings(orders).flat()).toEqual([`${unclear('MedicationRequest/m1', 'entry[0]')}.`]);
    });

    test('of a practitioner it is told of the file', async () => {
      const doctor = { resourceType: 'Practitioner', id: 'd1', name: [{ family: 'Doctor' }] };
      const { files } = await run({
        ...searches,
        'd.json': { resourceType: 'Bundle', type: 'searchset', entry: [at(ehr, doctor)] },
        'deleted.ndjson': lines(transaction(gone('Practitioner/d1'))),
      });
      expect(files.find(({ file }) => file === 'd.json')?.conflicts).toMatchObject([
        { path: 'entry[0].resource', reason: expect.stringContaining('Practitioner/d1 may have been deleted') },
      ]);
    });
  });

  test('an order in a Bundle that is a chart, by a file beside it', async () => {
    const { orders } = await run({
      'chart.json': bundle('collection', patient('p1'), order('m1', 'Patient/p1')),
      'deleted.ndjson': lines(transaction(gone('MedicationRequest/m1'))),
    });
    expect(summary(orders)).toEqual([`MedicationRequest/m1 not_eligible: ${deletedText}`]);
  });

  test('a search is no address: that nothing was deleted by it is told', async () => {
    const { orders, files } = await run({
      ...chart,
      'deleted.ndjson': lines(transaction(gone('MedicationRequest?identifier=urn:x|1'))),
    });
    expect(summary(orders)).toEqual(['MedicationRequest/m1 ready', 'MedicationRequest/m2 ready']);
    expect(files.find(({ file }) => file === 'deleted.ndjson')?.problems).toEqual([
      { line: 1, path: 'entry[0]', reason: 'a deletion that does not say by type and id what was deleted' },
    ]);
  });
});

describe('[K17] deletions are of the export in whose folder they stand', () => {
  const deleted = lines(transaction(gone('MedicationRequest/m1')));
  const inFolder = (folder: string) =>
    Object.fromEntries(Object.entries(chart).map(([file, text]) => [`${folder}/${file}`, text]));
  const byType = Object.fromEntries(
    Object.entries(chart).map(([file, text]) => [`x/${file.replace('.ndjson', '')}/1.ndjson`, text]),
  );
  const withFile = (files: object, ...names: readonly string[]) => ({
    ...files,
    ...Object.fromEntries(names.map((name) => [name, deleted])),
  });
  const manifest = { 'x/manifest.json': { transactionTime: '2026-11-19T10:00:00Z', output: [], deleted: [] } };

  test.each([
    ['a folder of deletions beside folders of types', withFile(byType, 'x/deleted/1.ndjson')],
    ['a file beside folders of types', withFile(byType, 'x/deleted.ndjson')],
    ['a folder of a type in the folder of deletions', withFile(byType, 'x/deleted/MedicationRequest/1.ndjson')],
    ['a folder of deletions in the folder of a type', withFile(byType, 'x/MedicationRequest/deleted/1.ndjson')],
    ['a folder of deletions below the files', withFile(inFolder('x'), 'x/deleted/1.ndjson')],
    ['a folder of deletions beside one of output', withFile(inFolder('x/output'), 'x/deleted/1.ndjson')],
    ['a file beside a folder of output', withFile(inFolder('x/output'), 'x/deleted.000.ndjson')],
    [
      'a file of any name beside a manifest and a folder of output',
      withFile({ ...inFolder('x/output'), ...manifest }, 'x/1.ndjson'),
    ],
  ])('%s', async (_, files) => {
    const { orders, files: told } = await run(files);
    expect(summary(orders).sort()).toEqual([
      `MedicationRequest/m1 not_eligible: ${deletedText}`,
      'MedicationRequest/m2 ready',
    ]);
    expect(told.map(({ note }) => note)).toContain('1 deletion');
  });

  test('folders that are named one by one', async () => {
    const files = withFile(inFolder('x/output'), 'x/deleted/1.ndjson');
    const { orders } = await run(files, ['x/output', 'x/deleted']);
    expect(summary(orders)[0]).toBe(`MedicationRequest/m1 not_eligible: ${deletedText}`);
  });

  test('an export beside it keeps what it has', async () => {
    const { orders } = await run({ ...withFile(inFolder('a'), 'a/deleted/1.ndjson'), ...inFolder('b') });
    expect(orders.map(({ state, place }) => `${place.file.includes('/a/') ? 'a' : 'b'} ${state}`).sort()).toEqual([
      'a not_eligible',
      'a ready',
      'b duplicate',
      'b ready',
    ]);
  });

  test('a folder that is called output beside no export is of its own', async () => {
    const { orders } = await run({
      'x/Patient.ndjson': lines(patient('p1')),
      'x/output/m.json': order('m1', 'Patient/p1'),
    });
    expect(summary(orders)).toEqual(['MedicationRequest/m1 cannot_map: Patient/p1 is not in the input']);
  });
});

describe('[K17] a deletion of what is not there is told', () => {
  const noteOf = async (files: Readonly<Record<string, unknown>>, name = 'deleted.ndjson') =>
    (await run(files)).files.find(({ file }) => file === name)?.note;
  const at = (base: string, resource: { resourceType: string; id: string }) => ({
    fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
    resource,
  });
  const chartAt = (base: string) => ({
    resourceType: 'Bundle',
    type: 'collection',
    entry: [at(base, patient('p1')), at(base, order('m1', 'Patient/p1'))],
  });

  test.each([
    ['of nothing in the files', [gone('MedicationRequest/m9')], '1 deletion, 1 of what its export does not hold'],
    [
      'some of them, of each kind of resource',
      [
        gone('MedicationRequest/m1'),
        gone('Coverage/c1'),
        gone('Patient/p1'),
        gone('Organization/o1'),
        gone('Coverage/m1'),
      ],
      '5 deletions, 2 of what its export does not hold',
    ],
    ['of types that nobody reads', [gone('Immunization/i1')], '1 deletion'],
  ])('%s', async (_, entries, note) => {
    expect(await noteOf({ ...chart, 'deleted.ndjson': lines(transaction(...entries)) })).toBe(note);
  });

  test('where the data are in a folder of any other name', async () => {
    const files = Object.fromEntries(Object.entries(chart).map(([file, text]) => [`x/data/${file}`, text]));
    const { orders, files: told } = await run({
      ...files,
      'x/deleted/1.ndjson': lines(transaction(gone('MedicationRequest/m1'))),
    });
    expect(summary(orders)).toEqual(['MedicationRequest/m1 ready', 'MedicationRequest/m2 ready']);
    expect(told.map(({ note }) => note)).toContain('1 deletion, 1 of what its export does not hold');
  });

  test('of charts too, by type, id and server', async () => {
    const deleted = (base: string) => lines(transaction(gone(`${base}MedicationRequest/m1`)));
    const files = { 'chart.json': chartAt(ehr) };
    for (const base of ['', `${ehr}/`, 'http://EHR.example/fhir/'])
      expect(await noteOf({ ...files, 'deleted.ndjson': deleted(base) })).toBe('1 deletion');
    expect(await noteOf({ ...files, 'deleted.ndjson': deleted('https://other.example/fhir/') })).toBe(
      '1 deletion, 1 of what its export does not hold',
    );
  });

  test.each(['collection', 'history', 'transaction', 'searchset'])(
    'another server’s deletion takes nothing from a Bundle of type %s',
    async (type) => {
      const files = { 'chart.json': { ...chartAt(ehr), type } };
      const url = 'https://other.example/fhir/MedicationRequest/m1';
      for (const entry of [gone(url), gone('MedicationRequest/m1', { fullUrl: url })]) {
        const { orders, files: told } = await run({ ...files, 'x.json': transaction(entry) });
        expect(summary(orders)).toEqual(['MedicationRequest/m1 ready']);
        expect(told.map(({ note }) => note)).toContain('1 deletion, 1 of what its export does not hold');
      }
    },
  );
});

describe('[K17] a history says by instant or version what came last', () => {
  const history = (lastModified: string, etag?: string) => ({
    resourceType: 'Bundle',
    type: 'history',
    entry: [
      {
        fullUrl: `${ehr}/MedicationRequest/m1`,
        ...gone('MedicationRequest/m1'),
        response: { status: '204', lastModified, ...(etag === undefined ? {} : { etag }) },
      },
    ],
  });
  const version = (versionId: string, lastUpdated: string) =>
    order('m1', 'Patient/p1', { meta: { versionId, lastUpdated } });

  test.each([
    ['deleted after it was changed', version('2', '2026-10-01T10:00:00Z'), '2026-10-02T10:00:00Z', 'not_eligible'],
    ['made again after it was deleted', version('4', '2026-10-03T10:00:00Z'), '2026-10-02T10:00:00Z', 'ready'],
    [
      'deleted at an instant in another zone',
      version('2', '2026-10-02T09:00:00Z'),
      '2026-10-02T10:00:00+05:00',
      'ready',
    ],
    ['without a version of its own', order('m1', 'Patient/p1'), '2026-10-02T10:00:00Z', 'not_eligible'],
  ])('an order that was %s', async (_, resource, lastModified, state) => {
    const files = { 'a.json': history(lastModified), 'p.json': patient('p1'), 'm.json': resource };
    expect((await run(files)).orders.map((one) => one.state)).toEqual([state]);
    const renamed = { 'z.json': history(lastModified), 'p.json': patient('p1'), 'b.json': resource };
    expect((await run(renamed)).orders.map((one) => one.state)).toContain(state);
  });

  test('in one Bundle with the chart', async () => {
    const { entry } = history('2026-10-02T10:00:00Z', 'W/"3"');
    const chartOf = (resource: object) => ({
      ...bundle('history', patient('p1'), resource),
      entry: [...entry, ...bundle('history', patient('p1'), resource).entry],
    });
    expect(summary((await run({ 'a.json': chartOf(version('2', '2026-10-01T10:00:00Z')) })).orders)).toEqual([
      `MedicationRequest/m1 not_eligible: ${deletedText}`,
    ]);
  });
});

describe('[K17] what else lies in the folder of a bulk export', () => {
  const manifest = (deleted: readonly object[]) => ({
    transactionTime: '2026-11-19T10:00:00Z',
    request: `${ehr}/$export`,
    requiresAccessToken: true,
    output: [{ type: 'Patient', url: 'https://files.example/1' }],
    deleted,
    error: [],
  });
  const noteOf = async (files: Readonly<Record<string, unknown>>, name: string) =>
    (await run(files)).files.find(({ file }) => file === name)?.note;

  test('a manifest says what it lists, and that deletions it lists are not there', async () => {
    const counted = (count: string) =>
      `the manifest of a bulk export of 2026-11-19: it lists 1 file of data, ${count} of deletions, 0 files of errors`;
    expect(await noteOf({ ...chart, 'manifest.json': manifest([]) }, 'manifest.json')).toBe(counted('0 files'));
    const listed = { 'manifest.json': manifest([{ type: 'Bundle', url: 'https://files.example/2' }]) };
    expect(await noteOf({ ...chart, ...listed }, 'manifest.json')).toBe(
      `${counted('1 file')}. None of the deletions is in its folder`,
    );
    const deleted = { 'deleted.ndjson': lines(transaction(gone('MedicationRequest/m1'))) };
    expect(await noteOf({ ...chart, ...listed, ...deleted }, 'manifest.json')).toBe(counted('1 file'));
  });

  test('an OperationOutcome says how grave it is; one that is no error is no problem', async () => {
    const outcome = (severity: string) => ({
      resourceType: 'OperationOutcome',
      issue: [{ severity, code: 'processing', diagnostics: 'of Patient Invented Person' }],
    });
    const { files } = await run({ ...chart, 'error.ndjson': lines(outcome('information'), outcome('error')) });
    expect(files.find(({ file }) => file === 'error.ndjson')).toMatchObject({
      problems: [{ line: 2, reason: 'an OperationOutcome instead of data (error, processing)' }],
    });
    expect(await noteOf({ 'error.ndjson': lines(outcome('information')) }, 'error.ndjson')).toBe(
      'no resource in it; 1 message of the server, no error',
    );
  });

  test.each([
    ['a byte order mark and a blank line', '\uFEFF\n'],
    ['a byte order mark, blanks and CRLF', '\uFEFF \t\r\n\r\n'],
    ['blank lines', '\n\r\n'],
  ])('%s before the first resource are nothing', async (_, before) => {
    const { files } = await run({ 'Patient.ndjson': `${before}${lines(patient('p1'))}` });
    expect(files).toEqual([expect.objectContaining({ state: 'read', resources: { Patient: 1 }, problems: [] })]);
  });
});
