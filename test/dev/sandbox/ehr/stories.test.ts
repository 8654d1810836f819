import type { Bundle, FhirResource } from 'fhir/r4.js';
import { beforeAll, expect, test } from 'vitest';
import { isNpi } from '../../../../src/core/fhir/codes/npi.ts';
import { loadDefinitions } from '../../../../src/dev/sandbox/ehr/fhir/definitions.ts';
import { assertValid } from '../../../../src/dev/sandbox/ehr/fhir/validate.ts';
import { stories } from '../../../../src/dev/sandbox/ehr/stories.ts';
import { storyBundle } from '../../../../src/dev/sandbox/ehr/story-bundle.ts';

beforeAll(() => loadDefinitions());

const resourcesOf = (bundle: Bundle<FhirResource>): FhirResource[] =>
  (bundle.entry ?? []).flatMap((entry) => entry.resource ?? []);

test.each(stories)('$folder: every resource is valid FHIR R4', (story) => {
  for (const resource of resourcesOf(storyBundle(story))) {
    expect(
      () => assertValid(resource as Parameters<typeof assertValid>[0]),
      `${resource.resourceType}/${resource.id}`,
    ).not.toThrow(); // the same JSON in the two packages' types
  }
});

test.each(stories)(
  '$folder: every entry has a fullUrl that ends with its resource, and every reference leads to an entry',
  (story) => {
    const bundle = storyBundle(story);
    const known = new Set(resourcesOf(bundle).map((resource) => `${resource.resourceType}/${resource.id}`));
    for (const entry of bundle.entry ?? [])
      expect(entry.fullUrl).toBe(`https://ehr.example.org/fhir/${entry.resource?.resourceType}/${entry.resource?.id}`);
    const references = [...JSON.stringify(bundle).matchAll(/"reference":"([^"#][^"]*)"/g)].map((match) => match[1]);
    expect(references.filter((reference) => !known.has(reference ?? ''))).toEqual([]);
  },
);

test('all stories together have no id twice, except for what they share word for word', () => {
  const seen = new Map<string, string>();
  for (const resource of stories.flatMap((story) => resourcesOf(storyBundle(story)))) {
    const key = `${resource.resourceType}/${resource.id}`;
    const text = JSON.stringify(resource);
    expect(seen.get(key) ?? text).toBe(text);
    seen.set(key, text);
  }
});

test.each(stories)('$folder: people, numbers and addresses are recognisably invented', (story) => {
  const resources = resourcesOf(storyBundle(story));
  const phones = resources
    .flatMap((resource) => ('telecom' in resource ? (resource.telecom ?? []) : []))
    .filter((telecom) => 'system' in telecom && telecom.system !== 'email');
  for (const phone of phones) expect('value' in phone ? phone.value : '').toMatch(/ 555-01\d\d$/);
  const npis = resources
    .flatMap((resource) => (resource.resourceType === 'Practitioner' ? (resource.identifier ?? []) : []))
    .map((identifier) => identifier.value ?? '');
  expect(npis.length).toBeGreaterThan(0);
  for (const npi of npis) expect(isNpi(npi), npi).toBe(true);
});
