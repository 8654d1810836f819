import { expect, test } from 'vitest';
import { linesOf } from '../../src/base/lines.ts';

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
