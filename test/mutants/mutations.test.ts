import { expect, test } from 'vitest';
import { changed } from './mutant.ts';
import { mutationsOf } from './mutations.ts';

const all = (source: string) => mutationsOf(source).map((mutation) => changed(source, mutation));

test.each([
  ['const isOver = left < right;', ['const isOver = left <= right;']],
  ['const both = a && b;', ['const both = a || b;']],
  ['const name = given ?? usual;', ['const name = (given);', 'const name = (usual);']],
  ['if (isOpen) close();', ['if (true) close();', 'if (false) close();', 'if (isOpen) {}']],
  ['const few = 3;', ['const few = 4;']],
  ['const kinds = [first, second];', ['const kinds = [first, ];']],
  ['const row = { ...before };', ['const row = { ...[] };']],
  ['const found = rows.find(isOpen);', ['const found = rows.findLast(isOpen);']],
  ['const open = rows.filter(isOpen);', ['const open = rows;']],
  ['const id = one?.id;', ['const id = one.id;']],
  ["const type = 'Task';", ["const type = '';"]],
  [
    'function is(): boolean { return asked(); }',
    ['function is(): boolean { return true; }', 'function is(): boolean { return false; }'],
  ],
  ['function is(): boolean { return true; }', ['function is(): boolean { return false; }']],
  ['function of() { return asked(); }', ['function of() { return undefined; }']],
])('%s has its small changes', (source, changes) => {
  expect(all(source)).toEqual(changes);
});

test.each([
  ["import { one } from './one.ts';"],
  ['interface One { readonly two: 2 | "three" }'],
  ["log.warn({ case: id }, 'Task not updated');", '{}'],
  ["const said = 'said to a person';"],
])('%s is left alone but for what runs', (source, ...changes) => {
  expect(all(source)).toEqual(changes);
});

test('a table of values is one thing: it lacks one entry', () => {
  expect(all("const codes = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];")).toEqual([
    "const codes = ['a', 'b', 'c', 'e', 'f', 'g'];",
  ]);
});

test('the function around a change is known, and places are counted as in the text', () => {
  const source = "const said = 'é😀’ said';\nconst is = (one: One) => one.at === 2;";
  const [first] = mutationsOf(source);
  expect(source.slice(first?.body?.start, first?.body?.end)).toBe('one.at === 2');
});
