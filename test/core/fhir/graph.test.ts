import type {
  Account,
  Condition,
  Medication,
  MedicationRequest,
  Organization,
  Patient,
  Practitioner,
  Resource,
} from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';

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

describe('a reference', () => {
  const graph = indexChart([
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
    expect(graph.resolve(reference)?.resource).toBe(expected);
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
    expect(graph.resolve(reference)).toBeUndefined();
  });

  test('resolves contained resources from their container and from one another', () => {
    const holder = graph.find('MedicationRequest/r1');
    const inner = graph.resolve('#m1', holder);
    expect(inner).toEqual({ resource: medication, reference: 'Medication/m1 in MedicationRequest/r1' });
    expect(graph.find('Medication/m1 in MedicationRequest/r1')).toEqual(inner);
    expect(graph.resolve({ reference: '#o1' }, inner)?.reference).toBe('Organization/o1 in MedicationRequest/r1');
    expect(graph.resolve('#', inner)).toBe(holder);
    expect(graph.resolve('#m1', graph.find('Patient/p1'))).toBeUndefined();
  });

  test('resolves a relative reference within the base of its holder when two servers use the same id', () => {
    const entry = (base: string, resource: Resource) => ({
      resource,
      fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
    });
    const [here, there] = [{ ...patient }, { ...patient }];
    const holder = { ...order };
    const two = indexChart([
      entry('https://a.example', here),
      entry('https://b.example', there),
      entry('https://b.example', holder),
    ]);
    expect(two.resolve('Patient/p1', two.ofType('MedicationRequest')[0])?.resource).toBe(there);
    expect(two.resolve('Patient/p1')).toBeUndefined();
  });

  test('does not choose between two resources with the same identifier', () => {
    expect(
      indexChart([patient, { ...patient, id: 'p9' }]).resolve({ identifier: { system: 'urn:mrn', value: '77' } }),
    ).toBeUndefined();
  });
});

test('R6: a list that holds other resources now is another chart', () => {
  const list: Resource[] = [{ resourceType: 'Patient', id: 'p1' }];
  expect(indexChart(list).located.map(({ reference }) => reference)).toEqual(['Patient/p1']);
  list[0] = { resourceType: 'Patient', id: 'p2' };
  expect(indexChart(list).located.map(({ reference }) => reference)).toEqual(['Patient/p2']);
});

test('an index is taken as it is, so that one chart is indexed once', () => {
  const graph = indexChart([patient]);
  expect(indexChart(graph)).toBe(graph);
});

test('of two versions the one of the later instant is used, whatever zone it is written in', () => {
  const version = (lastUpdated: string, birthDate: string): Patient => ({
    ...patient,
    birthDate,
    meta: { lastUpdated },
  });
  const earlier = version('2026-10-01T23:30:00+05:00', '1970-01-01'); // 18:30 UTC
  const later = version('2026-10-01T20:00:00Z', '1980-01-01');
  for (const both of [
    [earlier, later],
    [later, earlier],
  ])
    expect(indexChart(both).located.map(({ resource }) => resource)).toEqual([later]);
});

describe('two references mean one thing', () => {
  const at = (base: string | undefined, resource: Resource) =>
    base === undefined ? { resource } : { resource, fullUrl: `${base}/${resource.resourceType}/${resource.id}` };
  const problem: Condition = { resourceType: 'Condition', id: 'c1', subject: { reference: 'Patient/p1' } };
  const ehr = 'https://ehr.example/fhir';
  const same = (one: object, other: object, bases: readonly (string | undefined)[] = [undefined, undefined]) => {
    const graph = indexChart([at(bases[0], order), at(bases[1], problem), patient]);
    const [holder, otherHolder] = [graph.ofType('MedicationRequest')[0]!, graph.ofType('Condition')[0]!];
    return graph.sameTarget(one, holder, other, otherHolder);
  };

  test.each([
    ['a resource that is not here', { reference: 'Encounter/e1' }, { reference: 'Encounter/e1' }],
    ['one of them with a version', { reference: 'Encounter/e1/_history/2' }, { reference: 'Encounter/e1' }],
    ['one of them absolute', { reference: `${ehr}/Encounter/e1` }, { reference: 'Encounter/e1' }],
    ['by fullUrl', { reference: 'urn:uuid:7' }, { reference: 'urn:uuid:7' }],
    ['by identifier', { identifier: { system: 'urn:v', value: '7' } }, { identifier: { system: 'urn:v', value: '7' } }],
    ['a resource that is here', { reference: 'Patient/p1' }, { identifier: { system: 'urn:mrn', value: '77' } }],
  ])('%s', (_, one, other) => {
    expect(same(one, other)).toBe(true);
  });

  test.each([
    ['two ids', { reference: 'Encounter/e1' }, { reference: 'Encounter/e2' }],
    ['two servers', { reference: `${ehr}/Encounter/e1` }, { reference: 'https://other.example/fhir/Encounter/e1' }],
    ['two systems', { identifier: { system: 'urn:v', value: '7' } }, { identifier: { system: 'urn:w', value: '7' } }],
    ['contained resources of two containers', { reference: '#e1' }, { reference: '#e1' }],
    ['names alone', { display: 'Visit' }, { display: 'Visit' }],
    ['one that is here and one that is not', { reference: 'Patient/p1' }, { reference: 'Patient/p2' }],
  ])('not %s', (_, one, other) => {
    expect(same(one, other)).toBe(false);
  });

  test('relative ones each at the server of its holder', () => {
    const visit = { reference: 'Encounter/e1' };
    expect(same(visit, visit, [ehr, ehr])).toBe(true);
    expect(same(visit, visit, [ehr, 'https://other.example/fhir'])).toBe(false);
  });
});

describe('a chart is open', () => {
  const other: Patient = { resourceType: 'Patient', id: 'p2', contained: [maker] };
  const problem = (id: string, subject: string): Condition => ({
    resourceType: 'Condition',
    id,
    subject: { reference: subject },
    contained: [
      { resourceType: 'Practitioner', id: 'd' },
      { resourceType: 'Patient', id: 'mother' },
    ],
  });
  const graph = indexChart([patient, other, practitioner, problem('c1', 'Patient/p1'), problem('c2', 'Patient/p2')]);
  const isOpen = (name: string) => graph.isOpenTo(graph.find(name)!.resource, 'Patient/p1');

  test('to its own Patient, its own resources and those of nobody', () => {
    const own = ['Patient/p1', 'Condition/c1', 'Practitioner/d1', 'Practitioner/d in Condition/c1'];
    expect([...own, 'Patient/mother in Condition/c1'].map(isOpen)).toEqual(Array(5).fill(true));
  });

  test('to nothing that is about several patients', () => {
    const account: Account = {
      resourceType: 'Account',
      id: 'a1',
      status: 'active',
      subject: [{ reference: 'Patient/p2' }, { reference: 'Patient/p3' }],
    };
    expect(indexChart([patient, account]).isOpenTo(account, 'Patient/p1')).toBe(false);
  });

  test('to no other Patient, and to nothing inside of what is another patient’s', () => {
    const others = ['Patient/p2', 'Condition/c2', 'Practitioner/d in Condition/c2', 'Patient/mother in Condition/c2'];
    expect(others.map(isOpen)).toEqual(Array(4).fill(false));
  });
});
