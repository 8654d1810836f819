import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listInputs } from '../../src/batch/list-inputs.ts';
import { threadsFor } from '../../src/cli/map/map-threads.ts';

const folder = mkdtempSync(join(tmpdir(), 'threads-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bundle = '{"resourceType":"Bundle","type":"collection","entry":[]}';
const cores = availableParallelism();
const large = 33 << 20;

/** A file that begins so and has this size, and the threads for it and the other files. */
async function threadsOf(given: readonly (readonly [name: string, text: string, size: number])[], wanted?: number) {
  const paths = given.map(([name, text, size]) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    truncateSync(path, size);
    return path;
  });
  return threadsFor(await listInputs(paths), wanted);
}

test('a small input needs no other thread, unless several are asked for', async () => {
  expect(await threadsOf([['a.json', bundle, 100]])).toBeUndefined();
  expect(await threadsOf([['a.ndjson', bundle, 100]], 1)).toBeUndefined();
  expect(await threadsOf([['a.ndjson', bundle, 100]], 3)).toMatchObject({ count: 3 });
});

test('a large document has one thread unless more are asked for, and leaves memory to what is read', async () => {
  const document = ['a.json', bundle.replaceAll('"', ' \n "'), large] as const;
  expect(await threadsOf([document])).toEqual({ count: 1, newSpace: 32 });
  expect(await threadsOf([document], 2)).toEqual({ count: 2, newSpace: 32 });
});

test.each([
  ['by its name', ['a.ndjson', bundle, large]],
  ['by its lines', ['a.json', `${bundle}\n${bundle}\n`, large]],
  ['packed', ['a.json.gz', '\u001f', large]],
] as const)('a file that may hold many resources has a thread for each core: %s', async (_, file) => {
  expect(await threadsOf([file])).toEqual({ count: cores, newSpace: 64 });
});

test('many documents have a thread for each core', async () => {
  const documents = Array.from({ length: cores + 1 }, (_, at) => [`${at}.json`, bundle, large] as const);
  expect(await threadsOf(documents)).toEqual({ count: cores, newSpace: 64 });
});
