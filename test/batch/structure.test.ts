import { expect, test } from 'vitest';
import { markKinds, Structure } from '../../src/batch/structure.ts';

type Mark = readonly [kind: number, level: number, at: number];

function marksOf(bytes: Buffer): Mark[] {
  const marks: Mark[] = [];
  for (const structure = new Structure(bytes); structure.kind !== markKinds.none; structure.advance())
    marks.push([structure.kind, structure.level, structure.at]);
  return marks;
}

/** The same, a byte at a time. Only quotes are escaped: nothing else matters, and outside of strings there are none. */
function plainMarksOf(bytes: Buffer): Mark[] {
  const marks: Mark[] = [];
  let [depth, isString, isEscaped] = [0, false, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes.toString('latin1', at, at + 1);
    if (depth === 4 && bytes.toString('latin1', at - 8, at + 5) === 'resourceType"')
      marks.push([markKinds.type, 4, at]);
    if (byte === '"' && !isEscaped) isString = !isString;
    else if (!isString && '[{'.includes(byte)) {
      depth += 1;
      if (depth <= 4) marks.push([markKinds.open, depth, at]);
    } else if (!isString && ']}'.includes(byte)) {
      if (depth <= 4) marks.push([markKinds.close, depth, at]);
      depth -= 1;
    }
    isEscaped = byte === '\\' && !isEscaped;
  }
  return marks;
}

/** The same numbers at every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const parts = [
  '{',
  '[',
  '"',
  '\\',
  '\\"',
  '\\\\',
  'é',
  ' ',
  '{[{[',
  'T',
  '"resourceType":',
  'resourceType"',
  'x'.repeat(40),
];

/** A text whose brackets never close more than was opened. */
function textOf(pick: (below: number) => number, length: number): Buffer {
  let text = '';
  while (text.length < length) {
    const more = text + (pick(3) === 0 ? ']}'[pick(2)]! : parts[pick(parts.length)]!);
    if (!closesTooMuch(more)) text = more;
  }
  return Buffer.from(text);
}

function closesTooMuch(text: string): boolean {
  let [depth, isString, isEscaped] = [0, false, false];
  for (const byte of text) {
    if (byte === '"' && !isEscaped) isString = !isString;
    else if (!isString) depth += '[{'.includes(byte) ? 1 : ']}'.includes(byte) ? -1 : 0;
    if (depth < 0) return true;
    isEscaped = byte === '\\' && !isEscaped;
  }
  return false;
}

test('finds what a look at every byte finds', () => {
  const pick = random(1);
  for (let run = 0; run < 2000; run += 1) {
    const bytes = textOf(pick, 1 + pick(300));
    expect(marksOf(bytes), bytes.toString()).toEqual(plainMarksOf(bytes));
  }
});

test('wherever the borders of what is looked at together fall', () => {
  const tail = '{"a\\\\":"\\"{[","b":[{"c":[{"resourceType":"x","y":{"resourceType":1}}]}],"d":"\\\\"}';
  for (const block of [64, 1 << 16])
    for (let before = block - tail.length - 2; before < block + 2; before += 1) {
      if (before < 0) continue;
      const bytes = Buffer.from(' '.repeat(before) + tail);
      expect(marksOf(bytes)).toEqual(plainMarksOf(bytes));
      const inString = Buffer.from(`["${'\\"'.repeat(before >> 1)}${'x'.repeat(before & 1)}",${tail}]`);
      expect(marksOf(inString)).toEqual(plainMarksOf(inString));
    }
});

test('each level, what closes with the level of what it closes, and nothing below the fourth', () => {
  expect(marksOf(Buffer.from('[{"a":[{"resourceType":[{}]}]}]'))).toEqual([
    [markKinds.open, 1, 0],
    [markKinds.open, 2, 1],
    [markKinds.open, 3, 6],
    [markKinds.open, 4, 7],
    [markKinds.type, 4, 17],
    [markKinds.close, 4, 27],
    [markKinds.close, 3, 28],
    [markKinds.close, 2, 29],
    [markKinds.close, 1, 30],
  ]);
});

test.each([
  ['"\\u0054"', true],
  ['"\\u006a"', true],
  ['"\\u00e9 \\u003c"', false],
  ['"\\\\u0054"', false],
])('whether %s spells a letter with an escape: %s', (text, isSpelled) => {
  for (const before of [0, 59, 60, 61, 62, 63, 64, (1 << 16) - 3, (1 << 16) - 2, (1 << 16) - 1])
    expect(new Structure(Buffer.from(' '.repeat(before) + text)).isSpelled).toBe(isSpelled);
});
