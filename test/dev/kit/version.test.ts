import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { priorAuth } from '../../../mappings/prior-auth.ts';
import { roles } from '../../../mappings/roles.ts';
import { versionOf } from '../../../src/base/mapping-version.ts';
import { defineMapping, overlay, withTree } from '../../../src/core/mapping/words/define.ts';
import { type Agrees, constant, following, from, omit, type Table } from '../../../src/core/mapping/words/rules.ts';
import { byTable } from '../../../src/core/mapping/words/table.ts';
import { has, when } from '../../../src/core/roles/clauses.ts';
import { type Addition, overlayRoles, type RoleChanges } from '../../../src/core/roles/role-change.ts';

const Target = z.object({ drug: z.string(), form: z.string(), code: z.string().optional(), country: z.string() });
const agrees: Agrees = { name: 'agrees', sentence: 'sent only where it says the same', call: () => undefined };
const forms: Table = { name: 'forms', list: ['tablet', 'capsule'], rows: { tablet: ['TAB'], capsule: ['CAP'] } };

function aMapping({ table = forms, drug = '%drug.text', why = 'of the clinic', country = 'USA' } = {}) {
  return defineMapping('a', Target, {
    drug: from(drug),
    form: from(
      byTable('form', table, (value) => [String(value)]),
      '%medication.form.text',
    ),
    code: following({ targets: ['drug'], agrees }, from('%drug.coding.code')),
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
  [
    'what a leaf follows',
    overlay(aMapping(), 'a', { code: following({ targets: ['drug', 'form'], agrees }, from('%drug.coding.code')) }),
  ],
])('%s makes another version', (_, changed) => {
  expect(versionOf(changed)).not.toBe(versionOf(aMapping()));
});

test('a reason in other words, and the name of the layer that wrote a rule, make none', () => {
  expect(versionOf(aMapping({ why: 'where the clinic is' }))).toBe(versionOf(aMapping()));
  expect(versionOf(overlay(aMapping(), 'a@valley', { drug: from('%drug.text') }))).toBe(versionOf(aMapping()));
});

describe('the version covers the roles that a mapping reads', () => {
  const under = (changes: RoleChanges) => {
    const table = overlayRoles(roles, 'roles@valley', changes);
    return versionOf(withTree({ ...priorAuth, roles: table }, priorAuth.tree));
  };
  const prefer = (text: string, otherwise = '') => ({
    coverage: { prefer: [has(when("type.coding.exists(code = 'U')", text), otherwise) as Addition] },
  });

  test('a preference that a site adds makes another version', () => {
    expect(under(prefer('a fund'))).not.toBe(versionOf(priorAuth));
  });

  test('other words for it, or another name of the table, make none', () => {
    expect(under(prefer('a fund'))).toBe(under(prefer('the union’s fund', 'no fund')));
    expect(under({})).toBe(versionOf(priorAuth));
  });

  test('a row that a site adds makes another version', () => {
    const table = { ...forms, rows: { tablet: ['TAB', 'MY TAB'], capsule: ['CAP'] } };
    expect(versionOf(aMapping({ table }))).not.toBe(versionOf(aMapping()));
  });
});
