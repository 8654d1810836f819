import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { createTemporary } from '../../src/base/temporary.ts';
import { isSource, openSources } from '../../src/batch/open-sources.ts';
import { parseJson } from '../../src/batch/read-json.ts';
import { zip } from './zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'sources-'));
const temporary = createTemporary();
afterAll(() => temporary.remove());

async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

/** What a file of this content is opened as; of a source its bytes in place of where they stand. */
async function open(name: string, content: string | Buffer) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return told(await openSources(path, { stdin: chunks(), temporary }));
}

function told(opened: Awaited<ReturnType<typeof openSources>>) {
  return opened.map((one) => {
    const file = one.file.replace(`${folder}/`, '');
    if (!isSource(one)) return { file, [one.kind]: one.reason };
    return {
      file,
      [one.kind]: readFileSync(one.path, 'utf8'),
      ...(one.broken === undefined ? {} : { broken: one.broken }),
    };
  });
}

const patient = '{"resourceType":"Patient","id":"p1"}';

test('a file that finds the disk full when it is unpacked is not told as unreadable', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  const stdin = (async function* () {
    yield Buffer.from('{');
    throw full;
  })();
  await expect(openSources('-', { stdin, temporary })).rejects.toBe(full);
});

test('a JSON file is one document, however it is indented', async () => {
  const text = '{\n "resourceType": "Patient"\n}\n';
  expect(await open('a.json', text)).toEqual([{ file: 'a.json', document: text }]);
});

test('a file of JSON lines is recognized whatever its name', async () => {
  const text = `${patient}\n${patient}\n`;
  expect(await open('export.json', text)).toEqual([{ file: 'export.json', lines: text }]);
  expect(await open('one-line.json', `${patient}\n`)).toEqual([{ file: 'one-line.json', document: `${patient}\n` }]);
});

test('S21: what is gzipped is unpacked into a file and not into memory, and keeps its name', async () => {
  expect(await open('b.json', gzipSync(patient))).toEqual([{ file: 'b.json', document: patient }]);
  expect(await open('b.ndjson.gz', gzipSync(`${patient}\n`))).toEqual([{ file: 'b.ndjson.gz', lines: `${patient}\n` }]);
});

test('of a gzip file of lines that breaks off, what came before is read and the break is told', async () => {
  const lines = `${patient}\n`.repeat(20_000);
  const [opened] = await open('cut.ndjson.gz', gzipSync(lines).subarray(0, -20));
  expect(opened).toMatchObject({ broken: 'it is not a whole gzip file: what came before the break was read' });
  expect(JSON.stringify(opened)).toContain(JSON.stringify(`${patient}\n`).slice(1, -1));
  expect(await open('cut.json.gz', gzipSync(patient).subarray(0, 30))).toEqual([
    { file: 'cut.json.gz', unreadable: 'it is not a whole gzip file' },
  ]);
});

test.each([
  ['encrypted', 8, 1],
  ['packed by something else than deflate', 10, 12],
])('a zip archive with a file that is %s is not read', async (_, at, value) => {
  const zipped = zip([
    { name: 'Patient.ndjson', text: `${patient}\n`, isDeflated: true },
    { name: 'other.ndjson', text: `${patient}\n`, isDeflated: false },
  ]);
  zipped.writeUInt16LE(value, zipped.lastIndexOf('PK\x01\x02') + at);
  expect(await open('all.zip', zipped)).toEqual([{ file: 'all.zip', unreadable: 'it is not a whole zip file' }]);
});

test('every file of a zip archive is a source of its own, packed by deflate or not at all', async () => {
  const zipped = zip([
    { name: 'export/Patient.ndjson', text: `${patient}\n`, isDeflated: true },
    { name: 'export/', text: '', isDeflated: false },
    { name: 'export/notes.txt', text: 'hello', isDeflated: false },
    { name: '__MACOSX/export/._Patient.ndjson', text: 'x', isDeflated: false },
  ]);
  expect(await open('all.zip', zipped)).toEqual([
    { file: 'all.zip/export/Patient.ndjson', lines: `${patient}\n` },
    { file: 'all.zip/export/notes.txt', ignored: 'not JSON' },
  ]);
  expect(await open('cut.zip', zipped.subarray(0, -30))).toEqual([
    { file: 'cut.zip', unreadable: 'it is not a whole zip file' },
  ]);
});

test('standard input is put aside, so that its parts can be read again', async () => {
  const opened = await openSources('-', { stdin: chunks(`${patient}\n`, `${patient}\n`), temporary });
  expect(told(opened)).toEqual([{ file: '-', lines: `${patient}\n${patient}\n` }]);
});

test('what is not meant to be FHIR is ignored, what is meant to be and is not is unreadable', async () => {
  expect(await open('readme.md', '# Export')).toEqual([{ file: 'readme.md', ignored: 'not JSON' }]);
  expect(await open('empty.json', '')).toEqual([{ file: 'empty.json', unreadable: 'it is empty' }]);
  expect(await open('why.md', '[K2] A case')).toEqual([{ file: 'why.md', ignored: 'not JSON' }]);
  expect(await open('text.json', 'hello')).toEqual([{ file: 'text.json', unreadable: 'it is not JSON' }]);
  expect(await open('bundle.xml', '<Bundle xmlns="http://hl7.org/fhir">')).toEqual([
    { file: 'bundle.xml', unreadable: 'it is XML: export it as FHIR JSON' },
  ]);
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
