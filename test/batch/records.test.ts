import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DocumentReader } from '../../src/batch/document-reader.ts';
import { recordsOfPart, someAtOnce } from '../../src/batch/part-records.ts';
import { forEachRecord, RecordWriter, type ResourceRecord, readRecords, recordAt } from '../../src/batch/records.ts';
import { readSpilled, Spills } from '../../src/batch/spill.ts';
import { createTemporary } from '../../src/batch/temporary.ts';
import { createRandom } from '../torture/random.ts';

const record = (at: number, more: Partial<ResourceRecord> = {}): ResourceRecord => {
  const [owner, key] = [2 ** 53 - 1 - at, 2 ** 52 + at];
  return { piece: 0, line: at, offset: at * 2 ** 33, length: 9, kind: 1, owner, key, path: '', fullUrl: '', ...more };
};

function bytesOf(records: readonly ResourceRecord[]): Buffer {
  const writer = new RecordWriter();
  for (const one of records) writer.add(one);
  return Buffer.from(writer.take().buffer);
}

test('records are read as they were written, with places and addresses of any letters or without', () => {
  const records = [
    record(1),
    record(2, { path: 'entry[3].resource', fullUrl: 'urn:uuid:é' }),
    record(3, { fullUrl: 'https://ehr.example/Patient/1' }),
    record(4, { path: 'entry[1000].resource' }),
  ];
  const bytes = bytesOf(records);
  expect(readRecords(bytes)).toEqual(records);
  const ends: number[] = [];
  forEachRecord(bytes, (at, end) => {
    expect(recordAt(bytes, at)).toEqual(records[ends.length]);
    ends.push(end);
  });
  expect(ends).toHaveLength(4);
  expect(ends.at(-1)).toBe(bytes.length);
});

test('what is put aside from the middle of other bytes comes back, from memory and from a file', () => {
  const temporary = createTemporary();
  const bytes = Buffer.from(Array.from({ length: 5000 }, (_, at) => at % 251));
  for (const memory of [1 << 20, 1 << 10]) {
    const spills = new Spills(2, temporary, memory);
    for (let at = 0; at < 5000; at += 50) spills.add((at / 50) % 2, bytes, at, at + 50);
    spills.add(0, bytes);
    const [even, odd] = spills.end().map((spilled) => readSpilled(spilled));
    const every = (first: number) =>
      Buffer.concat(Array.from({ length: 50 }, (_, at) => bytes.subarray(first + at * 100, first + at * 100 + 50)));
    expect(even).toEqual(Buffer.concat([every(0), bytes]));
    expect(odd).toEqual(every(50));
  }
  temporary.remove();
});

test('however many lists are put aside, they share one file, and each comes back as it was added', () => {
  const paths: string[] = [];
  const temporary = createTemporary();
  const counted = { ...temporary, path: () => paths[paths.push(temporary.path()) - 1] ?? '' };
  const { between } = createRandom(7);
  const spills = new Spills(40, counted, 40 * 64);
  const added = Array.from({ length: 40 }, () => [] as Buffer[]);
  const add = (list: number, bytes: Buffer) => {
    added[list]?.push(bytes);
    spills.add(list, bytes);
  };
  add(1, Buffer.alloc(5, 1));
  add(2, Buffer.alloc(2 * 64, 2));
  for (let turn = 0; turn < 30_000; turn += 1) {
    const list = between(3, 39);
    const bytes = Buffer.from(Array.from({ length: between(0, 200) }, () => between(0, 255)));
    add(list, bytes);
  }
  const reader = new DocumentReader();
  const all = spills.end();
  for (const [list, spilled] of all.entries())
    expect(readSpilled(spilled, reader).equals(Buffer.concat(added[list] ?? [])), `list ${list}`).toBe(true);
  expect(all.map((spilled) => 'path' in spilled)).toEqual(added.map((_, list) => list >= 2));
  expect(paths).toHaveLength(1);
  expect(statSync(paths[0] ?? '').mode & 0o077).toBe(0);
  temporary.remove();
});

test('records elsewhere stand where the input has them, and behind what stands at the same place', () => {
  const own = [record(1), record(3), record(3, { path: 'entry[0].resource' }), record(1, { piece: 2 })];
  const others = [record(0), record(3, { kind: 2 }), record(9), record(5, { piece: 3 })];
  const { records, elsewhere, isAnyShared } = recordsOfPart(bytesOf(own), bytesOf(others));
  expect(records).toEqual([others[0], own[0], own[1], own[2], others[1], others[2], own[3], others[3]]);
  expect(records.filter((one) => elsewhere.has(one))).toEqual(others);
  expect(isAnyShared).toBe(true);
});

test('patients come some at a time unless one resource stands under two', () => {
  const of = (owner: number, key: number) => record(key, { owner, key });
  const apart = Array.from({ length: 300 }, (_, at) => of(1 + (at % 100), 1000 + at));
  const some = someAtOnce(recordsOfPart(bytesOf([of(0, 1), ...apart, of(3, 2), of(3, 2)]), Buffer.alloc(0)));
  expect(some.map(({ length }) => length)).toEqual([1 + 64 * 3 + 2, 36 * 3]);
  expect(recordsOfPart(bytesOf([...apart, of(3, 2), of(3, 2)]), Buffer.alloc(0)).twice).toEqual(new Set([2]));
  const shared = recordsOfPart(bytesOf([...apart, of(4, 1000)]), Buffer.alloc(0));
  expect(someAtOnce(shared)).toEqual([shared.records]);
});
