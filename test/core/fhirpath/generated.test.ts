import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Generated } from '../../../src/core/fhir/generated.ts';
import { isElementName } from '../../../src/core/fhir/model/model.ts';
import { compilePath } from '../../../src/core/fhirpath/compile.ts';
import type { Environment } from '../../../src/core/fhirpath/environment.ts';
import { Item, itemPlace } from '../../../src/core/fhirpath/item.ts';
import { compileSearch } from '../../../src/core/fhirpath/predicate.ts';

// What would end a text, a line or a template of a source, and what would then run.
const hostile = ['\'"`', '\n\r\u2028', '$', '{globalThis.ran = true}', '\\', '*/', '.a;throw 1//'];
const environment: Environment = { variable: () => [], resolve: () => undefined };

function quoted(text: string, quote: "'" | '`'): string {
  return `${quote}${text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`;
}

function valuesOf(expression: string, resource: object): unknown[] {
  const items = compilePath(expression).run([new Item(resource, {})], environment);
  return items.map(({ value }) => value);
}

describe('what an expression says is data of the functions that it becomes', () => {
  it.each(hostile)('the name %j of an element', (name) => {
    const at = quoted(name, '`');
    expect(valuesOf(`${at}.${at}`, { [name]: { [name]: 'found' } })).toEqual(['found']);
    expect(valuesOf(`item.where(${at} = 'x').code`, { item: [{ [name]: 'x', code: 1 }, { code: 2 }] })).toEqual([1]);
    expect(valuesOf(`item.exists(${at}.exists())`, { item: { [name]: 'x' } })).toEqual([true]);
    expect(Reflect.get(globalThis, 'ran')).toBeUndefined();
  });

  it.each(hostile)('the text %j that is compared', (text) => {
    const wanted = quoted(text, "'");
    const coding = [{ code: text, display: 'x' }, { display: 'y' }];
    expect(valuesOf(`coding.where(code = ${wanted}).display`, { coding })).toEqual(['x']);
    expect(valuesOf(`coding.exists(code != ${wanted})`, { coding: [coding[0]] })).toEqual([false]);
    const search = compileSearch(compilePath(`coding.where(code = ${wanted}).display`).tree, (found) => found === 'x');
    expect(search?.({ coding }, undefined)).toBe(true);
    expect(Reflect.get(globalThis, 'ran')).toBeUndefined();
  });

  it('only a name of FHIR R4 stands in the text itself', () => {
    const source = new Generated();
    const names = ['birthDate', '_birthDate', 'value', 'valueQuantity', 'mrnSystem', 'constructor', 'a.b'];
    expect(names.map((name) => source.property(name))).toEqual([
      '.birthDate',
      '._birthDate',
      '.value',
      '.valueQuantity',
      '[p0]',
      '[p1]',
      '[p2]',
    ]);
    expect(isElementName('coding[x]')).toBe(false);
  });
});

it('functions are made of text in one place, and whether they may be is asked in one', () => {
  const root = join(import.meta.dirname, '../../../src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const making = files.filter((name) => /\bFunction\(|\beval\(/.test(readFileSync(join(root, name), 'utf8')));
  expect(making.sort()).toEqual(['core/fhir/generated.ts', 'core/fhir/may-generate.ts']);
});

describe('a search of plain values', () => {
  const isOne = (found: unknown) => found === 1;
  const search = compileSearch(compilePath('component.value').tree, isOne);

  it('finds a choice element where it is a plain one', () => {
    expect(search?.({ component: [{ value: 2 }, { value: 1 }] }, undefined)).toBe(true);
    expect(search?.({ component: [{ value: 2 }, {}] }, undefined)).toBe(false);
  });

  it('leaves to items what only they tell, and forgets it', () => {
    expect(search?.({ component: [{ valueInteger: 1 }] }, undefined)).toBeUndefined();
    expect(search?.({ component: [{ _valueInteger: { id: 'x' } }] }, undefined)).toBeUndefined();
    expect(search?.({ component: [{ value: 2 }] }, undefined)).toBe(false);
  });
});

describe('a where after names', () => {
  const coverage = {
    class: [
      { type: { text: 'group' }, value: 'g' },
      { type: { text: 'plan' }, value: 'p', _value: { id: 'v' } },
      { type: { text: 'plan' }, name: 'second' },
    ],
  };

  it('leaves each item at the index that it has in the chart', () => {
    const root = new Item(coverage, { place: { resource: 'Coverage/1', path: 'Coverage' } });
    const items = compilePath("class.where(type.text = 'plan')").run([root], environment);
    expect(items.map((item) => itemPlace(item)?.path)).toEqual(['Coverage.class[1]', 'Coverage.class[2]']);
  });

  it('keeps an element beside a list of primitives', () => {
    const patient = { given: ['Ada', null], _given: [null, { extension: [{ url: 'u', valueCode: 'x' }] }] };
    expect(valuesOf('given.where(extension.exists()).extension.value', patient)).toEqual(['x']);
  });
});
