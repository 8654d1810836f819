import { beforeAll, expect, test } from 'vitest';
import { type Action, accessOf } from '../../../../src/dev/sandbox/ehr/fhir/access.ts';
import { loadDefinitions } from '../../../../src/dev/sandbox/ehr/fhir/definitions.ts';

beforeAll(() => loadDefinitions());

const every: readonly Action[] = ['c', 'r', 'u', 'd', 's'];
const granted = (scope: string, type: string) =>
  every.filter((action) => accessOf([scope], 'a').mayType(type, action)).join('');

test.each([
  ['patient/Task.read', 'Task', 'rs'],
  ['patient/Task.write', 'Task', 'cud'],
  ['patient/Task.*', 'Task', 'cruds'],
  ['patient/*.read', 'Coverage', 'rs'],
  ['patient/Task.cus', 'Task', 'cus'],
  ['user/Practitioner.r', 'Practitioner', 'r'],
  ['system/*.cruds', 'Task', 'cruds'],
  ['patient/Task.r', 'Coverage', ''],
  ['patient/Task.dus', 'Task', ''],
  ['patient/Task.', 'Task', ''],
  ['launch/patient', 'Patient', ''],
  ['patient/Observation.rs?category=laboratory', 'Observation', ''],
])('%s gives %s "%s"', (scope, type, expected) => {
  expect([...granted(scope, type)].sort()).toEqual([...expected].sort());
});

test('a patient scope without a patient reaches nothing', () => {
  expect(accessOf(['patient/*.cruds'], undefined).may({ resourceType: 'Patient', id: 'a' }, 'r')).toBe(false);
});

test('a Coverage that names a second patient as subscriber may be read by both, written by neither', () => {
  const coverage = {
    resourceType: 'Coverage' as const,
    status: 'active' as const,
    beneficiary: { reference: 'Patient/a' },
    subscriber: { reference: 'Patient/b' },
    payor: [{ display: 'A payer' }],
  };
  const [a, b, c] = ['a', 'b', 'c'].map((patient) => accessOf(['patient/Coverage.cruds'], patient));
  expect([a?.may(coverage, 'r'), b?.may(coverage, 'r'), c?.may(coverage, 'r')]).toEqual([true, true, false]);
  expect([a?.may(coverage, 'u'), b?.may(coverage, 'u')]).toEqual([false, false]);
});

test('what belongs to no patient may be read, never written, with a patient scope', () => {
  const access = accessOf(['patient/Practitioner.cruds'], 'a');
  const practitioner = { resourceType: 'Practitioner' as const };
  expect([access.may(practitioner, 'r'), access.may(practitioner, 'u')]).toEqual([true, false]);
});
