import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesFrom, linesOf } from '../../src/base/lines.ts';

async function lines(...chunks: string[]): Promise<string[]> {
  async function* bytes() {
    for (const chunk of chunks) yield Buffer.from(chunk, 'latin1');
  }
  const found: string[] = [];
  for await (const { number, bytes: line } of linesOf(bytes())) found.push(`${number} ${line.toString()}`);
  return found;
}

test('a line may come in several chunks, and a chunk may hold several lines', async () => {
  expect(await lines('on', 'e\ntwo\nth', 'ree')).toEqual(['1 one', '2 two', '3 three']);
});

test('a character may be cut by the edge of a chunk', async () => {
  expect(await lines('\xc3', '\xa9\n')).toEqual(['1 é']);
});

test('blank lines are counted', async () => {
  expect(await lines('one\n\n \r\ntwo\n')).toEqual(['1 one', '2 ', '3  \r', '4 two']);
});

test('lines of a file are those from an offset, also where one is longer than what is read at once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lines-'));
  const file = join(folder, 'a.ndjson');
  const long = 'x'.repeat((1 << 20) + 5);
  writeFileSync(file, `one\ntwo\n${long}\nfour`);
  const found = Array.from(linesFrom(file, 4), ({ bytes, ...at }) => ({ ...at, text: bytes.toString() }));
  rmSync(folder, { recursive: true });
  expect(found).toEqual([
    { number: 1, start: 0, text: 'two' },
    { number: 2, start: 4, text: long },
    { number: 3, start: 5 + long.length, text: 'four' },
  ]);
});
