import { closeSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forEachLine, LineReader } from '../../src/batch/line-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'lines-'));

/** The lines of a text, read in ranges of so many bytes, each with its place in the file. */
function linesIn(text: string, size: number): string[] {
  const path = join(folder, 'lines');
  writeFileSync(path, text);
  const file = openSync(path, 'r');
  const reader = new LineReader();
  const found: string[] = [];
  for (let start = 0; start < Buffer.byteLength(text); start += size) {
    const { bytes, offset } = reader.read(file, { start, end: Math.min(Buffer.byteLength(text), start + size) });
    forEachLine(bytes, (_, from, to) => found.push(`${offset + from} ${bytes.toString('utf8', from, to)}`));
  }
  closeSync(file);
  return found;
}

test('every line is in exactly one range, whatever the size of the ranges', () => {
  const text = 'one\ntwo\r\n\n  \nÉmile\nlast';
  for (let size = 1; size <= 30; size += 1)
    expect(linesIn(text, size)).toEqual(['0 one', '4 two', '13 Émile', '20 last']);
});

test('blank lines are counted', () => {
  const numbers: number[] = [];
  const count = forEachLine(Buffer.from('a\n\nb\n'), (number) => numbers.push(number));
  expect({ numbers, count }).toEqual({ numbers: [1, 3], count: 3 });
});

test('an empty file has no line', () => {
  expect(forEachLine(Buffer.alloc(0), () => expect.fail())).toBe(0);
});

test('a whole file is read as it is, however large the one before it was', () => {
  const path = join(folder, 'whole');
  const reader = new LineReader();
  for (const text of ['one\ntwo', 'É'.repeat(3_000_000), '', '{}']) {
    writeFileSync(path, text);
    expect(reader.whole(path).toString()).toBe(text);
  }
});
