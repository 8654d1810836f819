import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareOutput } from '../../src/batch/output.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'output-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text = '') => writeFileSync(join(folder, name), text);
const prepared = (how: { readonly overwrite?: boolean; readonly resume?: boolean }) =>
  prepareOutput(folder, { format: 'ndjson', sources: false, overwrite: false, resume: false, ...how });

test('what a stopped run left is replaced only when nothing else stands beside it', async () => {
  mkdirSync(join(folder, '.run'));
  write('.run/state.json', '{}');
  write('requests.ndjson', 'one\n');
  write('report.json');
  write('letter.docx', 'of somebody');
  for (const how of [{}, { overwrite: true }, { resume: true }])
    await expect(prepared(how)).rejects.toMatchObject({
      code: 'output_unusable',
      next: expect.stringContaining('holds other files'),
    });
  expect(readdirSync(folder)).toEqual(['.run', 'letter.docx', 'report.json', 'requests.ndjson']);
  expect(readFileSync(join(folder, 'requests.ndjson'), 'utf8')).toBe('one\n');
  rmSync(join(folder, 'letter.docx'));
  await prepared({ overwrite: true });
  expect(readdirSync(folder)).not.toContain('report.json');
});

test('a report.json that is not ours is never replaced', async () => {
  write('report.json', '{"quarter":3}\n');
  await expect(prepared({ overwrite: true })).rejects.toMatchObject({ code: 'output_unusable' });
  write('report.json', '{"mapping":"prior-auth","totals":{}}\n');
  await prepared({ overwrite: true });
});
