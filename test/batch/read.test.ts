import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/batch/json.ts';
import { createOpenFiles } from '../../src/batch/open-files.ts';
import { readContent } from '../../src/batch/read.ts';

const folder = mkdtempSync(join(tmpdir(), 'read-'));

async function* nothing(): AsyncGenerator<Buffer> {}

async function read(name: string, content: string | Buffer) {
  const path = join(folder, name);
  writeFileSync(path, content);
  const files = createOpenFiles();
  const found = await readContent(path, nothing(), files);
  if (found.kind !== 'documents') return found;
  const documents: string[] = [];
  for await (const { line, again } of found.documents)
    documents.push(`${line === undefined ? '' : `${line} `}${again()().toString()}`);
  files.close();
  return documents;
}

const patient = '{"resourceType":"Patient","id":"p1"}';

test('a JSON file is one document, however it is indented', async () => {
  expect(await read('a.json', '{\n "resourceType": "Patient"\n}\n')).toEqual(['{\n "resourceType": "Patient"\n}\n']);
});

test('lines of an NDJSON file can be read again one by one', async () => {
  expect(await read('a.ndjson', `${patient}\n\n${patient}`)).toEqual([`1 ${patient}`, `3 ${patient}`]);
});

test('a file of JSON lines is recognised whatever its name', async () => {
  expect(await read('export.json', `${patient}\n${patient}\n`)).toEqual([`1 ${patient}`, `2 ${patient}`]);
  expect(await read('one-line.json', `${patient}\n`)).toEqual([`${patient}\n`]);
});

test('gzip is recognised by its content', async () => {
  expect(await read('b.json', gzipSync(patient))).toEqual([patient]);
  expect(await read('b.ndjson.gz', gzipSync(`${patient}\n`))).toEqual([`1 ${patient}`]);
});

test('a broken gzip file is unreadable', async () => {
  expect(await read('c.json.gz', gzipSync(patient).subarray(0, 30))).toEqual({
    kind: 'unreadable',
    reason: 'it is not a whole gzip file',
  });
});

test('what is not meant to be FHIR is ignored, what is meant to be and is not is unreadable', async () => {
  expect(await read('readme.md', '# Export')).toEqual({ kind: 'ignored', reason: 'not JSON' });
  expect(await read('empty.json', '')).toEqual({ kind: 'unreadable', reason: 'it is empty' });
  expect(await read('text.json', 'hello')).toEqual({ kind: 'unreadable', reason: 'it is not JSON' });
  expect(await read('bundle.xml', '<Bundle xmlns="http://hl7.org/fhir">')).toEqual({
    kind: 'unreadable',
    reason: 'it is XML: export it as FHIR JSON',
  });
});

test('a mistake in JSON is told by its place and never by the text around it', () => {
  const cut = parseJson(Buffer.from('{"family": "Wintergreen", "gi'));
  expect(cut).toEqual({ reason: 'it ends too early: the JSON is cut off' });
  const wrong = parseJson(Buffer.from('{\n "family": "Wintergreen",\n "given": Odile\n}'));
  expect(wrong).toEqual({ reason: 'it is not valid JSON (near line 3)' });
  expect(parseJson(Buffer.from('{"family": "Wintergreen",, }'))).toEqual({
    reason: 'it is not valid JSON (character 26)',
  });
});

test('a byte order mark is no mistake', () => {
  expect(parseJson(Buffer.from('\uFEFF{}'))).toEqual({ value: {} });
});
