import { expect, test } from 'vitest';
import { freePieces, piecesOf, TextWriter, textOf } from '../../src/batch/text-pieces.ts';

const wide = '\u20ac';

test.each([
  ['nothing', []],
  ['lines of letters of one to four bytes', ['a\n', 'é\n', `${wide}\n`, '\u{1f600}\n']],
  ['a line that fills a piece to its end', [wide.repeat(87_381), 'b', 'c']],
  ['a line that no piece has room for', ['a', wide.repeat(300_000), 'b']],
  ['many lines', Array.from({ length: 4000 }, (_, at) => `${'line '.repeat(at % 90)}${at}${wide}\n`)],
])('gives back %s', (_, texts) => {
  const writer = new TextWriter();
  for (const text of texts) writer.add(text);
  const pieces = writer.take();
  expect(textOf(pieces) === texts.join('')).toBe(true);
  expect(Buffer.concat(pieces).equals(Buffer.from(texts.join('')))).toBe(true);
  expect(writer.take()).toEqual([]);
});

test('half of a character of two units becomes what every encoder makes of it', () => {
  const writer = new TextWriter();
  writer.add('a\ud800b');
  expect(textOf(writer.take())).toBe('a\ufffdb');
});

test('pieces share no memory, so that each can go to another thread', () => {
  const writer = new TextWriter();
  writer.add('first');
  const first = writer.take();
  writer.add('second');
  const second = writer.take();
  expect(first[0]?.buffer).not.toBe(second[0]?.buffer);
  freePieces(first);
  expect(first[0]?.byteLength).toBe(0);
  expect(textOf(second)).toBe('second');
});

test('pieces of a text are that text, none for nothing', () => {
  expect(textOf(piecesOf('one\ntwo\n'))).toBe('one\ntwo\n');
  expect(piecesOf('')).toEqual([]);
});
