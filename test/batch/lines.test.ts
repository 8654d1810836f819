import { expect, test } from 'vitest';
import { type Line, splitLines } from '../../src/batch/lines.ts';

async function all(chunks: readonly Buffer[]): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of splitLines(chunks)) lines.push(line);
  return lines;
}

async function split(...chunks: string[]): Promise<[number, number, string][]> {
  return (await all(chunks.map((chunk) => Buffer.from(chunk)))).map(({ number, offset, bytes }) => [
    number,
    offset,
    bytes.toString(),
  ]);
}

test('a line may be spread over several chunks', async () => {
  expect(await split('ab', 'c\nde', 'f', 'g\n', 'h')).toEqual([
    [1, 0, 'abc'],
    [2, 4, 'defg'],
    [3, 9, 'h'],
  ]);
});

test('blank lines count but are not lines, and Windows line ends are cut off', async () => {
  expect(await split('a\r\n\r\n  \n', 'b\r', '\n')).toEqual([
    [1, 0, 'a'],
    [4, 8, 'b'],
  ]);
});

test('offsets are bytes, so that a line with accents can be read again alone', async () => {
  const text = 'é\nö\nü';
  const file = Buffer.from(text);
  expect(
    (await all([file])).map(({ offset, bytes }) => file.subarray(offset, offset + bytes.length).toString()),
  ).toEqual(['é', 'ö', 'ü']);
});

test('a line split inside a character is put together again', async () => {
  const bytes = Buffer.from('aé\nb');
  expect((await all([bytes.subarray(0, 2), bytes.subarray(2)])).map((line) => line.bytes.toString())).toEqual([
    'aé',
    'b',
  ]);
});

test('nothing gives no line', async () => {
  expect(await split()).toEqual([]);
  expect(await split('', '\n')).toEqual([]);
});
