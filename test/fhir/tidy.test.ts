import type { Coverage, MedicationRequest, Resource } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { tidyResource } from '../../src/fhir/tidy.ts';

const resource = (json: Record<string, unknown>) => json as unknown as Resource; // what JSON.parse gives is whatever was written

test('a resource of the right form comes back as the same object', () => {
  const given = resource({
    resourceType: 'Patient',
    id: 'p',
    name: [{ family: 'Fenwick', given: ['Odalys', null] }],
    extension: [{ url: 'u', valueString: 'v' }],
  });
  expect(tidyResource(given)).toEqual({ resource: given, misshapen: [] });
  expect(tidyResource(given).resource).toBe(given);
});

test('a class type that is no CodeableConcept is absent, is named, and the other classes keep their index', () => {
  const classes = [{ type: 'group', value: 'G' }, 'rxbin', { type: { coding: [{ code: 'rxpcn' }] }, value: 'PCN' }];
  const { resource: tidied, misshapen } = tidyResource(resource({ resourceType: 'Coverage', id: 'c', class: classes }));
  expect((tidied as Coverage).class).toEqual([
    { value: 'G' },
    {},
    { type: { coding: [{ code: 'rxpcn' }] }, value: 'PCN' },
  ]);
  expect(misshapen).toEqual(['class[0].type', 'class[1]']);
});

test('what stands in another JSON type than it should is absent; null says nothing and is not named', () => {
  const given = resource({
    resourceType: 'MedicationRequest',
    id: 7,
    status: null,
    dosageInstruction: { text: 'x' },
    dispenseRequest: { quantity: { value: '60', unit: 'tablet' } },
  });
  const { resource: tidied, misshapen } = tidyResource(given);
  expect(tidied).toEqual({
    resourceType: 'MedicationRequest',
    dispenseRequest: { quantity: { unit: 'tablet' } },
  } satisfies Partial<MedicationRequest>);
  expect(misshapen).toEqual(['id', 'dosageInstruction', 'dispenseRequest.quantity.value']);
});

test('the given resource is left as it was', () => {
  const given = resource({ resourceType: 'Condition', code: 'M05.79' });
  tidyResource(given);
  expect(given).toEqual({ resourceType: 'Condition', code: 'M05.79' });
});

test('contained resources are looked at too, each by its own type', () => {
  const { resource: tidied, misshapen } = tidyResource(
    resource({
      resourceType: 'MedicationRequest',
      contained: [{ resourceType: 'Medication', id: 'm', code: [] }, 'x'],
    }),
  );
  expect(tidied).toEqual({
    resourceType: 'MedicationRequest',
    contained: [{ resourceType: 'Medication', id: 'm' }, 'x'],
  });
  expect(misshapen).toEqual(['contained[0].code']);
});

test('a type that the bridge does not read is left alone', () => {
  const given = resource({ resourceType: 'Claim', item: 'x' });
  expect(tidyResource(given).resource).toBe(given);
});
