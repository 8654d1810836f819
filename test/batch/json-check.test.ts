import { expect, test } from 'vitest';
import { checkedAtOnce, isJson } from '../../src/batch/json-check.ts';

function isChecked(text: string): boolean {
  const bytes = Buffer.from(`x${text}"`);
  return isJson(bytes, 1, bytes.length - 1);
}

function isParsed(text: string): boolean {
  try {
    return JSON.parse(`[${text}]`).length > 0;
  } catch {
    return false;
  }
}

const values =
  '0 -0 -0.5 1.25 1e5 1E+05 1.5e-7 12345678901234567890 true false null "" "é" {} [] [[]] [{}] {"a":1} "\\u00e9" ' +
  '"\\"\\\\\\/\\b\\f\\n\\r\\t" {"a":{"b":[1,"x",null]},"a":[]} "\\ud800" {"":""}';
test.each(values.split(' '))('%s is a value', (text) => {
  expect([isParsed(text), isChecked(text)]).toEqual([true, true]);
});

const others =
  '01 1. .5 +1 -  1e 1e+ 0x1 - -a NaN nul tru truex fals Null \' " "\\" "\\x" "\\u12" "\\u12g4" "\t" ' +
  '{ } [ ] {] [} {"a"} {"a":} {"a":1,} {a:1} {"a":1]  [1,] [,1] [1}  {"a" 1} {"a"::1} 1, ,1 1,,2 1]';
test.each(others.split(' '))('%s is none', (text) => {
  expect([isParsed(text), isChecked(text)]).toEqual([false, false]);
});

test.each([
  ['blanks around everything', ' \n{ "a" :\t[ 1 , 2 ] ,"b":{ } }\r\n, [ ] '],
  ['a text over many blocks', JSON.stringify({ text: 'x'.repeat(1000), end: '"'.repeat(40) })],
  ['brackets that are opened a thousand times', `${'[{"a":'.repeat(1000)}1${'}]'.repeat(1000)}`],
  ['more than is checked at once', JSON.stringify('y'.repeat(checkedAtOnce))],
])('%s is read as the parser reads it', (_, text) => {
  expect([isParsed(text), isChecked(text)]).toEqual([true, true]);
  expect([isParsed(`${text}x`), isChecked(`${text}x`)]).toEqual([false, false]);
  for (const cut of [1, 2, 17])
    expect([cut, isChecked(text.slice(0, -cut))]).toEqual([cut, isParsed(text.slice(0, -cut))]);
});

test.each([
  ['a blank that JSON does not know', '[1,\u00a02]'],
  ['a byte order mark', '\ufeff1'],
  ['a zero', '[1,\u00002]'],
  ['a form feed', '[1,\f2]'],
])('%s between values is a mistake', (_, text) => {
  expect([isParsed(text), isChecked(text)]).toEqual([false, false]);
});

test('bytes that are no UTF-8 are accepted in texts, as the parser does, and nowhere else', () => {
  for (const broken of [[0xff], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98]]) {
    const text = Buffer.concat([Buffer.from('["'), Buffer.from(broken), Buffer.from('"]')]);
    expect(JSON.parse(text.toString())).toHaveLength(1);
    expect(isJson(text, 0, text.length)).toBe(true);
    const outside = Buffer.concat([Buffer.from('["",'), Buffer.from(broken), Buffer.from('1]')]);
    expect(isParsed(outside.toString())).toBe(false);
    expect(isJson(outside, 0, outside.length)).toBe(false);
  }
});

test('what stands behind the range is not looked at', () => {
  const bytes = Buffer.from('"abc",tru"def"}}');
  expect(isJson(bytes, 0, 5)).toBe(true);
  expect(isJson(bytes, 0, 4)).toBe(false);
  isJson(Buffer.from('true'.repeat(100)), 0, 400); // stays in the memory behind
  expect(isJson(bytes, 6, 9)).toBe(false);
});

/** The same numbers at every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const parts = '{ } [ ] , : "a" "b":1 "é\\u00e9\\\\" {} [] 1 -2.5e+3 true false null \\ " 0 . e - + u \t \u0001 /'.split(
  ' ',
);

test('any text is JSON exactly where the parser takes it', () => {
  const pick = random(20261123);
  let accepted = 0;
  for (let round = 0; round < 100_000; round += 1) {
    let text = madeOf(pick, 3);
    for (let change = pick(3); change > 0; change -= 1) {
      const [at, length] = [pick(text.length + 1), pick(3)];
      text = text.slice(0, at) + (parts[pick(parts.length)] ?? '') + text.slice(at + length);
    }
    const isValid = isParsed(text);
    if (isValid) accepted += 1;
    if (isChecked(text) !== isValid) expect.unreachable(`${isValid ? 'JSON' : 'no JSON'}: ${JSON.stringify(text)}`);
  }
  expect(accepted).toBeGreaterThan(20_000);
  expect(accepted).toBeLessThan(70_000);
});

function madeOf(pick: (below: number) => number, depth: number): string {
  const many = depth === 0 ? 0 : pick(4);
  const inner = () => madeOf(pick, depth - 1);
  const blank = () => (pick(6) === 0 ? ' \n' : '');
  const kind = pick(4);
  if (kind === 0) return `[${blank()}${Array.from({ length: many }, inner).join(`${blank()},`)}]`;
  const member = () => `"k${pick(9)}"${blank()}:${blank()}${inner()}`;
  if (kind === 1) return `{${Array.from({ length: many }, member).join(',')}${blank()}}`;
  return parts.slice(6)[pick(12)] ?? '';
}
