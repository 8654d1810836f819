import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const rows = [...read('docs/develop/defects.md').matchAll(/^\| ([SVRP]\d+) \| [^|]+ \| ([^|]+) \|$/gm)].map(
  ([, number = '', files = '']) => ({ number, files: files.split(', ') }),
);

/** Whether a title or a list of cases of the file names the number. */
const names = (number: string, text: string) =>
  new RegExp(`['"\`][^\\n]*\\b${number}\\b|^ +${number}: \\[`, 'm').test(text);

test('each number has one row, and each test file of the row names it', () => {
  const numbers = rows.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  const missing = rows.flatMap(({ number, files }) =>
    files.flatMap((file) => (names(number, read(file)) ? [] : [`${number}: ${file}`])),
  );
  expect(missing).toEqual([]);
});

test('no number is forgotten', () => {
  const shell = Array.from({ length: 33 }, (_, index) => `S${index + 1}`);
  const values = Array.from({ length: 17 }, (_, index) => `V${index + 1}`);
  const robust = Array.from({ length: 7 }, (_, index) => `R${index + 1}`);
  const cost = Array.from({ length: 6 }, (_, index) => `P${index + 1}`);
  expect(rows.map(({ number }) => number)).toEqual([...shell, ...values, ...robust, ...cost]);
});

test('every number that a title names in brackets has a row', () => {
  const known = new Set(rows.map(({ number }) => number));
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const unknown = files.flatMap((file) =>
    [...read(join('test', file)).matchAll(/\[(S\d+[^\]\n]*)\]/g)]
      .flatMap(([, list = '']) => list.split(', '))
      .filter((number) => /^[SVRP]\d+$/.test(number) && !known.has(number))
      .map((number) => `${file}: ${number}`),
  );
  expect(unknown).toEqual([]);
});
