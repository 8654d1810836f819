import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OpenFiles } from '../../src/batch/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'open-files-'));
const [one, other, cut] = ['one', 'other', 'cut'].map((name) => join(folder, name)) as [string, string, string];
const text = (seed: number) => Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * seed + (at >> 8)) & 0xff));
const contents = new Map([
  [one, text(7)],
  [other, text(11)],
]);

beforeAll(() => {
  for (const [path, bytes] of contents) writeFileSync(path, bytes);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('parts of files', () => {
  // what was read ahead of one file or place must never stand for another
  test.each([
    ['behind each other', [0, 100, 300, 1000, 70_000, 70_100], 90],
    ['backwards', [199_000, 150_000, 149_990, 5, 0], 10],
    ['that cross what was read ahead', [0, 10, 65_500, 65_530, 131_060], 60],
    ['that are long', [0, 20_000, 20_001, 100_000], 40_000],
    ['at the end of the file', [199_000, 199_010, 199_990], 10],
  ])('%s are what the files hold', (_, starts, length) => {
    const files = new OpenFiles();
    for (const start of starts)
      for (const path of [one, one, other]) {
        const span = { start, end: start + length };
        expect(files.read(path, span).equals(contents.get(path)?.subarray(span.start, span.end) ?? Buffer.of())).toBe(
          true,
        );
      }
    files.close();
  });

  test('of a file that became shorter are an error that names it', () => {
    writeFileSync(cut, text(3));
    const files = new OpenFiles();
    files.read(cut, { start: 0, end: 10 });
    truncateSync(cut, 100_000);
    expect(() => files.read(cut, { start: 99_999, end: 100_001 })).toThrow(/changed while it was read/);
    expect(() => files.read(cut, { start: 150_000, end: 190_000 })).toThrow(/changed while it was read/);
    files.close();
  });
});
