import { expect, test } from 'vitest';
import { isJson } from '../../src/batch/is-json.ts';

const check = (text: string) => isJson(Buffer.from(text));

test('JSON is accepted', () => {
  const texts = ['{"a":[1,-0.5e+3,true,null,"é’"]}', ' {"a":"\\u00e9\\/\\ud800"}\r', '[]', '{"a":"\u007f\u2028"}'];
  expect(texts.filter((text) => !check(text))).toEqual([]);
});

test('what the parser refuses is refused, also what SQLite takes as JSON5 and what stands behind a zero', () => {
  const syntax = ['', ' ', '{"a":1}x', '{"a":1,}', '{"a" 1}', '{"a":[1,2}', '{"a":"x}', '{"a":tru}', '{"a":1'];
  const numbers = ['01', '1.', '.5', '+1', '1e', '0x10', 'NaN', 'Infinity'].map((text) => `{"a":${text}}`);
  const json5 = ['{a:1}', "{'a':1}", '{"a":/*x*/1}', '{"a":1}\v', '\u00a0{"a":1}', '\ufeff{"a":1}'];
  const strings = ['"\t"', '"\u0001"', '"\\x41"', '"\\v"', '"\\u00g0"', '"\\\n"'].map((text) => `{"a":${text}}`);
  const zeros = ['{"a":1}\0', '{"a":1}\0x', '{"a":"\0"}'];
  expect([...syntax, ...numbers, ...json5, ...strings, ...zeros].filter(check)).toEqual([]);
});

test('very deep nesting is left to the parser', () => {
  expect(check(`${'['.repeat(2000)}${']'.repeat(2000)}`)).toBe(false);
});
