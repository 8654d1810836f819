import { expect, test } from 'vitest';
import { contextNames } from '../../../src/ehr/smart/fhir-context.ts';

const iss = 'https://ehr.valley.example/fhir';

test('orders and Tasks are taken in the EHR’s order, once each, relative and without a version', () => {
  const named = contextNames(
    [
      { reference: 'Task/t1' },
      { reference: `${iss}/Task/t2/_history/3` },
      'MedicationRequest/m1',
      { reference: `${iss}/MedicationRequest/m2`, role: 'launch' },
      { reference: 'MedicationRequest/m1' },
      { reference: 'Task/t1', type: 'Task' },
    ],
    iss,
  );
  expect(named).toEqual({
    orders: ['MedicationRequest/m1', 'MedicationRequest/m2'],
    tasks: [{ reference: 'Task/t1' }, { reference: 'Task/t2' }],
  });
});

test('a Task that is named by an identifier alone is taken by it', () => {
  const identifier = { system: 'https://bridge.example/fhir/ns/case', value: 'c1' };
  expect(contextNames([{ type: 'Task', identifier }], iss).tasks).toEqual([{ identifier }]);
});

test.each([
  ['another server', { reference: 'https://evil.example/Task/t1' }],
  ['another role', { reference: 'Task/t1', role: 'other' }],
  ['another type', { reference: 'ServiceRequest/s1' }],
  ['no FHIR id', { reference: 'Task/../Patient/1' }],
  ['an identifier of another type', { type: 'ServiceRequest', identifier: { system: 's', value: 'v' } }],
  ['an identifier without a system', { type: 'Task', identifier: { value: 'v' } }],
  ['an identifier that is no text', { type: 'Task', identifier: { system: 1, value: 2 } }],
  ['nothing', null],
  ['a number', 7],
  ['a list', [{ reference: 'Task/t1' }]],
])('%s is not followed', (_name, item) => {
  expect(contextNames([item], iss)).toEqual({ orders: [], tasks: [] });
});

test.each([['none'], [undefined], [{ reference: 'Task/t1' }]])('what is no list names nothing: %j', (fhirContext) => {
  expect(contextNames(fhirContext, iss)).toEqual({ orders: [], tasks: [] });
});
