import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineMapping, overlay } from '../../src/mapping/words/define.ts';
import { constant, following, from, omit, type Table } from '../../src/mapping/words/rules.ts';
import { byTable } from '../../src/mapping/words/table.ts';
import { versionOf } from '../../src/proof/version.ts';

const Target = z.object({ drug: z.string(), form: z.string(), code: z.string().optional(), country: z.string() });
const forms: Table = { name: 'forms', list: ['tablet', 'capsule'], rows: { tablet: ['TAB'], capsule: ['CAP'] } };

function aMapping({ table = forms, drug = '%drug.text', why = 'of the clinic', country = 'USA' } = {}) {
  return defineMapping('a', Target, {
    drug: from(drug),
    form: from(
      byTable('form', table, (value) => [String(value)]),
      '%medication.form.text',
    ),
    code: following(['drug'], from('%drug.coding.code')),
    country: constant(country, why),
  });
}

test('the same rules have the same version, however often they are compiled', () => {
  expect(versionOf(aMapping())).toBe(versionOf(aMapping()));
  expect(versionOf(aMapping())).toMatch(/^[0-9a-f]{16}$/);
});

test.each([
  ['an expression', aMapping({ drug: '%drug.coding.display' })],
  ['a constant', aMapping({ country: 'Canada' })],
  ['a row of a table', aMapping({ table: { ...forms, rows: { tablet: ['TAB', 'TABLET'], capsule: ['CAP'] } } })],
  ['a rule of an overlay', overlay(aMapping(), 'a@valley', { code: omit('not asked for') })],
  ['what a leaf follows', overlay(aMapping(), 'a', { code: following(['drug', 'form'], from('%drug.coding.code')) })],
])('%s makes another version', (_, changed) => {
  expect(versionOf(changed)).not.toBe(versionOf(aMapping()));
});

test('a reason in other words, and the name of the layer that wrote a rule, make none', () => {
  expect(versionOf(aMapping({ why: 'where the clinic is' }))).toBe(versionOf(aMapping()));
  expect(versionOf(overlay(aMapping(), 'a@valley', { drug: from('%drug.text') }))).toBe(versionOf(aMapping()));
});
