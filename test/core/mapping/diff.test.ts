import { expect, test } from 'vitest';
import { diffJson, formatDiff } from '../../../src/core/mapping/diff.ts';

test('equal values have no difference, whatever the order of keys; undefined is absent', () => {
  expect(diffJson({ a: 1, b: [{ c: 'x' }] }, { b: [{ c: 'x', d: undefined }], a: 1 })).toEqual([]);
});

test('a difference is told by its path', () => {
  expect(
    diffJson({ a: { b: 1, c: 2 }, list: [{ code: 'x' }, { code: 'y' }] }, { a: { b: 2, d: 3 }, list: [{ code: 'x' }] }),
  ).toEqual([
    { path: 'a.b', kind: 'changed', expected: 1, actual: 2 },
    { path: 'a.c', kind: 'missing', expected: 2 },
    { path: 'a.d', kind: 'unexpected', actual: 3 },
    { path: 'list[1]', kind: 'missing', expected: { code: 'y' } },
  ]);
});

test('kinds are not mixed up: text and number, null and absent, list and object', () => {
  expect(diffJson({ a: '1', b: null, c: [] }, { a: 1, c: {} }).map(({ path, kind }) => `${path} ${kind}`)).toEqual([
    'a changed',
    'b missing',
    'c changed',
  ]);
});

test('differences print with what was expected and what was found', () => {
  expect(formatDiff(diffJson({ a: 1, b: 2 }, { a: '1', c: 3 }))).toBe(
    [
      '  a differs',
      '    - expected 1',
      '    + found "1"',
      '  b is missing',
      '    - expected 2',
      '  c is not expected',
      '    + found 3',
    ].join('\n'),
  );
  expect(formatDiff(diffJson(1, 2))).toBe('  (the whole) differs\n    - expected 1\n    + found 2');
});
