import { expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { isRuledOutByStatus } from '../../../src/core/roles/by-status.ts';
import { all, any, type Clause, coded, namedDraft, not, oneOf, when } from '../../../src/core/roles/clauses.ts';
import { defineRoles } from '../../../src/core/roles/define.ts';
import { given, pick } from '../../../src/core/roles/words.ts';

const options = { isSensitive: () => false, tellsSensitive: () => false };
const active = (text: string) => oneOf('status', ['active'], text);

function isRuledOut(unless: readonly Clause[], status: string): boolean {
  return isRuledOutByStatus(defineRoles('sample', { order: given('Task', { unless }) }, options), 'order', status);
}

test.each(['completed', 'stopped', 'cancelled', 'entered-in-error', 'unknown'])(
  'the status alone rules an order out that is %s',
  (status) => expect(isRuledOutByStatus(mappings.roles, 'order', status)).toBe(true),
);

// A draft may be one that CDS Hooks names; what is active may be ruled out by something else.
test.each(['active', 'draft'])('it takes more than the status to tell of an order that is %s', (status) =>
  expect(isRuledOutByStatus(mappings.roles, 'order', status)).toBe(false),
);

test.each<[string, readonly Clause[], boolean]>([
  ['by its status, in its words', [active('it is {status|without a status}')], true],
  ['by one of two that look at it', [any([namedDraft(), active('')], 'it has ended')], true],
  ['by both of two', [all([active(''), not(namedDraft())], 'it has ended')], true],
  ['by words of something else', [active('it is {status}, ordered {authoredOn}')], false],
  ['by something else first', [when('priority.exists()', 'it is ranked'), active('it is {status}')], false],
  ['by its status or something else', [any([active(''), coded('code', ['x'])], 'it is none')], false],
  ['by nothing', [], false],
])('it is ruled out %s', (_, unless, expected) => {
  expect(isRuledOut(unless, 'completed')).toBe(expected);
});

test('nothing is known of a role that is not there, or is not named by the request', () => {
  const table = defineRoles(
    'sample',
    { name: pick(['HumanName'], ['%patient.name']), patient: given('Patient') },
    options,
  );
  expect(isRuledOutByStatus(table, 'order', 'completed')).toBe(false);
  expect(isRuledOutByStatus(table, 'name', 'completed')).toBe(false);
});
