import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from '../cli/run-cli.ts';
import { closePages, expectAccessibleAlsoDark, openBrowser, patience } from './browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'report-'));
const charts = ['story-step-therapy', 'story-snomed-only', 'story-many-gaps', 'story-two-coverages'];
const path = join(folder, 'report.html');

beforeAll(async () => {
  const bundles = charts.map((name) => join(import.meta.dirname, `../../fixtures/charts/${name}/bundle.json`));
  await cli(['map', ...bundles, '--out', join(folder, 'out'), '--report', path]);
});
afterAll(async () => {
  await closePages();
  rmSync(folder, { recursive: true });
});

async function open(javaScriptEnabled: boolean) {
  const page = await (await (await openBrowser()).newContext({ javaScriptEnabled })).newPage();
  page.setDefaultTimeout(patience);
  await page.goto(pathToFileURL(path).href);
  return page;
}

test('the report of map filters its orders as one types, and is accessible in light and dark', async () => {
  const page = await open(true);
  await page.getByLabel('Find').fill('zip gaps-order');
  const shown = page.locator('.orders tbody tr:visible');
  expect(await shown.count()).toBe(1);
  expect(await page.locator('output').textContent()).toBe('1 shown');
  await page.getByLabel('Find').fill('');
  await page.getByRole('combobox', { name: 'State' }).selectOption('Not eligible');
  expect(new Set(await shown.locator('.badge').allTextContents())).toEqual(new Set(['Not eligible']));
  await expectAccessibleAlsoDark(page);
});

test('without scripts the report is a whole table, without a filter', async () => {
  const page = await open(false);
  expect(await page.getByLabel('Find').isVisible()).toBe(false);
  const states = new Set(await page.locator('.orders .badge').allTextContents());
  expect(states).toEqual(new Set(['Incomplete', 'Ready', 'Not eligible']));
});
