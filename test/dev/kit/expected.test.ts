import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readExpected } from '../../../src/dev/kit/expected.ts';

const body = { diagnoses: [{ code: 'M05.79' }], prescription: { quantity: 60, days_supply: 30 } };

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'expected-'));
  makeCase('base', {
    'bundle.json': { resourceType: 'Bundle', entry: [] },
    'expected.json': { 'prior-auth': { body, gaps: [] } },
  });
});
afterAll(() => rmSync(root, { recursive: true }));

function makeCase(name: string, files: Readonly<Record<string, unknown>>): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), JSON.stringify(content));
  return folder;
}

function changing(name: string, expected: unknown, base = 'base'): string {
  return makeCase(name, { 'change.json': { base, change: [] }, 'expected.json': expected });
}

test('a body is the base’s with its places put and removed', () => {
  const folder = changing('changed', {
    'prior-auth': {
      change: [
        { put: 'prescription.quantity', value: 6 },
        { remove: 'prescription.days_supply' },
        { put: 'diagnoses[1]', value: { code: 'L40.50' } },
      ],
      gaps: [],
    },
  });
  expect(readExpected(folder)).toEqual({
    'prior-auth': {
      body: { diagnoses: [{ code: 'M05.79' }, { code: 'L40.50' }], prescription: { quantity: 6 } },
      gaps: [],
    },
  });
});

test('a change may be made to another change', () => {
  changing('first', { 'prior-auth': { change: [{ remove: 'diagnoses' }] } });
  const folder = changing(
    'second',
    { 'prior-auth': { change: [{ put: 'prescription.quantity', value: 1 }] } },
    'first',
  );
  expect(readExpected(folder)['prior-auth']?.body).toEqual({ prescription: { quantity: 1, days_supply: 30 } });
});

test.each([
  ['a place that the base’s body does not have', { 'prior-auth': { change: [{ remove: 'prescription.refills' }] } }],
  ['an index behind the end', { 'prior-auth': { change: [{ put: 'diagnoses[2]', value: {} }] } }],
  ['a body that the base does not state', { enrollment: { change: [] } }],
  ['a body beside a change', { 'prior-auth': { body, change: [] } }],
  ['a mapping of which nothing is stated', { 'prior-auth': {} }],
  ['a key that nothing compares', { 'prior-auth': { gap: [] } }],
  ['a gap without its reason', { 'prior-auth': { gaps: [{ target: 'diagnoses', severity: 'blocks' }] } }],
])('%s is refused with the file', (_what, expected) => {
  const folder = changing('wrong', expected);
  expect(() => readExpected(folder)).toThrow(
    expect.objectContaining({
      code: 'input_unreadable',
      facts: expect.objectContaining({ file: join(folder, 'expected.json') }),
    }),
  );
});

test('a change without a base is refused, and bases in a circle', () => {
  const change = { 'prior-auth': { change: [] } };
  const alone = makeCase('alone', { 'bundle.json': { resourceType: 'Bundle' }, 'expected.json': change });
  changing('one', change, 'other');
  const other = changing('other', change, 'one');
  for (const folder of [alone, other])
    expect(() => readExpected(folder)).toThrow(expect.objectContaining({ code: 'input_unreadable' }));
});
