import { expect, test } from 'vitest';
import { spansOf } from '../../src/batch/spans.ts';

function parts(text: string, ...paths: readonly string[]): (string | undefined)[] {
  const bytes = Buffer.from(text);
  const spans = spansOf(bytes, new Set(paths));
  return paths.map((path) => {
    const span = spans.get(path);
    return span === undefined ? undefined : bytes.toString('utf8', span.start, span.end);
  });
}

test('finds values by path, whatever stands around them', () => {
  const text = ' { "a" : [ 1, {"b": "x"} , "]" ], "c":{"d" : [ [] , null ,true]}, "e": -1.5e3 } ';
  expect(parts(text, 'a[0]', 'a[1].b', 'a[2]', 'c.d[0]', 'c.d[2]', 'e', 'z')).toEqual([
    '1',
    '"x"',
    '"]"',
    '[]',
    'true',
    '-1.5e3',
    undefined,
  ]);
  expect(parts(text, 'c', 'c.d[0]')).toEqual(['{"d" : [ [] , null ,true]}', undefined]);
  expect(parts('[ {"a":1} ,2]', '[0]', '[1]')).toEqual(['{"a":1}', '2']);
});

test('is not led astray by strings that look like JSON, escapes, or characters of several bytes', () => {
  const tricky = { 'k"}{': 'é\\', note: '"}],[{"resource":{' };
  const text = JSON.stringify({ entry: [{ note: tricky }, { resource: tricky, ü: '\u{1F48A}' }, { resource: 7 }] });
  expect(parts(text, 'entry[1].resource', 'entry[2].resource')).toEqual([JSON.stringify(tricky), '7']);
});

test('reads escaped keys, takes the last of two equal keys, and passes over a byte order mark', () => {
  expect(parts(String.raw`{"\u0065ntry":[{"resource":1}]}`, 'entry[0].resource')).toEqual(['1']);
  expect(parts('{"a":1,"a":2}', 'a')).toEqual(['2']);
  expect(parts('\uFEFF{"a":1}', 'a')).toEqual(['1']);
});

test('agrees with JSON.parse wherever a bundle is cut', () => {
  const whole = { entry: [{ resource: { id: 'a', list: [[1], { x: [{}] }] } }, {}, { resource: { id: 'b' } }] };
  for (const indent of [0, 1, '\t']) {
    const found = parts(JSON.stringify(whole, undefined, indent), 'entry[0].resource', 'entry[2].resource');
    expect(found.map((part) => JSON.parse(part ?? ''))).toEqual([whole.entry[0]!.resource, whole.entry[2]!.resource]);
  }
});

test('what is nested without end is passed over', () => {
  const text = `{"x":${'['.repeat(200_000)}${']'.repeat(200_000)},"a":1}`;
  expect(parts(text, 'a')).toEqual(['1']);
});
