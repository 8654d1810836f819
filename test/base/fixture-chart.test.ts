import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFixtureChart } from '../../src/base/fixture-chart.ts';

const order = {
  resourceType: 'MedicationRequest',
  id: 'm1',
  status: 'active',
  dispenseRequest: { quantity: { value: 60 } },
};
const patient = { resourceType: 'Patient', id: 'p1', name: [{ family: 'One' }, { family: 'Two' }] };

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'charts-'));
  folder('base', 'bundle.json', { resourceType: 'Bundle', entry: [{ resource: order }, { resource: patient }] });
});
afterAll(() => rmSync(root, { recursive: true }));

function folder(name: string, file: string, content: unknown): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, file), JSON.stringify(content));
  return path;
}

function changed(name: string, change: unknown, base = 'base'): unknown {
  return readFixtureChart(folder(name, 'change.json', { base, change }));
}

test('a place is put, a list gets one more, an element and a resource go, a resource comes', () => {
  const chart = changed('changed', [
    { put: 'MedicationRequest/m1 dispenseRequest.quantity.value', value: 6 },
    { put: 'Patient/p1 name[2]', value: { family: 'Three' } },
    { remove: 'Patient/p1 name[0]' },
    { add: { resourceType: 'Location', id: 'l1' }, fullUrl: 'urn:l1' },
  ]);
  expect(chart).toEqual({
    resourceType: 'Bundle',
    entry: [
      { resource: { ...order, dispenseRequest: { quantity: { value: 6 } } } },
      { resource: { ...patient, name: [{ family: 'Two' }, { family: 'Three' }] } },
      { resource: { resourceType: 'Location', id: 'l1' }, fullUrl: 'urn:l1' },
    ],
  });
  expect(changed('gone', [{ remove: 'Patient/p1' }])).toEqual({ resourceType: 'Bundle', entry: [{ resource: order }] });
});

test('a change may be made to another change', () => {
  changed('first', [{ put: 'MedicationRequest/m1 status', value: 'stopped' }]);
  expect(changed('second', [{ remove: 'Patient/p1' }], 'first')).toEqual({
    resourceType: 'Bundle',
    entry: [{ resource: { ...order, status: 'stopped' } }],
  });
});

test.each([
  ['a resource that the base does not have', [{ put: 'Coverage/c1 status', value: 'active' }]],
  ['a place that the base does not have', [{ put: 'MedicationRequest/m1 note[0].text', value: 'x' }]],
  ['a step that is none', [{ replace: 'Patient/p1' }]],
])('%s is told with the file', (_what, change) => {
  expect(() => changed('wrong', change)).toThrow(expect.objectContaining({ code: 'input_unreadable' }));
});

test('two cases that are each other’s base are told', () => {
  folder('one', 'change.json', { base: 'other', change: [] });
  folder('other', 'change.json', { base: 'one', change: [] });
  expect(() => readFixtureChart(join(root, 'one'))).toThrow(expect.objectContaining({ code: 'input_unreadable' }));
});
