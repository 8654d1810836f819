import { expect, test } from 'vitest';
import {
  cityOf,
  countryOf,
  dayOf,
  familyOf,
  givenOf,
  listedUnit,
  planNumber,
  stateOf,
  streetOf,
  zipOf,
} from '../../mappings/uncertain-values.ts';
import type { Transform } from '../../src/core/mapping/words/rules.ts';

function made(transform: Transform<unknown>, value: unknown): unknown {
  const result = transform.apply(value);
  return 'value' in result ? result.value : undefined;
}

test.each([
  ['Odalys J. Fenwick', 'Odalys', 'Fenwick'],
  ['Fenwick, Odalys June', 'Odalys', 'Fenwick'],
  ['Dr. Tobias Wrenfield, MD', 'Tobias', 'Wrenfield'],
  ['WRENFIELD, TOBIAS, MD', 'TOBIAS', 'WRENFIELD'],
  ['Odalys', undefined, undefined],
  ['unknown', undefined, undefined],
  ['', undefined, undefined],
])('the names in %j [K18]', (text, given, family) => {
  expect([made(givenOf, text), made(familyOf, text)]).toEqual([given, family]);
  expect([made(givenOf, { text }), made(familyOf, { text })]).toEqual([given, family]);
});

test('what a HumanName states comes before its text [K18]', () => {
  const name = { text: 'Odalys Fenwick', given: ['Oda'], family: 'Fenwick-Lee' };
  expect([made(givenOf, name), made(familyOf, name)]).toEqual(['Oda', 'Fenwick-Lee']);
});

const parts = (address: object) => [streetOf, cityOf, stateOf, zipOf, countryOf].map((part) => made(part, address));

test.each([
  ['12 Quillback Lane, Marlow Falls, OR 97099', ['12 Quillback Lane', 'Marlow Falls', 'OR', '97099', 'USA']],
  ['12 Quillback Lane\nMarlow Falls OR 97099-1234', ['12 Quillback Lane', 'Marlow Falls', 'OR', '97099-1234', 'USA']],
  ['9 Foundry Row\nApt 2\nAlbany, New York 12207', ['9 Foundry Row, Apt 2', 'Albany', 'NY', '12207', 'USA']],
  ['PO Box 9, Elsewhere, Wash 98001', ['PO Box 9', 'Elsewhere', undefined, '98001', 'USA']],
  ['12 Quillback Lane', [undefined, undefined, undefined, undefined, undefined]],
  ['see note', [undefined, undefined, undefined, undefined, undefined]],
])('the parts of the address %j [K18]', (text, expected) => {
  expect(parts({ text })).toEqual(expected);
});

test.each([
  ['19840309', '1984-03-09'],
  ['1984-3-9', '1984-03-09'],
  ['03/09/1984', '1984-03-09'],
  ['3-9-1984', '1984-03-09'],
  ['1984-03-09T00:00:00.000+0000', '1984-03-09'],
  ['31/12/1984', undefined],
  ['1984-03', undefined],
  ['1984', undefined],
  [19840309, undefined],
])('the day in %j [K18]', (written, day) => {
  expect(made(dayOf, written)).toBe(day);
});

test.each([
  ['a subscriber number', { type: { coding: [{ code: 'SN' }] }, value: 'SUB-77' }, { value: 'SUB-77', note: 'SN' }],
  ['a number without a type', { value: 'W1234567' }, { value: 'W1234567' }],
  ['a BIN', { type: { text: 'RxBIN' }, value: '012345' }, { refused: 'nothing_to_say' }],
  ['a PCN', { type: { coding: [{ display: 'Rx PCN' }] }, value: 'ADV' }, { refused: 'nothing_to_say' }],
  ['a group', { type: { text: 'Group number' }, value: 'G-1' }, { refused: 'nothing_to_say' }],
  ['zeros', { value: '00000' }, { refused: 'nothing_to_say' }],
  ['no value', { type: { text: 'Member' } }, { refused: 'nothing_to_say' }],
])('of the numbers of a plan: %s [K18]', (_what, identifier, expected) => {
  expect(planNumber.apply(identifier)).toEqual(expected);
});

test('a dose in milligrams is no unit of what is dispensed [K18]', () => {
  expect(made(listedUnit, 'tablet')).toBe('tablet');
  expect(made(listedUnit, 'milligram')).toBeUndefined();
  expect(made(listedUnit, 'pen')).toBeUndefined();
});
