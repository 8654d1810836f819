import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Provenance, Resource, Task } from 'fhir/r4.js';
import nock from 'nock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BridgeError } from '../../../src/core/errors.ts';
import type { FhirApi } from '../../../src/core/fhir/api.ts';
import { saidBy } from '../../../src/core/fhir/ehr-says.ts';
import { type ChartSearch, includes, offersBatch, searches } from '../../../src/ehr/chart/searches.ts';
import type { Limits, Turn } from '../../../src/ehr/smart/types.ts';
import { bench, codeOf, discoverable, ehr, launched, token, tokenEndpoint } from './support.ts';

beforeEach(() => discoverable());

async function openApi(
  limits: Partial<Limits> = {},
  body: Record<string, unknown> = token,
  turn?: Turn,
): Promise<FhirApi> {
  tokenEndpoint({ body });
  const on = bench({ limits });
  const { launch } = await launched(on);
  return on.smart.api(launch, turn);
}

const failure = (work: Promise<unknown>) => work.catch((error: unknown) => error);
const bundle = (entries: readonly object[], next?: string) => ({
  resourceType: 'Bundle',
  type: 'searchset',
  entry: entries,
  ...(next === undefined ? {} : { link: [{ relation: 'next', url: next }] }),
});
const coverage = (id: string) => ({ resource: { resourceType: 'Coverage', id } });
const ids = (resources: readonly Resource[]) => resources.map(({ id }) => id);
const task: Task = { resourceType: 'Task', status: 'received', intent: 'order', for: { reference: 'Patient/pat-1' } };

describe('read', () => {
  test('sends the token and asks for FHIR JSON', async () => {
    const api = await openApi();
    nock(ehr, { reqheaders: { authorization: 'Bearer access-1', accept: 'application/fhir+json' } })
      .get('/fhir/Patient/pat-1')
      .reply(200, { resourceType: 'Patient', id: 'pat-1' });
    expect(await api.read('Patient', 'pat-1')).toEqual({ resourceType: 'Patient', id: 'pat-1' });
  });

  test.each([
    ['UTF-8', 'application/fhir+json', 'utf8', 'Fénwick ½'],
    ['UTF-8 under another name', 'application/fhir+json;charset=ISO-8859-1', 'utf8', 'Fénwick ½'],
    ['Latin-1 by its name', 'application/fhir+json; charset="iso-8859-1"', 'latin1', 'Fénwick ½'],
    ['UTF-16 by its byte order mark', 'application/fhir+json', 'utf16', 'Fénwick ½'],
    ['Latin-1 without a name', 'application/fhir+json', 'latin1', 'F\ufffdnwick \ufffd'],
    ['bytes of no character of the named set', 'application/fhir+json; charset=utf-8', 'latin1', 'F\ufffdnwick \ufffd'],
    [
      'Latin-1 under a name that nobody knows',
      'application/fhir+json; charset=x-vendor',
      'latin1',
      'F\ufffdnwick \ufffd',
    ],
  ] as const)(
    'a body in %s is read as what it is, or with its characters lost [K3]',
    async (_, type, encoding, family) => {
      const api = await openApi();
      const json = JSON.stringify({ resourceType: 'Patient', id: 'pat-1', name: [{ family: 'Fénwick ½' }] });
      const bytes = encoding === 'utf16' ? Buffer.from(`\ufeff${json}`, 'utf16le') : Buffer.from(json, encoding);
      nock(ehr).get('/fhir/Patient/pat-1').reply(200, bytes, { 'content-type': type });
      expect(await api.read('Patient', 'pat-1')).toMatchObject({ name: [{ family }] });
    },
  );

  test.each([404, 410])('%i is no resource, not an error', async (status) => {
    const api = await openApi();
    nock(ehr).get('/fhir/Medication/gone').reply(status);
    expect(await api.read('Medication', 'gone')).toBeUndefined();
  });

  test.each([
    ['a login page', 200, '<html>sign in</html>', 'ehr_not_fhir'],
    ['nothing', 204, '', 'ehr_error'],
    ['an empty 200', 200, '', 'ehr_not_fhir'],
    ['broken JSON', 200, '{"resourceType":', 'ehr_not_fhir'],
    ['another type', 200, '{"resourceType":"Organization","id":"x"}', 'ehr_not_fhir'],
    ['another id', 200, '{"resourceType":"Practitioner","id":"y"}', 'ehr_not_fhir'],
    ['a 500', 500, '{}', 'ehr_error'],
  ])('%s is an error, not data [D07]', async (_name, status, body, code) => {
    const api = await openApi();
    nock(ehr).get('/fhir/Practitioner/x').reply(status, body);
    expect(await codeOf(api.read('Practitioner', 'x'))).toBe(code);
  });

  test('an answer larger than the cap is cut off [D07]', async () => {
    const api = await openApi({ bodyBytes: 10_000 });
    nock(ehr)
      .get('/fhir/Practitioner/x')
      .reply(200, { resourceType: 'Practitioner', id: 'x', padding: 'x'.repeat(20_000) });
    expect(await failure(api.read('Practitioner', 'x'))).toMatchObject({
      code: 'ehr_not_fhir',
      facts: { reason: 'too-large' },
    });
  });

  test('more documents than a chart may have are cut off, the rest is read [E8]', async () => {
    const api = await openApi({ bodyBytes: 10_000, documentsBytes: 25_000 });
    const serve = (type: string, id: string, size = 8_000) =>
      nock(ehr)
        .get(`/fhir/${type}/${id}`)
        .reply(200, { resourceType: type, id, padding: 'x'.repeat(size) });
    for (const id of ['a', 'b', 'c', 'd']) serve('Binary', id);
    serve('Binary', 'large', 20_000);
    serve('Practitioner', 'x');
    // what was not kept does not count
    expect(await codeOf(api.read('Binary', 'large'))).toBe('ehr_not_fhir');
    const three = await Promise.all(['a', 'b', 'c'].map((id) => api.read('Binary', id)));
    expect(three.map((binary) => binary?.id)).toEqual(['a', 'b', 'c']);
    expect(await failure(api.read('Binary', 'd'))).toMatchObject({
      code: 'ehr_not_fhir',
      facts: { reason: 'too-large' },
    });
    expect(await api.read('Practitioner', 'x')).toMatchObject({ id: 'x' });
  });

  describe('large documents are read by turns of their charts [E8]', () => {
    const limits = { turnBytes: 10_000, attempts: 1 };
    const serve = (type: string, id: string, size = 8_000) =>
      nock(ehr)
        .get(`/fhir/${type}/${id}`)
        .reply(200, { resourceType: type, id, padding: 'x'.repeat(size) });

    test('one that makes too many bytes is asked for again when the turn has come', async () => {
      const came = Promise.withResolvers<boolean>();
      const take = vi.fn(() => came.promise);
      const api = await openApi(limits, token, { take });
      for (const [type, id] of [
        ['Binary', 'a'],
        ['Observation', 'o'],
      ] as const)
        serve(type, id);
      await api.read('Binary', 'a');
      await api.read('Observation', 'o');
      expect(take).not.toHaveBeenCalled();
      const first = serve('Coverage', 'b');
      const reading = api.read('Coverage', 'b');
      await vi.waitFor(() => expect(take).toHaveBeenCalledTimes(1));
      expect(first.isDone()).toBe(true);
      serve('Coverage', 'b');
      serve('Binary', 'c', 50_000);
      came.resolve(true);
      expect(await reading).toMatchObject({ id: 'b' });
      expect(await api.read('Binary', 'c')).toMatchObject({ id: 'c' });
      expect(take).toHaveBeenCalledTimes(1);
    });

    test('a turn that does not come is told as an EHR that gives no answer, and why', async () => {
      const api = await openApi(limits, token, { take: async () => false });
      serve('Binary', 'a', 20_000);
      expect(await failure(api.read('Binary', 'a'))).toMatchObject({
        code: 'ehr_unreachable',
        facts: { resource: 'Binary', reason: 'busy' },
      });
    });

    test('without turns everything is read at once', async () => {
      const api = await openApi(limits);
      serve('Binary', 'a', 20_000);
      expect(await api.read('Binary', 'a')).toMatchObject({ id: 'a' });
    });
  });

  test('a merged patient, met by a redirect inside the EHR, stops the work [C07]', async () => {
    const api = await openApi();
    nock(ehr)
      .get('/fhir/Patient/pat-1')
      .reply(301, '', { location: `${ehr}/fhir/Patient/pat-9` });
    nock(ehr).get('/fhir/Patient/pat-9').reply(200, { resourceType: 'Patient', id: 'pat-9' });
    expect(await codeOf(api.read('Patient', 'pat-1'))).toBe('patient_mismatch');
  });

  test('a redirect to another server is not followed [D01]', async () => {
    const api = await openApi();
    nock(ehr).get('/fhir/Practitioner/x').reply(302, '', { location: 'https://evil.example/fhir/Practitioner/x' });
    const evil = nock('https://evil.example').get('/fhir/Practitioner/x').reply(200, {});
    expect(await codeOf(api.read('Practitioner', 'x'))).toBe('ehr_foreign_address');
    expect(evil.isDone()).toBe(false);
  });

  test.each(['../Patient', 'a/b', '', 'x'.repeat(65)])('%j is no id and is not asked for', async (id) => {
    expect(await codeOf((await openApi()).read('Practitioner', id))).toBe('ehr_not_fhir');
  });

  test('another patient is refused before the request', async () => {
    expect(await codeOf((await openApi()).read('Patient', 'pat-2'))).toBe('patient_mismatch');
  });
});

describe('refusals', () => {
  test('403 names the access that is missing', async () => {
    const api = await openApi();
    nock(ehr).get('/fhir/Coverage').query(true).reply(403);
    expect(await failure(api.search('Coverage', [['patient', 'pat-1']]))).toMatchObject({
      code: 'ehr_forbidden',
      facts: { http: 403, scope: 'Coverage.s' },
    });
  });

  test.each([403, 404, 422, 500])('a %i says nothing of what the EHR did not tell', async (status) => {
    const api = await openApi();
    nock(ehr).persist().get('/fhir/Coverage').query(true).reply(status);
    const error = (await failure(api.search('Coverage', [['patient', 'pat-1']]))) as Error;
    expect(error.message).toContain(`http: ${status}`);
    expect(error.message).not.toContain('undefined');
  });

  test('resources of a search that have no id are all kept', async () => {
    const api = await openApi();
    const entry = ['one', 'two'].map((subscriberId) => ({ resource: { resourceType: 'Coverage', subscriberId } }));
    nock(ehr).get('/fhir/Coverage').query(true).reply(200, { resourceType: 'Bundle', type: 'searchset', entry });
    const { resources } = await api.search('Coverage', [['patient', 'pat-1']]);
    expect(resources).toMatchObject([{ subscriberId: 'one' }, { subscriberId: 'two' }]);
  });

  test.each(['4130', '4131', '4134'])('Break-the-Glass %s is a refusal, asked once [D11]', async (code) => {
    const api = await openApi();
    let asked = 0;
    nock(ehr)
      .persist()
      .get('/fhir/Encounter/e')
      .reply(() => {
        asked += 1;
        return [
          503,
          JSON.stringify({
            resourceType: 'OperationOutcome',
            issue: [{ severity: 'error', code: 'suppressed', details: { coding: [{ code }] } }],
          }),
        ];
      });
    expect(await failure(api.read('Encounter', 'e'))).toMatchObject({
      code: 'ehr_forbidden',
      facts: { reason: 'break-the-glass' },
    });
    expect(asked).toBe(1);
  });

  test('an error’s message holds no text of the EHR', async () => {
    const api = await openApi();
    const outcome = {
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code: 'invalid', diagnostics: 'Canary Jane Doe 1970-01-01' }],
    };
    nock(ehr).get('/fhir/Coverage').query(true).reply(400, outcome);
    const error = await failure(api.search('Coverage', [['patient', 'pat-1']]));
    expect(error).toMatchObject({ code: 'ehr_error', facts: { http: 400, codes: ['invalid'] } });
    expect(JSON.stringify(error) + String(error)).not.toMatch(/Canary|pat-1/);
  });
});

describe('search', () => {
  const search = (api: FhirApi) => api.search('Coverage', [['patient', 'pat-1']]);
  const first = '/fhir/Coverage?patient=pat-1';

  test.each([
    ['absolute', `${ehr}/fhir/Coverage?page=2`],
    ['relative to the base', 'Coverage?page=2'],
    ['rooted at the base, as Canvas writes it', '/Coverage?page=2'],
    ['rooted at the host', '/fhir/Coverage?page=2'],
    ['of a query alone', '?page=2'],
    ['of the same folder', './Coverage?page=2'],
    ['with blanks around it', ' Coverage?page=2 '],
    ['of another host, as behind a proxy', 'https://internal.example/fhir/Coverage?page=2'],
    ['of another port', 'https://ehr.valley.example:8443/fhir/Coverage?page=2'],
    ['of another scheme', 'http://ehr.valley.example/fhir/Coverage?page=2'],
    ['without a scheme', '//internal.example/fhir/Coverage?page=2'],
    ['with a name and a password', 'https://somebody:secret@ehr.valley.example/fhir/Coverage?page=2'],
  ])('a next link %s is followed, to the configured base [D02] [E5]', async (_name, next) => {
    const api = await openApi();
    nock(ehr)
      .get(first)
      .reply(200, bundle([coverage('a')], next));
    nock(ehr)
      .get('/fhir/Coverage?page=2')
      .reply(200, bundle([coverage('b')]));
    expect(await search(api)).toMatchObject({ truncated: false, resources: [{ id: 'a' }, { id: 'b' }] });
  });

  test('resources that the EHR gives without an id are each kept', async () => {
    const api = await openApi();
    const nameless = (status: string) => ({ resource: { resourceType: 'Coverage', status } });
    nock(ehr)
      .get(first)
      .reply(200, bundle([nameless('active'), nameless('cancelled')]));
    expect(await search(api)).toMatchObject({ resources: [{ status: 'active' }, { status: 'cancelled' }] });
  });

  test.each([
    'https://evil.example/other/Coverage?page=2',
    'https://ehr.valley.example/other?page=2',
    'https://ehr.valley.example/fhirs/Coverage?page=2',
    '//evil.example/x',
    '../other?page=2',
    'https://ehr.valley.example/fhir/../other',
    'https://ehr.valley.example/fhir/%2e%2e/other',
    'https://ehr.valley.example/fhir/..%2Fother',
    'urn:uuid:2',
    'ftp://ehr.valley.example/fhir/Coverage?page=2',
    'https://',
  ])('a next link to %s is not followed, and the answer says that it is cut [D01] [E5]', async (next) => {
    const api = await openApi();
    let foreign = 0;
    const onRequest = () => (foreign += 1);
    nock.emitter.on('no match', onRequest);
    nock(ehr)
      .get(first)
      .reply(200, bundle([coverage('a')], next));
    expect(await search(api)).toMatchObject({ truncated: true, isOutside: true, resources: [{ id: 'a' }] });
    nock.emitter.off('no match', onRequest);
    expect(foreign).toBe(0);
  });

  test('pages that point at each other end [D02]', async () => {
    const api = await openApi();
    nock(ehr)
      .get(first)
      .reply(200, bundle([coverage('a')], 'Coverage?page=2'));
    nock(ehr)
      .persist()
      .get('/fhir/Coverage?page=2')
      .reply(200, bundle([coverage('b')], 'Coverage?page=2'));
    expect(await search(api)).toMatchObject({ truncated: true, resources: [{ id: 'a' }, { id: 'b' }] });
  });

  test('endless pages end at the cap [D02]', async () => {
    const api = await openApi({ pages: 5 });
    let page = 0;
    nock(ehr)
      .persist()
      .get(/\/fhir\/Coverage/)
      .reply(() => {
        page += 1;
        return [200, JSON.stringify(bundle([coverage(`c${page}`)], `Coverage?page=${page + 1}`))];
      });
    const answer = await search(api);
    expect(answer.truncated).toBe(true);
    expect(ids(answer.resources)).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
  });

  test('OperationOutcome entries are notes, not data [D06]', async () => {
    const api = await openApi();
    const outcome = (code: string) => ({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'warning', code: 'informational', details: { coding: [{ code }] } }],
    });
    nock(ehr)
      .get(first)
      .reply(
        200,
        bundle([
          coverage('a'),
          { resource: outcome('4119'), search: { mode: 'outcome' } },
          { resource: outcome('4101') },
        ]),
      );
    expect(await search(api)).toEqual({
      truncated: false,
      warnings: ['4119', '4101'],
      resources: [{ resourceType: 'Coverage', id: 'a' }],
    });
  });

  test('a page after one whose link was a query alone is found from its own address [E5]', async () => {
    const api = await openApi();
    nock(ehr)
      .get(first)
      .reply(200, bundle([coverage('a')], 'Coverage/_search?page=2'));
    nock(ehr)
      .get('/fhir/Coverage/_search?page=2')
      .reply(200, bundle([coverage('b')], '?page=3'));
    nock(ehr)
      .get('/fhir/Coverage/_search?page=3')
      .reply(200, bundle([coverage('c')]));
    expect(ids((await search(api)).resources)).toEqual(['a', 'b', 'c']);
  });

  test.each([
    ['null for its list', { rest: null }],
    [
      'an object for a list',
      { rest: { mode: 'server', resource: { type: 'Coverage', searchInclude: 'Coverage:payor' } } },
    ],
    ['nulls in its lists', { rest: [null, { mode: 'server', resource: [null, { type: null }], interaction: null }] }],
    ['texts and numbers', { rest: 'server', implementation: 7 }],
  ])('[E2] a CapabilityStatement with %s is read by its shape', async (_, parts) => {
    const api = await openApi();
    nock(ehr)
      .get('/fhir/metadata')
      .reply(200, { resourceType: 'CapabilityStatement', status: 'active', ...parts });
    const statement = await api.capabilities();
    const [wanted] = searches;
    expect(includes(statement, wanted as ChartSearch)).toEqual([]);
    expect(offersBatch(statement)).toBe(false);
  });

  describe('[E2] a Bundle is read by its shape', () => {
    const answered = async (more: object) => {
      const api = await openApi();
      nock(ehr)
        .get(first)
        .reply(200, { resourceType: 'Bundle', type: 'searchset', ...more });
      return search(api);
    };

    test.each([
      ['no entry', {}],
      ['null for entry and link', { entry: null, link: null }],
      ['nulls among them', { entry: [null], link: [null] }],
      ['an entry without a resource', { entry: [{ search: { mode: 'match' } }, { resource: null }] }],
      ['an entry of nothing', { entry: [{}] }],
    ])('%s: nothing was found', async (_, more) => {
      expect(await answered(more)).toEqual({ resources: [], truncated: false, warnings: [] });
    });

    test.each([
      ['an object for the list of entries', { entry: coverage('a') }],
      ['an object for the list of links', { entry: [coverage('a')], link: { relation: 'self', url: 'x' } }],
      ['null for the search of an entry', { entry: [{ ...coverage('a'), search: null }] }],
      ['a text for the search of an entry', { entry: [{ ...coverage('a'), search: 'match' }] }],
    ])('%s: what stands there is read', async (_, more) => {
      expect(await answered(more)).toEqual({ resources: [coverage('a').resource], truncated: false, warnings: [] });
    });

    test.each([
      ['a text for the list of entries', { entry: 'Coverage/a' }, 0],
      ['texts and numbers for entries', { entry: [coverage('a'), 'x', 7] }, 1],
      ['a list for an entry', { entry: [[coverage('a')]] }, 0],
      ['a text for a resource', { entry: [{ resource: 'Coverage/a' }, coverage('b')] }, 1],
      ['a resource without its type', { entry: [{ resource: { id: 'a' } }, coverage('b')] }, 1],
    ])('%s: what cannot be read is counted, so that nothing else is taken for all', async (_, more, count) => {
      const { resources, truncated, unread = 0 } = await answered(more);
      expect(resources).toHaveLength(count);
      expect(truncated).toBe(true);
      expect(unread).toBeGreaterThan(0);
    });

    test.each([7, ['Coverage?page=2'], { value: 'Coverage?page=2' }])(
      '%j for the address of the next page',
      async (url) => {
        const link = [{ relation: 'next', url }];
        expect(await answered({ entry: [coverage('a')], link })).toMatchObject({ truncated: true, isOutside: true });
      },
    );

    test.each([
      ['null', null, { status: 502 }],
      ['without a resource', { response: { status: '404 Not Found' } }, { status: 404 }],
      ['with a number for its status', { response: { status: 403 } }, { status: 403 }],
      [
        'with an OperationOutcome for what was asked',
        { resource: { resourceType: 'OperationOutcome' } },
        { status: 502 },
      ],
      ['with null for its response', { ...coverage('a'), response: null }, coverage('a').resource],
      ['with a text for its response', { ...coverage('a'), response: '200' }, coverage('a').resource],
    ])('an answer of a batch that is %s', async (_, entry, expected) => {
      const api = await openApi();
      nock(ehr)
        .post('/fhir')
        .reply(200, { resourceType: 'Bundle', type: 'batch-response', entry: [entry] });
      expect(await api.batch(['Coverage/a'])).toEqual([expected]);
    });
  });

  describe('[E3] an error among the entries says that the search failed', () => {
    const outcome = (...issue: readonly unknown[]) => ({
      search: { mode: 'outcome' },
      resource: { resourceType: 'OperationOutcome', issue },
    });
    const answer = async (...entry: readonly object[]) => {
      const api = await openApi();
      nock(ehr).get(first).reply(200, bundle(entry));
      return failure(search(api));
    };
    const timeout = { code: 'timeout', details: { text: 'The search of coverages timed out' } };

    test.each([
      ['error', outcome({ severity: 'error', ...timeout })],
      ['fatal', outcome({ severity: 'fatal', ...timeout })],
      ['no severity', outcome(timeout)],
      [
        'an error beside a note',
        outcome({ severity: 'warning', code: 'informational' }, { severity: 'error', ...timeout }),
      ],
      ['no mode of the entry', { resource: outcome({ severity: 'error', ...timeout }).resource }],
    ])('%s', async (_, entry) => {
      const error = await answer(coverage('a'), entry);
      expect(error).toMatchObject({ code: 'ehr_error', facts: { http: 200, resource: 'Coverage' } });
      expect(saidBy(error as BridgeError)).toBe('The search of coverages timed out');
      expect(JSON.stringify(error) + String(error)).not.toContain('timed out');
    });

    test('an outcome of a shape that nobody can read', async () => {
      for (const issue of [null, 'failed', [null], ['failed']]) {
        const entry = { resource: { resourceType: 'OperationOutcome', issue } };
        expect(await answer(coverage('a'), entry)).toMatchObject({ code: 'ehr_error' });
      }
    });

    test.each(['warning', 'information', 'success'])(
      '%s is a note, whose words are given beside its code',
      async (severity) => {
        expect(await answer(coverage('a'), outcome({ severity, ...timeout }))).toEqual({
          resources: [coverage('a').resource],
          truncated: false,
          warnings: ['timeout'],
          texts: { timeout: 'The search of coverages timed out' },
        });
      },
    );

    test.each([
      ['alone with 200', 200, 'ehr_not_fhir'],
      ['with 500', 500, 'ehr_error'],
      ['with 403', 403, 'ehr_forbidden'],
    ])('an OperationOutcome %s keeps its words', async (_, status, code) => {
      const api = await openApi();
      nock(ehr)
        .get(first)
        .reply(status, outcome({ severity: 'error', ...timeout }).resource);
      const error = await failure(search(api));
      expect(error).toMatchObject({ code });
      expect(saidBy(error as BridgeError)).toBe('The search of coverages timed out');
    });
  });

  test('a Break-the-Glass entry is a refusal [D11]', async () => {
    const api = await openApi();
    const outcome = {
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code: 'suppressed', details: { coding: [{ code: '4130' }] } }],
    };
    nock(ehr)
      .get(first)
      .reply(200, bundle([{ resource: outcome, search: { mode: 'outcome' } }]));
    expect(await codeOf(search(api))).toBe('ehr_forbidden');
  });

  test('a resource that is no Bundle is an error, not an empty answer [D07]', async () => {
    const api = await openApi();
    nock(ehr).get(first).reply(200, { resourceType: 'OperationOutcome', issue: [] });
    expect(await codeOf(search(api))).toBe('ehr_not_fhir');
  });

  test('a resource that several pages carry comes once', async () => {
    const api = await openApi();
    nock(ehr)
      .get(first)
      .reply(200, bundle([coverage('a'), coverage('b')], 'Coverage?page=2'));
    nock(ehr)
      .get('/fhir/Coverage?page=2')
      .reply(200, bundle([coverage('b'), coverage('c')]));
    expect(ids((await search(api)).resources)).toEqual(['a', 'b', 'c']);
  });

  test('a search about another patient is refused before the request', async () => {
    expect(await codeOf((await openApi()).search('Coverage', [['patient', 'pat-2']]))).toBe('patient_mismatch');
  });
});

describe('repeats', () => {
  test.each([
    ['429 with seconds', 429, { 'retry-after': '0' }],
    ['429 with a date', 429, { 'retry-after': 'Sat, 21 Nov 2026 10:00:00 GMT' }],
    ['429 without', 429, {}],
    ['503', 503, {}],
    ['502', 502, {}],
  ])('a read is repeated after %s [D10]', async (_name, status, headers) => {
    const api = await openApi();
    nock(ehr).get('/fhir/Practitioner/x').twice().reply(status, '', headers);
    nock(ehr).get('/fhir/Practitioner/x').reply(200, { resourceType: 'Practitioner', id: 'x' });
    expect(await codeOf(api.read('Practitioner', 'x'))).toBe('resolved');
  });

  test('three times at most [D10]', async () => {
    const api = await openApi();
    const scope = nock(ehr).get('/fhir/Practitioner/x').times(4).reply(503);
    expect(await failure(api.read('Practitioner', 'x'))).toMatchObject({ code: 'ehr_error', facts: { http: 503 } });
    expect(scope.isDone()).toBe(false);
    expect(nock.pendingMocks().filter((mock) => mock.includes('Practitioner'))).toHaveLength(1);
  });

  test('not when the EHR asks to wait longer than the deadline [D10]', async () => {
    const api = await openApi();
    nock(ehr).get('/fhir/Practitioner/x').reply(429, '', { 'retry-after': '3600' });
    expect(await failure(api.read('Practitioner', 'x'))).toMatchObject({ code: 'ehr_error', facts: { http: 429 } });
  });
  test.each([
    ['429', 429, '90', 90],
    ['503', 503, '90', 90],
    ['503 without a time', 503, 'soon', undefined],
  ])('a write that is answered with %s says when the EHR may be asked again', async (_name, status, value, seconds) => {
    const api = await openApi();
    nock(ehr).post('/fhir/Task').reply(status, '', { 'retry-after': value });
    const facts = await failure(api.create(task)).then((error) => (error as BridgeError).facts);
    expect(facts.retry_after_seconds).toBe(seconds);
  });

  test('a lost connection is repeated [D10]', async () => {
    const api = await openApi();
    nock(ehr)
      .get('/fhir/Practitioner/x')
      .replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    nock(ehr).get('/fhir/Practitioner/x').reply(200, { resourceType: 'Practitioner', id: 'x' });
    expect(await codeOf(api.read('Practitioner', 'x'))).toBe('resolved');
  });

  test.each([429, 503, 502])('a write is not repeated after %i [D10]', async (status) => {
    const api = await openApi();
    let asked = 0;
    nock(ehr)
      .persist()
      .post('/fhir/Task')
      .reply(() => {
        asked += 1;
        return [status, ''];
      });
    expect(await codeOf(api.create(task))).toBe(status === 429 ? 'ehr_error' : 'ehr_write_unclear');
    expect(asked).toBe(1);
  });
});

describe('create', () => {
  test('sends FHIR JSON and asks for a minimal answer', async () => {
    const api = await openApi();
    nock(ehr, {
      reqheaders: {
        'content-type': 'application/fhir+json',
        prefer: 'return=minimal',
        'if-none-exist': 'identifier=s|v',
        authorization: 'Bearer access-1',
      },
    })
      .post('/fhir/Task', JSON.stringify(task))
      .reply(201, '', { location: 'Task/t1' });
    expect(await api.create(task, { ifNoneExist: 'identifier=s|v' })).toEqual({ id: 't1', existed: false });
  });

  test.each([
    ['relative', 'Task/t1', { id: 't1' }],
    ['absolute with a version', `${ehr}/fhir/Task/t1/_history/3`, { id: 't1', versionId: '3' }],
    ['on a foreign server', 'https://evil.example/fhir/Task/t1', { id: 't1' }],
  ])(
    '201 without a body and a Location %s is success, and nothing is fetched [G03]',
    async (_name, location, expected) => {
      const api = await openApi();
      let others = 0;
      const onRequest = () => (others += 1);
      nock.emitter.on('no match', onRequest);
      nock(ehr).post('/fhir/Task').reply(201, '', { location, 'content-type': 'text/html' });
      expect(await api.create(task)).toEqual({ ...expected, existed: false });
      nock.emitter.off('no match', onRequest);
      expect(others).toBe(0);
    },
  );

  test('id and version come from the body and ETag where there is no Location', async () => {
    const api = await openApi();
    nock(ehr)
      .post('/fhir/Task')
      .reply(201, { ...task, id: 't2' }, { etag: 'W/"7"' });
    expect(await api.create(task)).toEqual({ id: 't2', versionId: '7', existed: false });
  });

  test('a conditional create that finds the resource says so [G13]', async () => {
    const api = await openApi();
    nock(ehr)
      .post('/fhir/Task')
      .reply(200, { ...task, id: 't3', meta: { versionId: '2' } });
    expect(await api.create(task, { ifNoneExist: 'identifier=s|v' })).toEqual({
      id: 't3',
      versionId: '2',
      existed: true,
    });
  });

  test.each([
    [400, 'ehr_write_refused'],
    [403, 'ehr_forbidden'],
    [404, 'ehr_write_refused'],
    [405, 'ehr_write_refused'],
    [408, 'ehr_write_unclear'],
    [409, 'ehr_conflict'],
    [412, 'ehr_conflict'],
    [422, 'ehr_write_refused'],
    [501, 'ehr_write_refused'],
    [500, 'ehr_write_unclear'],
    [504, 'ehr_write_unclear'],
  ])('%i is %s', async (status, code) => {
    const api = await openApi();
    nock(ehr).post('/fhir/Task').reply(status);
    expect(await failure(api.create(task))).toMatchObject({ code, facts: { http: status } });
  });

  test('403 names the scope', async () => {
    const api = await openApi();
    nock(ehr).post('/fhir/Task').reply(403);
    expect(await failure(api.create(task))).toMatchObject({ facts: { scope: 'Task.c' } });
  });

  test('a connection lost on the way leaves open whether it was stored [G04]', async () => {
    const api = await openApi();
    nock(ehr)
      .post('/fhir/Task')
      .replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    expect(await codeOf(api.create(task))).toBe('ehr_write_unclear');
  });

  test.each([
    [201, ''],
    [202, ''],
    [201, '\r\n'],
  ])('a %i that names no id is stored: it has no id, and is not sent again (%j)', async (status, body) => {
    const api = await openApi();
    nock(ehr).post('/fhir/Task').reply(status, body);
    expect(await api.create(task)).toEqual({ existed: false });
  });

  test.each([
    ['200 and a sign-in page', 200, '<!doctype html><title>Sign in</title>'],
    ['201 and half of a body', 201, '{"resourceType":"Ta'],
    ['200 and a list', 200, '[]'],
  ])('%s that names no id leaves open whether it was stored', async (_name, status, body) => {
    const api = await openApi();
    nock(ehr).post('/fhir/Task').reply(status, body);
    expect(await failure(api.create(task))).toMatchObject({ code: 'ehr_write_unclear', facts: { http: status } });
  });

  test('a server that cannot be connected to has certainly stored nothing', async () => {
    const api = await openApi();
    nock(ehr)
      .post('/fhir/Task')
      .replyWithError(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    expect(await codeOf(api.create(task))).toBe('ehr_unreachable');
  });

  test.each([
    ['another patient', { ...task, for: { reference: 'Patient/pat-2' } }],
    ['no patient', { resourceType: 'Task', status: 'received', intent: 'order' } as Task],
    ['the same id on another server', { ...task, for: { reference: 'https://evil.example/fhir/Patient/pat-1' } }],
  ])('a resource for %s is refused before the request [E12 G14]', async (_name, resource) => {
    const api = await openApi();
    const scope = nock(ehr).post('/fhir/Task').reply(201);
    expect(await codeOf(api.create(resource))).toBe('patient_mismatch');
    expect(scope.isDone()).toBe(false);
  });

  test.each([
    ['of this patient leaves', ['Patient/pat-1', 'MedicationRequest/m1'], 'created'],
    ['of another one is refused', ['Patient/pat-1', 'Patient/pat-2'], 'patient_mismatch'],
    ['of nobody is refused', ['MedicationRequest/m1'], 'patient_mismatch'],
  ])('a Provenance is about the patient among its sources: one %s [G14 G20]', async (_name, sources, came) => {
    const api = await openApi();
    nock(ehr).post('/fhir/Provenance').reply(201, '', { location: '/fhir/Provenance/p1' });
    const provenance: Provenance = {
      resourceType: 'Provenance',
      target: [{ reference: 'Task/t1' }],
      recorded: '2026-11-21T10:00:00Z',
      agent: [{ who: { display: 'prior-auth-bridge' } }],
      entity: sources.map((reference) => ({ role: 'source', what: { reference } })),
    };
    const answer = api.create(provenance);
    expect(came === 'created' ? (await answer).id : await codeOf(answer)).toBe(came === 'created' ? 'p1' : came);
  });
});

describe('update', () => {
  const stored = { ...task, id: 't1' };

  test('sends If-Match and takes the new version from ETag', async () => {
    const api = await openApi();
    nock(ehr, { reqheaders: { 'if-match': 'W/"3"' } })
      .put('/fhir/Task/t1')
      .reply(200, '', { etag: 'W/"4"' });
    expect(await api.update(stored, { ifMatch: 'W/"3"' })).toEqual({ id: 't1', versionId: '4', existed: false });
  });

  test.each(['W/"3"', '"3"', '3'])('the version of a read is its ETag as it came: %s [E1]', async (etag) => {
    const api = await openApi();
    nock(ehr)
      .get('/fhir/Task/t1')
      .reply(200, { ...stored, meta: { versionId: '9' } }, { etag });
    const read = await api.readVersion('Task', 't1');
    expect(read).toMatchObject({ resource: { id: 't1' }, etag });
    nock(ehr, { reqheaders: { 'if-match': etag } })
      .put('/fhir/Task/t1')
      .reply(200);
    await api.update(stored, { ifMatch: read?.etag ?? '' });
  });

  test('a read without ETag has none [E1]', async () => {
    const api = await openApi();
    nock(ehr).get('/fhir/Task/t1').reply(200, stored);
    expect(await api.readVersion('Task', 't1')).not.toHaveProperty('etag');
  });

  test('takes the new version from an ETag that is not weak', async () => {
    const api = await openApi();
    nock(ehr).put('/fhir/Task/t1').reply(200, '', { etag: '"4"' });
    expect(await api.update(stored)).toEqual({ id: 't1', versionId: '4', existed: false });
  });

  test('a resource under another id in the answer is the one that was sent', async () => {
    const api = await openApi();
    nock(ehr)
      .put('/fhir/Task/t1')
      .reply(200, { ...stored, id: 'T1-0001' });
    expect(await api.update(stored)).toEqual({ id: 't1', existed: false });
  });

  test.each([409, 412])('%i is a conflict [G08]', async (status) => {
    const api = await openApi();
    nock(ehr).put('/fhir/Task/t1').reply(status);
    expect(await codeOf(api.update(stored, { ifMatch: 'W/"3"' }))).toBe('ehr_conflict');
  });
});

describe('patch and delete', () => {
  const stored = { ...task, id: 't1' };

  test('a patch is a JSON Patch with If-Match', async () => {
    const api = await openApi();
    const operations = [{ op: 'replace', path: '/status', value: 'completed' }] as const;
    nock(ehr, { reqheaders: { 'if-match': 'W/"3"', 'content-type': 'application/json-patch+json' } })
      .patch('/fhir/Task/t1', JSON.stringify(operations))
      .reply(200, '', { etag: 'W/"4"' });
    expect(await api.patch(stored, operations, { ifMatch: 'W/"3"' })).toEqual({
      id: 't1',
      versionId: '4',
      existed: false,
    });
  });

  test.each(['/for', '/for/reference', ''])(
    'a patch of %j would move the Task to another patient: refused',
    async (path) => {
      const api = await openApi();
      const scope = nock(ehr).patch('/fhir/Task/t1').reply(200);
      const operation = { op: 'replace', path, value: { reference: 'Patient/pat-2' } } as const;
      expect(await codeOf(api.patch(stored, [operation]))).toBe('patient_mismatch');
      const harmless = { op: 'replace', path: '/status', value: 'completed' } as const;
      expect(await codeOf(api.patch(stored, [harmless, operation]))).toBe('patient_mismatch');
      expect(scope.isDone()).toBe(false);
    },
  );

  test.each([204, 404, 410])('%i: the resource is gone', async (status) => {
    const api = await openApi();
    nock(ehr).delete('/fhir/Task/t1').reply(status);
    expect(await api.delete(stored)).toBeUndefined();
  });

  test('a delete that is refused names the scope; one about another patient does not leave', async () => {
    const api = await openApi();
    nock(ehr).delete('/fhir/Task/t1').reply(403);
    expect(await failure(api.delete(stored))).toMatchObject({ code: 'ehr_forbidden', facts: { scope: 'Task.d' } });
    const other = { ...stored, for: { reference: 'Patient/pat-2' } };
    expect(await codeOf(api.delete(other))).toBe('patient_mismatch');
  });

  test('a read whose id comes back in another case is the resource that was asked for', async () => {
    const api = await openApi();
    nock(ehr)
      .get('/fhir/Task/t1')
      .reply(200, { ...stored, id: 'T1' });
    expect(await api.read<Task>('Task', 't1')).toMatchObject({ id: 'T1' });
  });
});

describe('batch', () => {
  test('answers in order; a failed entry is its status', async () => {
    const api = await openApi();
    const asked: unknown[] = [];
    nock(ehr)
      .post('/fhir')
      .reply(async (request: Request) => {
        asked.push(await request.json());
        const entry = [
          { response: { status: '200 OK' }, resource: { resourceType: 'Organization', id: 'o' } },
          { response: { status: '404' } },
        ];
        return [200, JSON.stringify({ resourceType: 'Bundle', type: 'batch-response', entry })];
      });
    expect(await api.batch(['Organization/o', 'Location/l'])).toEqual([
      { resourceType: 'Organization', id: 'o' },
      { status: 404 },
    ]);
    expect(asked).toEqual([
      {
        resourceType: 'Bundle',
        type: 'batch',
        entry: [
          { request: { method: 'GET', url: 'Organization/o' } },
          { request: { method: 'GET', url: 'Location/l' } },
        ],
      },
    ]);
  });

  test('another number of answers is not trusted', async () => {
    const api = await openApi();
    nock(ehr).post('/fhir').reply(200, { resourceType: 'Bundle', type: 'batch-response', entry: [] });
    expect(await codeOf(api.batch(['Organization/o']))).toBe('ehr_not_fhir');
  });
});

describe('capabilities', () => {
  test('are asked without a token, kept for all launches of the site, and a failure is not kept', async () => {
    tokenEndpoint({ body: token });
    const on = bench();
    const api = on.smart.api((await launched(on, 'b1')).launch);
    nock(ehr).get('/fhir/metadata').reply(500);
    expect(await failure(api.capabilities())).toMatchObject({
      code: 'ehr_error',
      facts: { resource: 'CapabilityStatement' },
    });
    let asked = 0;
    nock(ehr)
      .persist()
      .get('/fhir/metadata')
      .reply((request: Request) => {
        asked += 1;
        return [
          request.headers.has('authorization') ? 401 : 200,
          JSON.stringify({ resourceType: 'CapabilityStatement' }),
        ];
      });
    expect(await api.capabilities()).toEqual({ resourceType: 'CapabilityStatement' });
    await on.smart.api((await launched(on, 'b2')).launch).capabilities();
    expect(asked).toBe(1);
    // Ten minutes: an upgrade of the EHR is seen the same morning.
    on.clock.forward(9 * 60_000);
    await api.capabilities();
    expect(asked).toBe(1);
    on.clock.forward(60_000);
    await api.capabilities();
    expect(asked).toBe(2);
  });
});

describe('over a real connection', () => {
  let server: Server | undefined;
  afterEach(async () => {
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
    server = undefined;
  });

  /** The FHIR server is real; sign-in happened at the mocked EHR before. */
  async function serve(onRequest: Parameters<typeof createServer>[1], limits: Partial<Limits> = {}): Promise<FhirApi> {
    server = createServer(onRequest!);
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    tokenEndpoint({ body: token });
    const signedIn = bench();
    const { launch } = await launched(signedIn);
    const { store } = signedIn;
    const on = bench({ store, limits: { bodyBytes: 100_000, ...limits } });
    return on.smart.api({ ...launch, site: { ...launch.site, id: 'real', iss: `${origin}/fhir` } });
  }

  const timedOut = { code: 'ehr_unreachable', facts: { reason: 'timeout' } };

  test('a server that never answers is given up after some repeats [D12]', async () => {
    let asked = 0;
    const api = await serve(() => (asked += 1), { timeoutMs: 1_000 });
    expect(await failure(api.read('Practitioner', 'x'))).toMatchObject(timedOut);
    expect(asked).toBe(3);
  });

  test('a server that never answers is given up within the deadline of all repeats [D12]', async () => {
    const api = await serve(() => {}, { deadlineMs: 300 });
    expect(await failure(api.read('Practitioner', 'x'))).toMatchObject(timedOut);
  });

  test('a write that is never answered leaves open whether it was stored, and is sent once [G04]', async () => {
    let asked = 0;
    const api = await serve(() => (asked += 1), { timeoutMs: 2_000 });
    expect(await failure(api.create(task))).toMatchObject({ code: 'ehr_write_unclear', facts: { reason: 'timeout' } });
    expect(asked).toBe(1);
  });

  test('a write to a server that is down was certainly not stored', async () => {
    const api = await serve(() => undefined);
    await new Promise<void>((resolve) => server!.close(() => resolve()));
    server = undefined;
    expect(await codeOf(api.create(task))).toBe('ehr_unreachable');
  });

  test('a small answer that unpacks to a huge one is cut off [D13]', async () => {
    const bomb = gzipSync(`{"resourceType":"CapabilityStatement","x":"${'x'.repeat(5_000_000)}"}`);
    expect(bomb.length).toBeLessThan(100_000);
    const api = await serve((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(await failure(api.capabilities())).toMatchObject({ code: 'ehr_not_fhir', facts: { reason: 'too-large' } });
  });

  test('a body that drips is given up in time [D13]', async () => {
    const api = await serve(
      (_request, response) => {
        response.writeHead(200).write('{');
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      },
      { timeoutMs: 300 },
    );
    expect(await failure(api.capabilities())).toMatchObject(timedOut);
  });
});
