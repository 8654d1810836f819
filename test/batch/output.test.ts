import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prepareOutput } from '../../src/batch/report/output.ts';

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

describe('a run that was stopped before it could keep how far it came', () => {
  const left = () => {
    mkdirSync(join(folder, '.run'));
    write('.run/digests', 'one\n');
    write('requests.ndjson', 'one\n');
  };

  test('begins again with --resume, and with nothing of what it wrote', async () => {
    left();
    await prepared({ resume: true });
    expect(readdirSync(folder)).toEqual(['.run']);
    expect(readdirSync(join(folder, '.run'))).toEqual([]);
  });

  test.each(['.run/state.json.new', 'report.json', 'drafts.ndjson'])('also where it left %s', async (name) => {
    left();
    write(name);
    await prepared({ resume: true });
    expect(readdirSync(folder)).toEqual(['.run']);
  });

  test('is told as one that was stopped', async () => {
    left();
    await expect(prepared({})).rejects.toMatchObject({ next: expect.stringContaining('Add --resume') });
  });
});

test('a run that came to its end is not one that was stopped', async () => {
  write('digests.txt', 'one\n');
  write('requests.ndjson', 'one\n');
  for (const name of ['', '.run']) {
    if (name !== '') mkdirSync(join(folder, name));
    await expect(prepared({ resume: true })).rejects.toMatchObject({
      next: expect.stringContaining('holds no run that was stopped'),
    });
  }
});

test('a report.json that is not ours is never replaced', async () => {
  write('report.json', '{"quarter":3}\n');
  await expect(prepared({ overwrite: true })).rejects.toMatchObject({ code: 'output_unusable' });
  write('report.json', '{"mapping":"prior-auth","totals":{}}\n');
  await prepared({ overwrite: true });
});
