import type { ElementDefinition } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import {
  choiceKeysOf,
  dateNames,
  elementsNamed,
  elementsOf,
  isA,
  isPrimitive,
  isResourceType,
  isTypeName,
  jsonKindOf,
  parentOf,
  timeNames,
} from '../../../../src/core/fhir/model/model.ts';
import { choiceTexts } from '../../../../src/core/fhir/model/r4.generated.ts';
import { elementDefinitions, structureDefinitions } from '../../../support/structure-definitions.ts';

const primitives = structureDefinitions.filter(({ kind }) => kind === 'primitive-type').map(({ type }) => type);
const inside = elementDefinitions.filter(({ path }) => path.includes('.') && !primitives.includes(holderOf(path)));

describe('the model says what the StructureDefinitions of FHIR R4 say', () => {
  test.each([
    ['isList', ({ max }: ElementDefinition) => max !== '1'],
    ['isModifier', ({ isModifier }: ElementDefinition) => isModifier === true],
    ['isChoice', ({ path }: ElementDefinition) => path.endsWith('[x]')],
  ] as const)('%s of every element', (fact, stated) => {
    const wrong = inside.filter((one) => {
      const known = elementsNamed(holderOf(one.path), nameOf(one));
      return known.length === 0 || known.some((element) => element[fact] !== stated(one));
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test('the types of every element, with what a Reference may point to', () => {
    const wrong = inside.filter((one) => {
      const known = elementsNamed(holderOf(one.path), nameOf(one)).map(typeText);
      return known.sort().join() !== statedTypes(one).sort().join();
    });
    // HL7 forgot to say there that an id is a string.
    expect(wrong.map(({ path }) => path)).toEqual(['DeviceDefinition.classification.id']);
  });

  test('no type has an element that FHIR R4 does not give it', () => {
    const stated = new Set(inside.map((one) => `${holderOf(one.path)}.${nameOf(one)}`));
    const holders = new Set(inside.map(({ path }) => holderOf(path)));
    const known = [...holders].flatMap((holder) =>
      [...(elementsOf(holder)?.values() ?? [])].map(({ name }) => `${holder}.${name}`),
    );
    expect(known.filter((one) => !stated.has(one))).toEqual([]);
  });

  test('what each type descends from and whether it is a resource or a primitive', () => {
    for (const { type, kind, baseDefinition } of structureDefinitions) {
      expect([type, parentOf(type)]).toEqual([type, baseDefinition?.split('/').at(-1)]);
      expect([type, isResourceType(type), isPrimitive(type)]).toEqual([
        type,
        kind === 'resource',
        kind === 'primitive-type',
      ]);
    }
  });
});

// The definitions package carries a later EvidenceVariable than R4's.
const named = inside.filter(({ path }) => !path.startsWith('EvidenceVariable'));

describe('what a name means wherever it stands', () => {
  test('every choice element and every type that it has anywhere', () => {
    const stated = Map.groupBy(
      named.filter(({ path }) => path.endsWith('[x]')),
      nameOf,
    );
    expect(Object.keys(choiceTexts).sort()).toEqual([...stated.keys()].sort());
    for (const [name, all] of stated) {
      const codes = new Set(all.flatMap(({ type }) => type?.map(({ code }) => code) ?? []));
      expect([name, choiceKeysOf(name)?.map(({ type }) => type)]).toEqual([name, [...codes].sort()]);
    }
  });

  test('a plain element that reads like a choice of another type, and where it stands', () => {
    expect(choiceKeysOf('dose')).toEqual([
      { key: 'doseQuantity', type: 'Quantity', plainIn: ['Immunization'] },
      { key: 'doseRange', type: 'Range', plainIn: undefined },
    ]);
    const plain = named.filter((one) => one.max === '1' && keyOf.has(nameOf(one)) && !one.path.endsWith('[x]'));
    expect(plain.map(({ path }) => path)).toContain('Immunization.doseQuantity');
    for (const one of plain) expect([one.path, keyOf.get(nameOf(one))?.plainIn]).toEqual([one.path, expect.anything()]);
  });

  test('a name is a date where every text of that name is one', () => {
    expect(dateNames).toContain('birthDate');
    expect(dateNames).toContain('start'); // but for one id in a GraphDefinition
    const dates = new Set(['date', 'dateTime', 'instant']);
    const texts = new Set(primitives.filter((type) => jsonKindOf(type) === 'string' && !dates.has(type)));
    const types = Map.groupBy(
      named.filter(({ path }) => !path.endsWith('[x]')),
      nameOf,
    );
    for (const [name, all] of types) {
      const codes = all.flatMap(({ type }) => type?.map(({ code }) => code) ?? []);
      const isDate = codes.some((code) => dates.has(code)) && !codes.some((code) => texts.has(code));
      expect([name, dateNames.has(name)]).toEqual([name, isDate || name === 'start']);
    }
  });

  test('the times of day', () => {
    expect([...timeNames]).toEqual([
      'availableEndTime',
      'availableStartTime',
      'closingTime',
      'openingTime',
      'timeOfDay',
    ]);
  });
});

describe('elementsOf', () => {
  test('has the JSON properties of a choice element, each with its FHIRPath name', () => {
    const { name, type, isChoice } = elementsOf('Observation')?.get('valueQuantity') ?? {};
    expect({ name, type, isChoice }).toEqual({ name: 'value', type: 'Quantity', isChoice: true });
  });

  test('has what the type has from its parents', () => {
    expect(elementsOf('Patient.link')?.get('modifierExtension')?.isModifier).toBe(true);
    expect(elementsOf('Age')?.get('comparator')?.isModifier).toBe(true);
    expect([...(elementsOf('string')?.keys() ?? [])]).toEqual(['id', 'extension']);
  });

  test('knows no type of another release and no key of an object', () => {
    for (const name of ['CodeableReference', 'MedicationUsage', 'constructor', '__proto__', ''])
      expect([name, elementsOf(name), isTypeName(name)]).toEqual([name, undefined, false]);
  });
});

test('a backbone element is no name of a type', () => {
  expect(isTypeName('Period')).toBe(true);
  expect(isTypeName('Patient.contact')).toBe(false);
});

test('types descend from others', () => {
  expect(isA('Age', 'Quantity')).toBe(true);
  expect(isA('code', 'string')).toBe(true);
  expect(isA('string', 'code')).toBe(false);
});

const keyOf = new Map(
  Object.keys(choiceTexts).flatMap((name) => choiceKeysOf(name)?.map((one) => [one.key, one] as const) ?? []),
);

function holderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.'));
}

function nameOf({ path }: ElementDefinition): string {
  return path.slice(path.lastIndexOf('.') + 1).replace('[x]', '');
}

function typeText({ type, targets }: { readonly type: string; readonly targets?: readonly string[] }): string {
  return targets === undefined ? type : `${type}(${targets})`;
}

function statedTypes({ path, type, contentReference }: ElementDefinition): string[] {
  if (contentReference !== undefined) return [contentReference.replace(/^.*#/, '')];
  return (type ?? []).map(({ code, targetProfile, extension }) => {
    if (code === 'BackboneElement' || code === 'Element') return path;
    if (code.startsWith('http:')) return extension?.find(({ url }) => url.endsWith('fhir-type'))?.valueUrl ?? '';
    if (code !== 'Reference' || targetProfile === undefined) return code;
    return `Reference(${targetProfile.map((profile) => profile.split('/').at(-1))})`;
  });
}
