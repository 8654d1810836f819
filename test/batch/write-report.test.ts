import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Reporter } from '../../src/batch/report/report.ts';
import { writeReport } from '../../src/batch/report/write-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'write-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\n=1', '"\'\n=1"'],
  ['\r=1', '"\'\r=1"'],
  ['a "b", c', '"a ""b"", c"'],
  ['a=1', 'a=1'],
])('the file name %j is the CSV cell %j, which no spreadsheet calculates', (file, cell) => {
  const line = JSON.stringify({ file, order: 'MedicationRequest/m1', state: 'ready', missing: [] });
  const report = new Reporter({ mapping: 'prior-auth', now: new Date('2026-03-02T00:00:00Z') }).report();
  const path = join(folder, 'report.csv');
  writeReport(path, { report: { ...report, files: [] }, lines: () => [line] });
  const [, row] = readFileSync(path, 'utf8').split('advice,written\r\n');
  expect(row).toBe(`${cell},,,MedicationRequest/m1,,ready,,,,,\r\n`);
});
