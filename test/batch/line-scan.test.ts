import { isUtf8 } from 'node:buffer';
import { closeSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LineScan } from '../../src/batch/line-scan.ts';
import { markOfText } from '../../src/batch/mark.ts';
import { kindOf, type ResourceRecord, readRecords } from '../../src/batch/records.ts';
import { unreadTypes } from '../../src/batch/unread-types.ts';
import { QuickReader } from '../oracle/quick-facts.ts';

const folder = mkdtempSync(join(tmpdir(), 'line-scan-'));
const unread = unreadTypes({ choices: false });

/** What a scan tells of a text, in its order. */
type Told =
  | ResourceRecord
  | { readonly address: string }
  | { readonly left: string; readonly line: number; at: number };

interface Scanned {
  readonly told: Told[];
  readonly counts: Readonly<Record<string, number>>;
  readonly lines: number;
  /** Lines that are not UTF-8. */
  readonly damaged: readonly number[];
}

const fast = { isFast: true, unread };

/** Reads a text in ranges of so many bytes. */
function scanned(text: string | Buffer, { size = 8 << 20, scan = new LineScan(fast) } = {}): Scanned {
  const path = join(folder, 'lines');
  writeFileSync(path, text);
  const bytes = Buffer.byteLength(text);
  const file = openSync(path, 'r');
  const told: Told[] = [];
  const counts: Record<string, number> = {};
  const damaged: number[] = [];
  let lines = 0;
  for (let start = 0, id = 0; start < bytes; start += size, id += 1) {
    const before = lines;
    const found = scan.lines(
      file,
      { id, start, end: Math.min(bytes, start + size) },
      {
        records: (records) => {
          for (const record of readRecords(Buffer.from(records)))
            told.push({ ...record, piece: 0, line: before + record.line });
          expect(new Set(readRecords(Buffer.from(records)).map(({ piece }) => piece))).toEqual(new Set([id]));
        },
        address: (address) => told.push({ address }),
        damaged: (line) => damaged.push(before + line),
        left: (line, left, at) => told.push({ left: left.toString('latin1'), line: before + line, at }),
      },
    );
    lines += found.lines;
    for (const [type, count] of found.counts) counts[type] = (counts[type] ?? 0) + count;
  }
  closeSync(file);
  return { told, counts, lines, damaged };
}

/** The same, line by line and byte by byte. */
function expected(text: string | Buffer): Scanned {
  const bytes = Buffer.from(text);
  const told: Told[] = [];
  const damaged: number[] = [];
  const counts: Record<string, number> = {};
  let lines = 0;
  for (let start = 0; start < bytes.length; ) {
    const close = bytes.indexOf('\n', start);
    const next = close === -1 ? bytes.length : close;
    const end = next > start && bytes[next - 1] === 0x0d ? next - 1 : next;
    lines += 1;
    if (!isUtf8(bytes.subarray(start, end))) damaged.push(lines);
    const reader = new QuickReader(bytes);
    const type = reader.typeOf(start, end);
    const facts = type !== undefined && unread.has(type) ? undefined : reader.facts(start, end);
    if (facts !== undefined) {
      const { owner, key, address } = facts;
      const kind = kindOf(facts.type, owner !== 0);
      told.push({ piece: 0, line: lines, offset: start, length: end - start, kind, owner, key, path: '', fullUrl: '' });
      if (address !== '') told.push({ address });
      counts[facts.type] = (counts[facts.type] ?? 0) + 1;
    } else if (type !== undefined && unread.has(type)) counts[type] = (counts[type] ?? 0) + 1;
    else if (!/^[ \t\r]*$/.test(bytes.toString('latin1', start, end)))
      told.push({ left: bytes.toString('latin1', start, end), line: lines, at: start });
    start = next + 1;
  }
  return { told, counts, lines, damaged };
}

const condition = '{"resourceType":"Condition","id":"c1","subject":{"reference":"Patient/p1"},"code":{"text":"x"}}';
const recordOf = (line: string) => scanned(line).told[0];

describe('a line that is not UTF-8 is told by its number, and is read as far as it is [K3]', () => {
  const latin1 = Buffer.from(condition.replace('"x"', '"F\u00e9vrier"'), 'latin1');
  const windows1252 = Buffer.from(condition.replace('"x"', '"5\u009610"'), 'latin1');
  const whole = Buffer.from(`${condition.replace('"x"', '"Février – ½ 💊"')}\n`);
  const newline = Buffer.from('\n');

  test.each([
    ['Latin-1', latin1],
    ['Windows-1252', windows1252],
    ['a character that is cut off', Buffer.from(condition).fill(0xe2, 90, 91)],
    ['a half of one', Buffer.concat([Buffer.from(`${condition}`), Buffer.from([0xed, 0xa0, 0x80])])],
    ['of a type that nobody reads', Buffer.from('{"resourceType":"Claim","id":"\u00e9"}', 'latin1')],
  ])('%s', (_, line) => {
    const text = Buffer.concat([whole, newline, line, newline, whole, line]);
    for (const size of [8 << 20, 200, 97]) expect(scanned(text, { size }).damaged).toEqual([3, 5]);
    expect(scanned(text)).toEqual(expected(text));
  });
});

describe('a line as servers write it tells type and patient without being parsed', () => {
  test('the patient by the id in its reference, relative or absolute, with blanks behind the colons or without', () => {
    const owner = markOfText('p1');
    expect(scanned(condition)).toMatchObject({
      told: [{ owner, kind: 0 }],
      counts: { Condition: 1 },
    });
    expect(recordOf(condition.replaceAll(':', ': '))).toMatchObject({ owner });
    expect(
      recordOf('{"resourceType": "Condition", "id": "c1", "subject": {"reference": "Patient/p1", "display": "A {b}"}}'),
    ).toMatchObject({ owner });
    const address = 'https://ehr.example/fhir/Patient/p1';
    const absolute = scanned(condition.replace('Patient/p1', address));
    expect(absolute).toMatchObject({ told: [{ owner }, { address }] });
    for (const other of ['urn:uuid:p1', 'p1'])
      expect(scanned(condition.replace('Patient/p1', other))).toMatchObject({ told: [{ owner }] });
  });

  test('a Patient by its own id', () => {
    expect(recordOf('{"resourceType":"Patient","id":"p1","active":true}')).toMatchObject({
      owner: markOfText('p1'),
      kind: 2,
    });
  });

  test('what is about nobody has no patient', () => {
    expect(recordOf('{"resourceType":"Practitioner","id":"d1"}')).toMatchObject({ owner: 0, kind: 3 });
  });

  test('equal ids of one type have one key, and of another type another', () => {
    const keyOf = (line: string) => Reflect.get(recordOf(line) ?? {}, 'key');
    const key = keyOf(condition);
    expect(keyOf(condition.replace('"x"', '"y"'))).toBe(key);
    expect(keyOf(condition.replace('c1', 'c2'))).not.toBe(key);
    expect(keyOf(condition.replace('Condition', 'Procedure1'))).not.toBe(key);
  });

  test('of types that nobody reads only how many there are', () => {
    const text = '{"resourceType":"Claim","id":1}\n{"resourceType":"Claim"}\n{"resourceType":"Claim","x"\n';
    const { told, counts } = scanned(text);
    expect(counts).toEqual({ Claim: 2 });
    expect(told).toEqual([{ left: '{"resourceType":"Claim","x"', line: 3, at: 57 }]);
    const checked = scanned(`${text}{"resourceType":"Claim","x":01}`, {
      scan: new LineScan({ isFast: false, unread }),
    });
    expect(checked.counts).toEqual({ Claim: 2 });
    expect(checked.told).toMatchObject([{ line: 3 }, { line: 4 }]);
  });
});

describe('whatever could mean something else is left to the parser', () => {
  test.each([
    ['a contained resource', condition.replace('"code"', '"contained":[{"resourceType":"Patient","id":"x"}],"code"')],
    ['the patient named twice', condition.replace('"code"', '"subject":{"reference":"Patient/p2"},"code"')],
    [
      'an escape that could spell a key',
      condition.replace('"code"', '"\\u0073ubject":{"reference":"Patient/p2"},"code"'),
    ],
    ['two references in one', condition.replace('"}', '","reference":"Patient/p2"}')],
    ['a patient named by identifier', condition.replace('"reference":"Patient/p1"', '"identifier":{"value":"1"}')],
    ['a patient named by a search', condition.replace('Patient/p1', 'Patient?identifier=1')],
    ['a reference to a version', condition.replace('Patient/p1', 'Patient/p1/_history/2')],
    ['a reference that ends with a slash', condition.replace('Patient/p1', 'Patient/p1/')],
    ['another order of keys', '{"id":"c1","resourceType":"Condition","subject":{"reference":"Patient/p1"}}'],
    ['no id', '{"resourceType":"Condition","subject":{"reference":"Patient/p1"}}'],
    ['no patient', '{"resourceType":"Condition","id":"c1"}'],
    ['a cut line', condition.slice(0, -2)],
    ['a Bundle', '{"resourceType":"Bundle","id":"b1","type":"collection"}'],
    ['a Patient with another id in it', '{"resourceType":"Patient","id":"p1","name":[{"id":"n"}]}'],
    ['a list', `[${condition}]`],
    ['a type without an end', '{"resourceType":"Condi'],
    ['a type that is none', '{"resourceType":"Condition of the patient that is very long indeed","id":"c1"}'],
  ])('%s', (_, line) => {
    expect(scanned(`${line}\n${condition}`)).toMatchObject({ told: [{ left: line, line: 1, at: 0 }, { line: 2 }] });
  });
});

test('every line is in exactly one range, whatever the size of the ranges', () => {
  const text = 'one\ntwo\r\n\n  \nÉmile\nlast';
  for (let size = 1; size <= 30; size += 1) {
    const { told, lines } = scanned(text, { size });
    expect(told.map((one) => 'left' in one && [one.at, Buffer.from(one.left, 'latin1').toString(), one.line])).toEqual([
      [0, 'one', 1],
      [4, 'two', 2],
      [13, 'Émile', 5],
      [20, 'last', 6],
    ]);
    expect(lines).toBe(6);
  }
});

test('what was counted of a range that could not be read to its end is not counted for the next one', () => {
  const scan = new LineScan(fast);
  const path = join(folder, 'stopped');
  writeFileSync(path, '{"resourceType":"Practitioner","id":"d1"}\nx\n');
  const file = openSync(path, 'r');
  const seen = {
    records: () => {},
    address: () => {},
    damaged: () => {},
    left: () => {
      throw new Error('EIO');
    },
  };
  expect(() => scan.lines(file, { id: 0, start: 0, end: 44 }, seen)).toThrow('EIO');
  closeSync(file);
  expect(scanned('{"resourceType":"Patient","id":"p1"}', { scan }).counts).toEqual({ Patient: 1 });
});

test('an empty file has no line', () => {
  expect(scanned('')).toEqual({ told: [], counts: {}, lines: 0, damaged: [] });
});

test('lines of several megabytes, over several ranges, with short ones between them', () => {
  const long = condition.replace('"x"', `"${'x'.repeat(3 << 20)}"`);
  const text = [condition, long, condition, `${'y'.repeat(40 << 20)}`, condition, long, ''].join('\n');
  const lengths = [condition, long, condition, condition, long].map(({ length }) => length);
  for (const size of [1 << 20, 64 << 20]) {
    const { told, lines, counts } = scanned(text, { size });
    expect(told.flatMap((one) => ('length' in one ? one.length : []))).toEqual(lengths);
    expect(told.map((one) => 'left' in one && one.left.length)).toContain(40 << 20);
    expect({ lines, counts }).toEqual({ lines: 6, counts: { Condition: 5 } });
  }
});

test('lines of more types than are kept are left to the parser', () => {
  const letters = [...'abcdefghijklmno'];
  const names = letters.flatMap((one) => letters.map((other) => `Type${one}${other}`));
  const lineOf = (type: string) => `{"resourceType":"${type}","id":"1"}`;
  const all = ['Practitioner', ...names, 'Organization', 'Practitioner'].map(lineOf);
  const { told, lines } = scanned(all.join('\n'));
  expect(lines).toBe(all.length);
  expect(told.slice(-2)).toMatchObject([{ left: lineOf('Organization') }, { kind: 3, line: all.length }]);
});

/** The same numbers at every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const lines = [
  condition,
  '{"resourceType":"Patient","id":"p1","name":[{"family":"Élan"}]}',
  '{"resourceType":"Coverage","id":"cov-1","beneficiary":{"reference":"https://ehr.example/fhir/Patient/p1"}}',
  '{"resourceType":"MedicationRequest","id":"mr.1","subject":{"reference":"Patient/p1","display":"A"},"x":[{"a":"T"}]}',
  '{"resourceType":"Practitioner","id":"d1","name":[{"text":"Type, resource"}]}',
  '{"resourceType":"Observation","id":"o1","subject":{"reference":"Patient/p1"}}',
  '{"resourceType":"Task","id":"t1","for":{"reference":"Patient/p1"},"focus":{"reference":"Patient/p2"}}',
  '{"resourceType":"Appointment","id":"a1"}',
  '{"resourceType":"Account","id":"ac1","subject":[{"reference":"Patient/p1"}]}',
  '{"resourceType":"ResearchSubject","id":"r1","individual":{"reference":"Patient/p1"}}',
];
const parts = [
  ...[
    '"subject":',
    'subject":',
    '"beneficiary":',
    'eficiary":',
    '"for":',
    '"id":',
    '"reference":',
    '"reference"',
    ': ',
  ],
  ...[
    '{',
    '}',
    '"',
    '\\',
    '\\u00',
    '/',
    ':',
    ',',
    ' ',
    '\r',
    '\n',
    '\n\n',
    '"resourceType":',
    'resourceType',
    'h',
    '?',
  ],
  ...['{"resourceType":', '"Patient"', '"Patient/p2"', 'T', '\u00e9', '"}', '}}', ']'],
];

test('of changed lines nothing is told otherwise than by a reader that goes byte by byte', () => {
  const pick = random(20261123);
  let [records, left] = [0, 0];
  const scan = new LineScan(fast);
  for (let round = 0; round < Number(process.env.SCANNED_LINES ?? 1500); round += 1) {
    const text = Array.from({ length: 1 + pick(12) }, () => {
      let line = lines[pick(lines.length)] ?? '';
      for (let change = pick(3); change > 0; change -= 1) {
        const [at, cut] = [pick(line.length + 1), pick(3) * pick(4)];
        line = line.slice(0, at) + (parts[pick(parts.length)] ?? '') + line.slice(at + cut);
      }
      return line;
    }).join(pick(8) === 0 ? '\r\n' : '\n');
    const wanted = expected(text);
    const size = pick(2) === 0 ? undefined : 1 + pick(300);
    expect(scanned(text, { scan, ...(size === undefined ? {} : { size }) }), text).toEqual(wanted);
    records += wanted.told.filter((one) => 'key' in one).length;
    left += wanted.told.filter((one) => 'left' in one).length;
  }
  expect({ records: records > 3000, left: left > 2000 }).toEqual({ records: true, left: true });
});
