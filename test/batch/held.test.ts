import fs, { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { listInputs } from '../../src/batch/list-inputs.ts';
import { mapInputs } from '../../src/batch/map.ts';
import type { OrderLine } from '../../src/batch/report/order-line.ts';
import { Reporter } from '../../src/batch/report/report.ts';
import { writeReport } from '../../src/batch/report/write-report.ts';
import { zip } from './zip.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'held-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fileCalls = ['readSync', 'writeSync', 'readFileSync', 'writeFileSync'] as const;

/** The largest text or piece of memory that was read, written or made. */
async function largestOf(work: () => Promise<void> | void): Promise<number> {
  let largest = 0;
  const see = <Held>(held: Held): Held => {
    if (typeof held === 'string') largest = Math.max(largest, held.length);
    if (ArrayBuffer.isView(held)) largest = Math.max(largest, held.byteLength);
    return held;
  };
  const { alloc, allocUnsafe, allocUnsafeSlow, concat } = Buffer;
  const calls = Object.fromEntries(fileCalls.map((name) => [name, fs[name]]));
  const seen =
    (call: (...given: unknown[]) => unknown) =>
    (...given: unknown[]) => {
      given.forEach(see);
      return see(call(...given));
    };
  // Spies would keep all that they see.
  Object.assign(Buffer, {
    alloc: (size: number) => see(alloc(size)),
    allocUnsafe: (size: number) => see(allocUnsafe(size)),
    allocUnsafeSlow: (size: number) => see(allocUnsafeSlow(size)),
    concat: (...given: Parameters<typeof concat>) => see(concat(...given)),
  });
  for (const name of fileCalls) Object.assign(fs, { [name]: seen(fs[name] as (...given: unknown[]) => unknown) });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(Buffer, { alloc, allocUnsafe, allocUnsafeSlow, concat });
    Object.assign(fs, calls);
    syncBuiltinESMExports();
  }
  return largest;
}

/** Of twice as much no more is held at once, and much less than all of it. */
async function holdsNoMore(
  made: (times: number) => { readonly bytes: number; readonly work: () => Promise<void> | void },
): Promise<void> {
  const [once, twice] = [made(1), made(2)];
  expect(twice.bytes).toBeGreaterThan(1.9 * once.bytes);
  const largest = await largestOf(once.work);
  expect(largest).toBeLessThan(once.bytes);
  expect(await largestOf(twice.work)).toBeLessThanOrEqual(largest);
}

const orderLine = (at: number): OrderLine => ({
  file: 'MedicationRequest.ndjson',
  line: 1_000_000 + at,
  order: `MedicationRequest/${1_000_000 + at}`,
  patient: `Patient/${1_000_000 + at}`,
  state: 'incomplete',
  missing: ['prescription.quantity', 'patient.phone'],
  advice: [],
  written: 'drafts.ndjson',
});

/** A reporter that was told of so many orders, by so many prescribers. */
function toldOf(orders: number, prescribers = 10): Reporter {
  const reporter = new Reporter({ mapping: 'prior-auth', now: new Date('2026-11-21T12:00:00Z') });
  for (let at = 0; at < orders; at += 1)
    reporter.order(orderLine(at), {
      drug: 'adalimumab',
      payer: 'Example Health Plan',
      prescriber: `${at % prescribers}`,
    });
  return reporter;
}

/** Writes the report of 20,000 orders, or of so many times as many. */
function reportOf(times: number, form: string) {
  const orders = times * 20_000;
  const report = toldOf(orders).report();
  const path = join(folder, `report-${times}.${form}`);
  let writtenBefore = 0;
  function* lines() {
    for (let at = 0; at < orders; at += 1) {
      if (at === orders - 1) writtenBefore = statSync(path).size;
      yield JSON.stringify(orderLine(at));
    }
  }
  return {
    bytes: orders * JSON.stringify(orderLine(0)).length,
    work: () => writeReport(path, { report, lines }),
    /** Bytes that were written before the last line was asked for. */
    writtenBefore: () => writtenBefore,
  };
}

describe('P2: a report of twice as many orders', () => {
  test.each(['json', 'ndjson', 'csv', 'html'])('is written as %s without holding more of it at once', async (form) => {
    await holdsNoMore((times) => reportOf(times, form));
  });

  test.each(['json', 'ndjson', 'csv'])('is written as %s while its lines are read', (form) => {
    const { bytes, work, writtenBefore } = reportOf(1, form);
    work();
    expect(writtenBefore()).toBeGreaterThan(bytes / 2);
  });

  test('by as many prescribers is written as json without holding more of their counts at once', async () => {
    await holdsNoMore((times) => {
      const report = toldOf(times * 20_000, times * 20_000).report();
      const path = join(folder, 'report.json');
      return { bytes: JSON.stringify(report.by).length, work: () => writeReport(path, { report, lines: () => [] }) };
    });
  });

  test('has every line once, in its order', () => {
    reportOf(1, 'json').work();
    const { orders, totals } = JSON.parse(readFileSync(join(folder, 'report-1.json'), 'utf8'));
    expect(orders).toEqual(Array.from({ length: 20_000 }, (_, at) => orderLine(at)));
    expect(totals.incomplete).toBe(20_000);
  });

  test('is gathered without keeping more of their lines', () => {
    const size = (orders: number) => JSON.stringify(toldOf(orders).report().shown).length;
    expect(size(2000)).toBe(size(1000));
  });
});

/** A patient with an order, and observations that make a line long: some 20 MB. */
function exportLines(times: number): Buffer {
  const filler = 'x'.repeat(100_000);
  const lines = Array.from({ length: times * 200 }, (_, at) => [
    { resourceType: 'Patient', id: `p${at}` },
    { resourceType: 'MedicationRequest', id: `m${at}`, status: 'active', subject: { reference: `Patient/p${at}` } },
    { resourceType: 'Observation', id: `o${at}`, note: [{ text: filler }], subject: { reference: `Patient/p${at}` } },
  ]);
  return Buffer.from(lines.flatMap((all) => all.map((resource) => `${JSON.stringify(resource)}\n`)).join(''));
}

describe('P5, S21: of an export of twice the size no more is held at once', () => {
  test.each([
    ['gzipped', 'all.ndjson.gz', (lines: Buffer) => gzipSync(lines, { level: 1 })],
    ['in a zip file', 'all.zip', (lines: Buffer) => zip([{ name: 'all.ndjson', text: lines, isDeflated: true }])],
    [
      'stored in a zip file',
      'all.zip',
      (lines: Buffer) => zip([{ name: 'all.ndjson', text: lines, isDeflated: false }]),
    ],
    ['as it is', 'all.ndjson', (lines: Buffer) => lines],
  ])('%s', async (_, name, packed) => {
    await holdsNoMore((times) => {
      const at = mkdtempSync(join(folder, 'given-'));
      const lines = exportLines(times);
      writeFileSync(join(at, name), packed(lines));
      return { bytes: lines.length, work: () => mapAll(at, times * 200) };
    });
  });
});

async function mapAll(at: string, patients: number): Promise<void> {
  let orders = 0;
  for await (const event of mapInputs({
    inputs: await listInputs([at]),
    map: (charts) => charts.map(() => ({ status: 'incomplete', draft: {}, provenance: [], gaps: [] })),
    roles: mappings.roles,
    site: { country: 'USA' },
    now: new Date('2026-11-21T12:00:00'),
    stdin: nothing(),
  }))
    if (event.kind === 'order') orders += 1;
  expect(orders).toBe(patients);
}

async function* nothing(): AsyncGenerator<Buffer> {}
