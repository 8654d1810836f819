import { describe, expect, test } from 'vitest';
import { readHookRequest } from '../../../src/core/fhir/cds-hooks.ts';

const order = (id: string, more: object = {}) => ({
  resourceType: 'MedicationRequest',
  id,
  status: 'draft',
  intent: 'order',
  subject: { reference: 'Patient/p1' },
  ...more,
});
const patient = { resourceType: 'Patient', id: 'p1' };
const bundle = (...resources: readonly object[]) => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: resources.map((resource) => ({ resource })),
});

/** A request as an EHR posts it. */
const request = (hook: string, context: object, prefetch: object = {}) => ({
  hook,
  hookInstance: '5c1b8e0a-0000-4000-8000-000000000001',
  fhirServer: null,
  context: { userId: 'Practitioner/d1', patientId: 'p1', ...context },
  prefetch,
});

const draftsOf = (hook: string, context: object) => [...(readHookRequest(request(hook, context))?.drafts ?? [])];

describe('the orders being written that a CDS Hooks request names', () => {
  test('order-sign: every one of draftOrders', () => {
    expect(draftsOf('order-sign', { draftOrders: bundle(order('a'), order('b')) })).toEqual([
      'MedicationRequest/a',
      'MedicationRequest/b',
    ]);
  });

  test('order-select: only those of selections, compared whole', () => {
    const draftOrders = bundle(order('smart-MedicationRequest-1'), order('smart-MedicationRequest-10'), order('b'));
    const selections = ['MedicationRequest/smart-MedicationRequest-1', 'NutritionOrder/b', 'MedicationRequest/gone', 7];
    expect(draftsOf('order-select', { draftOrders, selections })).toEqual([
      'MedicationRequest/smart-MedicationRequest-1',
    ]);
    expect(draftsOf('order-select', { draftOrders })).toEqual([]);
  });

  test('order-dispatch and patient-view: none', () => {
    expect(draftsOf('order-dispatch', { dispatchedOrders: ['MedicationRequest/a'] })).toEqual([]);
    expect(draftsOf('patient-view', {})).toEqual([]);
  });

  test('before CDS Hooks 1.0: those of medications', () => {
    expect(draftsOf('medication-prescribe', { medications: bundle(order('a')) })).toEqual(['MedicationRequest/a']);
  });

  test('an order without an id by its fullUrl', () => {
    const { id: _, ...unnamed } = order('a');
    const draftOrders = { resourceType: 'Bundle', entry: [{ fullUrl: 'urn:uuid:1', resource: unnamed }] };
    expect(draftsOf('order-sign', { draftOrders })).toEqual(['urn:uuid:1']);
  });
});

describe('the resources of a CDS Hooks request', () => {
  test('are those of the context and of the prefetch, each with its place', () => {
    const prefetch = {
      patient,
      none: null,
      coverage: { ...bundle({ resourceType: 'Coverage', id: 'c1' }), type: 'searchset' },
      batched: { response: { status: '200 OK' }, resource: { resourceType: 'Practitioner', id: 'd1' } },
      failed: { response: { status: '404 Not Found' } },
      denied: { resourceType: 'OperationOutcome' },
    };
    const read = readHookRequest(request('order-sign', { draftOrders: bundle(order('a')) }, prefetch));
    expect(read?.entries.map(({ resource, path }) => `${path}: ${resource.resourceType}`)).toEqual([
      'context.draftOrders.entry[0].resource: MedicationRequest',
      'prefetch.patient: Patient',
      'prefetch.coverage.entry[0].resource: Coverage',
      'prefetch.batched.resource: Practitioner',
    ]);
    expect(read?.issues).toEqual([{ path: 'prefetch.denied', message: 'an OperationOutcome instead of data' }]);
  });

  test('an order that is revised counts as it is being written', () => {
    const stored = order('a', { status: 'active' });
    const read = readHookRequest(
      request('order-sign', { draftOrders: bundle(order('a')) }, { orders: bundle(stored) }),
    );
    expect(read?.entries.map(({ resource }) => resource)).toEqual([order('a')]);
  });

  describe('[K16] an order of another server that has the id of a draft is not that draft', () => {
    const [ehr, other] = ['https://ehr.example/fhir', 'https://other.example/fhir'];
    const at = (base: string) => ({
      fullUrl: `${base}/MedicationRequest/a`,
      resource: order('a', { status: 'active' }),
    });
    const searched = (...entry: readonly object[]) => ({ resourceType: 'Bundle', type: 'searchset', entry });
    const issuesOf = (more: object, prefetch: object, draft: object = { resource: order('a') }) =>
      readHookRequest({ ...request('order-sign', { draftOrders: searched(draft) }, prefetch), ...more })?.issues;
    const told = (index: number, base = other) => ({
      path: `prefetch.orders.entry[${index}].resource`,
      message: `MedicationRequest/a at ${base} is not certainly the draft of that id: it was not used`,
    });

    test.each([
      ['by fhirServer', { fhirServer: ehr }, { orders: searched(at(other)) }, undefined, [told(0)]],
      ['by the draft’s fullUrl', {}, { orders: searched(at(other)) }, at(ehr), [told(0)]],
      [
        'of two servers, when nothing says whose the draft is',
        {},
        { orders: searched(at(ehr), at(other)) },
        undefined,
        [told(0, ehr), told(1)],
      ],
      [
        'as the draft’s server stored it',
        { fhirServer: `${ehr}/` },
        { orders: searched(at(ehr), { resource: order('a') }) },
        undefined,
        [],
      ],
      ['when only one server is named', {}, { orders: searched(at(ehr)) }, undefined, []],
    ])('%s', (_, more, prefetch, draft, issues) => {
      expect(issuesOf(more, prefetch, draft)).toEqual(issues);
    });
  });

  test('other JSON is no CDS Hooks request', () => {
    expect([patient, { hook: 'order-sign' }, [], null].map(readHookRequest)).toEqual(Array(4).fill(undefined));
  });
});
