import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from './run-cli.ts';

// One chart: a tablet that is taken orally, for a woman.
let one = '';
beforeAll(() => {
  one = mkdtempSync(join(tmpdir(), 'fixtures-'));
  cpSync(join(import.meta.dirname, '../../fixtures/charts/story-complete'), join(one, 'story-complete'), {
    recursive: true,
  });
});
afterAll(() => rmSync(one, { recursive: true }));

test('--rows names each row that no fixture uses, and each value without one with its reason', async () => {
  const { out } = await cli(['coverage', '--rows', '--fixtures', one]);
  expect(out).toContain('\n  prescription.dose_form: bulk, miscellaneous  (says nothing of the form)\n');
  expect(out).toContain('\n  patient.gender, table gender\n    male: male\n');
});

test('--report writes what is proven and what is not as a page that needs no other file [U12]', async () => {
  const path = join(one, 'coverage.html');
  const cases = mkdtempSync(join(tmpdir(), 'cases-'));
  cpSync(one, cases, { recursive: true });
  await cli(['coverage', '--fixtures', cases, '--report', path]);
  rmSync(cases, { recursive: true });
  const page = readFileSync(path, 'utf8');
  rmSync(path);
  expect(page).toContain('<h1>Coverage of prior-auth</h1>');
  expect(page).toMatch(/<th scope="row">Fields of the request<\/th>.*?<td class="number">\d+ of \d+<\/td>/);
  expect(page).toContain('Sources that no case uses');
  expect(page).not.toMatch(/src=|<link|<script|url\((?!#)/);
});

test('--json holds the same, and a dead rule ends the command with 1', async () => {
  const { code, out } = await cli(['coverage', '--json', '--fixtures', one]);
  expect(code).toBe(1);
  const { mapping, lists } = JSON.parse(out);
  expect(mapping).toBe('prior-auth');
  expect(
    lists.map(({ to, values, withoutRow }: { to: string; values: number; withoutRow: string[] }) => [
      to,
      values,
      withoutRow,
    ]),
  ).toEqual([
    ['patient.gender', 4, []],
    ['prescription.dose_form', 99, []],
    ['prescription.route_of_administration', 123, []],
    ['prescription.dispense_unit', 14, []],
  ]);
});

test('a folder that is not there ends with 2', async () => {
  expect(await cli(['coverage', '--fixtures', join(one, 'none')])).toMatchObject({ code: 2 });
});
