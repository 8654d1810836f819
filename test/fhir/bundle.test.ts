import type { Medication, MedicationRequest, Organization, Patient, Practitioner, Resource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { indexResources, readBundle } from '../../src/fhir/bundle.ts';

const patient: Patient = { resourceType: 'Patient', id: 'p1', identifier: [{ system: 'urn:mrn', value: '77 ' }] };
const practitioner: Practitioner = {
  resourceType: 'Practitioner',
  id: 'd1',
  identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1000000004' }],
};
const medication: Medication = { resourceType: 'Medication', id: 'm1' };
const maker: Organization = { resourceType: 'Organization', id: 'o1' };
const order = {
  resourceType: 'MedicationRequest',
  id: 'r1',
  status: 'active',
  intent: 'order',
  subject: { reference: 'Patient/p1' },
  contained: [medication, maker],
} satisfies MedicationRequest;

describe('readBundle', () => {
  test('takes the resources of a Bundle with their fullUrl and names the entries it cannot use', () => {
    const read = readBundle({
      resourceType: 'Bundle',
      type: 'collection',
      entry: [
        { fullUrl: 'urn:uuid:1', resource: patient },
        { resource: { id: 'x' } },
        {},
        { resource: { resourceType: 'OperationOutcome' } },
        'text',
      ],
    });
    expect(read.entries).toEqual([{ fullUrl: 'urn:uuid:1', resource: patient }]);
    expect(read.issues).toEqual([
      { path: 'entry[1].resource', message: 'not a FHIR resource: no resourceType' },
      { path: 'entry[2].resource', message: 'no resource' },
      { path: 'entry[3].resource', message: 'an OperationOutcome instead of data' },
      { path: 'entry[4].resource', message: 'no resource' },
    ]);
  });

  test('takes nested Bundles, Parameters, a single resource and a list of resources', () => {
    const nested = {
      resourceType: 'Bundle',
      type: 'batch-response',
      entry: [
        { response: { status: '200' }, resource: { resourceType: 'Bundle', entry: [{ resource: order }] } },
        { response: { status: '204' } },
      ],
    };
    expect(readBundle(nested)).toEqual({ entries: [{ resource: order }], issues: [] });
    expect(
      readBundle({
        resourceType: 'Parameters',
        parameter: [
          { name: 'order', resource: order },
          { name: 'count', valueInteger: 1 },
        ],
      }),
    ).toEqual({ entries: [{ resource: order }], issues: [] });
    expect(readBundle(patient).entries).toEqual([{ resource: patient }]);
    expect(readBundle([patient, 7])).toEqual({
      entries: [{ resource: patient }],
      issues: [{ path: '[1]', message: 'not a FHIR resource: no resourceType' }],
    });
  });

  test('says that there is no resource at all', () => {
    expect(readBundle(null)).toEqual({ entries: [], issues: [{ path: '', message: 'no resource' }] });
    expect(readBundle({ resourceType: 'Bundle', entry: {} })).toEqual({
      entries: [],
      issues: [{ path: 'entry', message: 'entry is not a list' }],
    });
  });
});

describe('indexResources', () => {
  const index = indexResources([
    { resource: patient, fullUrl: 'https://ehr.example/fhir/Patient/p1' },
    { resource: practitioner, fullUrl: 'urn:uuid:9c6f' },
    order,
  ]);

  test.each([
    ['a relative reference', 'Patient/p1', patient],
    ['a versioned reference', 'Patient/p1/_history/1', patient],
    ['an absolute reference to the same base', 'https://ehr.example/fhir/Patient/p1', patient],
    ['an absolute versioned reference', 'https://ehr.example/fhir/Patient/p1/_history/4', patient],
    ['a fullUrl', 'urn:uuid:9c6f', practitioner],
    ['a conditional reference', 'Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|1000000004', practitioner],
    [
      'an escaped conditional reference',
      'Practitioner?identifier=http%3A%2F%2Fhl7.org%2Ffhir%2Fsid%2Fus-npi%7C1000000004',
      practitioner,
    ],
    ['a Reference element', { reference: 'Practitioner/d1' }, practitioner],
    [
      'a logical reference, whatever blanks the identifier ends with',
      { identifier: { system: 'urn:mrn', value: '77' } },
      patient,
    ],
    [
      'an absolute reference to a resource that came without its address',
      'https://ehr.example/fhir/MedicationRequest/r1',
      order,
    ],
  ])('resolves %s', (_, reference, expected) => {
    expect(index.resolve(reference)).toBe(expected);
  });

  test.each([
    ['the same id on another server', 'https://other.example/fhir/Patient/p1'],
    ['an id that is not here', 'Patient/p2'],
    ['another type with the same id', 'Practitioner/p1'],
    ['an identifier of another system', { identifier: { system: 'urn:other', value: '77' } }],
    ['a logical reference to another type', { type: 'Practitioner', identifier: { system: 'urn:mrn', value: '77' } }],
    ['a reference without anything', {}],
    ['a display alone', { display: 'Somebody' }],
    ['a contained reference seen from nowhere', '#m1'],
    ['no reference', undefined],
  ])('does not resolve %s', (_, reference) => {
    expect(index.resolve(reference)).toBeUndefined();
  });

  test('resolves contained resources from their container and from one another', () => {
    expect(index.resolve('#m1', order)).toBe(medication);
    expect(index.resolve({ reference: '#o1' }, medication)).toBe(maker);
    expect(index.resolve('#', medication)).toBe(order);
    expect(index.resolve('#m1', patient)).toBeUndefined();
  });

  test('resolves a relative reference within the base of its holder when two servers use the same id', () => {
    const entry = (base: string, resource: Resource) => ({
      resource,
      fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
    });
    const [here, there] = [{ ...patient }, { ...patient }];
    const holder = { ...order };
    const two = indexResources([
      entry('https://a.example', here),
      entry('https://b.example', there),
      entry('https://b.example', holder),
    ]);
    expect(two.resolve('Patient/p1', holder)).toBe(there);
    expect(two.resolve('Patient/p1')).toBeUndefined();
  });

  test('does not choose between two resources with the same identifier', () => {
    expect(
      indexResources([patient, { ...patient, id: 'p9' }]).resolve({ identifier: { system: 'urn:mrn', value: '77' } }),
    ).toBeUndefined();
  });
});
