import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

// The formatter breaks code at 120 columns, but no text, pattern or comment.
test('no line of src, mappings, test and bin is longer than 120 columns; generated files are', () => {
  const long = ['src', 'mappings', 'test', 'bin'].flatMap((folder) => files(join(root, folder)).flatMap(longLines));
  expect(long).toEqual([]);
});

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|[cm]?js|css)$/.test(entry.name) && !/generated/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function longLines(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, at) => ([...line].length > 120 ? [`${relative(root, file)}:${at + 1}`] : []));
}
