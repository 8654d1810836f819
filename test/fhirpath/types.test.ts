import type { ElementDefinition } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { Item } from '../../src/fhirpath/item.ts';
import { choiceKeysOf, choices, dateNames, isA, isDate, plainElements } from '../../src/fhirpath/types.ts';
import { elementDefinitions } from '../support/fhir-model.ts';

// The definitions package carries a later EvidenceVariable than R4's.
const elements = elementDefinitions().filter((element) => !element.path.startsWith('EvidenceVariable'));
const dates = new Set(['date', 'dateTime', 'instant']);
const texts = new Set([
  'code',
  'id',
  'string',
  'uri',
  'url',
  'canonical',
  'markdown',
  'oid',
  'uuid',
  'time',
  'base64Binary',
  'xhtml',
]);

describe('the tables agree with the StructureDefinitions of FHIR R4', () => {
  test('every choice element of R4 and every type it may have', () => {
    const expected = new Map<string, Set<string>>();
    for (const element of elements.filter((one) => one.path.endsWith('[x]'))) {
      const known = expected.get(nameOf(element)) ?? new Set<string>();
      expected.set(nameOf(element), known);
      for (const type of element.type ?? []) known.add(type.code.charAt(0).toUpperCase() + type.code.slice(1));
    }
    const wrong = [...expected].filter(([name, types]) => {
      const listed = choices[name];
      return listed === undefined || (listed !== 'any' && [...types].some((type) => !listed.includes(type)));
    });
    expect(wrong).toEqual([]);
    expect(Object.keys(choices).sort()).toEqual([...expected.keys()].sort());
  });

  test('every plain element that reads like a choice of another type, and where it stands', () => {
    const keys = new Set(Object.keys(choices).flatMap((name) => choiceKeysOf(name)?.map(({ key }) => key) ?? []));
    // A list is never taken for a choice, because no choice element is one.
    const plain = elements.filter((one) => keys.has(nameOf(one)) && one.max === '1' && one.path.includes('.'));
    expect(
      plain.filter((one) => plainElements[nameOf(one)]?.includes(standsIn(one)) !== true).map((one) => one.path),
    ).toEqual([]);
    const listed = Object.entries(plainElements).flatMap(([name, places]) => places.map((place) => `${place}.${name}`));
    expect(listed.filter((place) => !plain.some((one) => place === `${standsIn(one)}.${nameOf(one)}`))).toEqual([
      'EvidenceVariable.effectivePeriod',
    ]);
    expect(elements.filter((one) => one.path.endsWith('[x]') && one.max !== '1').map((one) => one.path)).toEqual([]);
  });

  test('the names listed as dates are text elements that are dates wherever they stand', () => {
    const kinds = new Map<string, Set<string>>();
    for (const element of elements.filter((one) => !one.path.endsWith('[x]'))) {
      const known = kinds.get(nameOf(element)) ?? new Set<string>();
      kinds.set(nameOf(element), known);
      for (const type of element.type ?? []) known.add(type.code);
    }
    const expected = [...kinds]
      .filter(([, types]) => [...types].some((type) => dates.has(type)) && ![...types].some((type) => texts.has(type)))
      .map(([name]) => name);
    expect([...dateNames].filter((name) => name !== 'start').sort()).toEqual(
      expected.filter((name) => name !== 'value').sort(),
    );
  });

  test('start is a date but for one code that no mapping reads', () => {
    const codes = elements
      .filter((one) => nameOf(one) === 'start' && (one.type ?? []).some((type) => texts.has(type.code)))
      .map((one) => one.path);
    expect(codes).toEqual(['GraphDefinition.start']);
  });
});

test('a choice element knows the JSON properties that stand for it', () => {
  expect(choiceKeysOf('multipleBirth')).toEqual([
    { key: 'multipleBirthBoolean', type: 'boolean', plainIn: undefined },
    { key: 'multipleBirthInteger', type: 'integer', plainIn: undefined },
  ]);
  expect(choiceKeysOf('birthDate')).toBeUndefined();
});

test('types descend from others', () => {
  expect(isA('Age', 'Quantity')).toBe(true);
  expect(isA('code', 'string')).toBe(true);
  expect(isA('string', 'code')).toBe(false);
});

test('a text is a date by its element or by its choice', () => {
  expect(isDate(new Item('2026-01-01', {}, undefined, 'birthDate'))).toBe(true);
  expect(isDate(new Item('2026-01-01', {}, undefined, 'valueDate', -1, 'date'))).toBe(true);
  expect(isDate(new Item('2026-01-01', {}, undefined, 'valueString', -1, 'string'))).toBe(false);
});

// The element list of a StructureDefinition is what holds an ElementDefinition.
function standsIn({ path }: ElementDefinition): string {
  const holder = path.split('.').at(-2) ?? '';
  return holder === 'ElementDefinition' ? 'element' : holder;
}

function nameOf(element: ElementDefinition): string {
  return element.path.slice(element.path.lastIndexOf('.') + 1).replace('[x]', '');
}
