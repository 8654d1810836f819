import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentReference } from 'fhir/r4.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../src/log.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { putDatabase } from '../support/embedded.ts';
import { expectAccessible, openBrowser, patience } from './browser.ts';

let sandbox: Sandbox;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridge-wrong-letter-'));
  await putDatabase(join(folder, 'bridge'));
  sandbox = await startSandbox({ dataDir: folder, port: 0, speed: 0, clock: () => new Date(), log: silentLog });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await sandbox?.close();
  await rm(folder, { recursive: true, force: true });
});

test('a letter that is wrong is taken back on a page that asks once more, also on a phone [G16]', async () => {
  const page = await approved();
  await page.setViewportSize({ width: 390, height: 844 });
  const link = page.getByRole('link', { name: /This letter is wrong.*Summary/s });
  const reference = new URL((await link.getAttribute('href')) ?? '', page.url()).searchParams.get('reference') ?? '';
  await link.click();
  await page.getByRole('heading', { level: 1, name: 'Is this letter wrong?' }).waitFor();
  await expectAccessible(page);
  expect(await page.locator('main').textContent()).toContain('Wendell Okafor-Smith');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wide).toBe(false);

  // Going back changes nothing.
  await page.getByRole('link', { name: 'Go back' }).click();
  await link.waitFor();
  expect(statusOf(reference)).toBe('current');

  await link.focus();
  await page.keyboard.press('Enter');
  const mark = page.getByRole('button', { name: 'Mark as entered in error for Wendell Okafor-Smith' });
  await mark.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/cases\/[^/]+$/);
  await expect.poll(() => statusOf(reference)).toBe('entered-in-error');
  await expect
    .poll(() => page.locator('section[aria-labelledby="written"]').textContent())
    .toContain('marked as entered in error');
  expect(await link.count()).toBe(0);
  await expectAccessible(page);
});

/** The page of a request that was approved, with its letter in the chart. */
async function approved(): Promise<Page> {
  const context = await browser.newContext();
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  await page.goto(`${sandbox.ehr.url}/patients/snomed-patient`);
  await page.getByText('Start prior authorization').first().click();
  await page.waitForURL((url) => url.href.startsWith(`${sandbox.bridge.url}/app/`));
  await page.getByLabel('ICD-10-CM code', { exact: true }).fill('E66.01');
  await page.getByRole('button', { name: 'Review and send' }).click();
  await page.getByRole('button', { name: 'Send for Wendell Okafor-Smith' }).click();
  await page.waitForURL(/\/cases\//);
  const serviceId = (await page.locator('dd', { hasText: /^pa_/ }).textContent()) ?? '';
  for (const standing of ['Your review is needed', 'With the payer', 'Checking the payer’s answer', 'Approved']) {
    await sandbox.service.step(serviceId);
    await page.getByRole('heading', { name: standing }).waitFor();
  }
  await page.getByRole('link', { name: /This letter is wrong.*Summary/s }).waitFor();
  await page.locator('#status:not([hx-get])').waitFor();
  return page;
}

/** The status of the letter in the chart. */
function statusOf(reference: string): string | undefined {
  const resource = sandbox.ehr.peek(reference);
  return resource?.resourceType === 'DocumentReference' ? (resource as DocumentReference).status : undefined;
}
