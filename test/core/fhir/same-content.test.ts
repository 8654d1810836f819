import type { Coverage } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';
import { contentText, hasSameContent } from '../../../src/core/fhir/same-content.ts';

const coverage: Coverage = {
  resourceType: 'Coverage',
  id: 'a',
  meta: { lastUpdated: '2026-10-01T08:00:00Z' },
  status: 'active',
  beneficiary: { reference: 'Patient/p1' },
  payor: [{ display: 'Example Plan' }],
  class: [{ type: { text: 'group' }, value: '7' }],
};

test('two resources of one content under two ids, written in another order of keys, are the same', () => {
  const { id: _, meta: __, resourceType, ...rest } = coverage;
  const reversed = Object.fromEntries(Object.entries(rest).reverse());
  expect(hasSameContent(coverage, { ...reversed, resourceType, id: 'b' })).toBe(true);
});

test('[K6] two exports that write one code system in two ways say the same', () => {
  const typed = (system: string): Coverage => ({ ...coverage, type: { coding: [{ system, code: 'DRUGPOL' }] } });
  const url = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
  for (const spelling of ['2.16.840.1.113883.5.4', 'http://hl7.org/fhir/v3/ActCode', `${url}/`]) {
    expect(hasSameContent(typed(url), typed(spelling))).toBe(true);
    expect(contentText(typed(url))).toBe(contentText(typed(spelling)));
  }
  expect(hasSameContent(typed(url), typed('2.16.840.1.113883.5.6'))).toBe(false);
});

describe('[K16] a target is the same however a reference to it is written', () => {
  const ehr = 'https://ehr.example/fhir';
  const plan = (id: string, beneficiary: string, payor: string): Coverage => ({
    ...coverage,
    id,
    beneficiary: { reference: beneficiary },
    payor: [{ reference: payor }],
  });
  const patient = { resourceType: 'Patient', id: 'p1' } as const;
  const relative = plan('a', 'Patient/p1', 'Organization/o1');

  test.each([
    ['absolute', `${ehr}/Patient/p1`, `${ehr}/Organization/o1`],
    ['absolute at one place', 'Patient/p1', `${ehr}/Organization/o1`],
    ['by the other scheme', 'http://ehr.example/fhir/Patient/p1', 'Organization/o1'],
    ['of a version', `${ehr}/Patient/p1/_history/2`, 'Organization/o1/_history/1'],
  ])('%s', (_, beneficiary, payor) => {
    const graph = indexChart([patient, relative, plan('b', beneficiary, payor)]);
    const [one, other] = graph.ofType('Coverage');
    expect(graph.hasSameContent(one!.resource, other!.resource)).toBe(true);
    const versions = indexChart([patient, relative, plan('a', beneficiary, payor)]);
    expect([...versions.disputed]).toEqual([]);
  });

  test('not of another server', () => {
    const stated = { fullUrl: `${ehr}/Coverage/a`, resource: relative };
    const other = 'https://other.example/fhir/Organization/o1';
    const graph = indexChart([
      { fullUrl: `${ehr}/Patient/p1`, resource: patient },
      stated,
      plan('b', 'Patient/p1', other),
    ]);
    const [one, two] = graph.ofType('Coverage');
    expect(graph.hasSameContent(one!.resource, two!.resource)).toBe(false);
  });
});

test.each([
  ['another value', { subscriberId: '1' }],
  ['another order of a list', { payor: [{ display: 'Other' }, { display: 'Example Plan' }] }],
  ['a value deep inside', { class: [{ type: { text: 'group' }, value: '8' }] }],
  ['one element less', { class: undefined }],
  ['another type', { resourceType: 'Basic' }],
])('%s makes two', (_, change) => {
  const other = { ...coverage, ...change } as Coverage;
  expect(hasSameContent(coverage, other)).toBe(false);
  expect(hasSameContent(other, coverage)).toBe(false);
});
