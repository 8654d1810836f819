import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { BridgeError } from '../../src/core/errors.ts';
import { closePages, expectAccessible, openBrowser, patience } from './browser.ts';
import { type BrowserScene, openBrowserScene } from './scene-browser.ts';

// Pictures are kept where PICTURES names a folder.
const folder = process.env.PICTURES;

let browser: Browser;
let scene: BrowserScene;
let gate: PromiseWithResolvers<void>;

beforeAll(async () => {
  browser = await openBrowser();
}, patience);
afterEach(closePages);
afterEach(async () => {
  gate.resolve();
  await scene?.app.close();
});

/** A clinic whose EHR answers when the test says so. */
async function slowClinic(): Promise<void> {
  gate = Promise.withResolvers<void>();
  scene = await openBrowserScene('story-complete', (deps) => ({
    ...deps,
    patience: { firstMs: 0, againMs: 600_000 },
    readChart: async (api, focus) => {
      await gate.promise;
      return await deps.readChart!(api, focus);
    },
  }));
  const patient = `Patient/${scene.smart.launch.patient}`;
  scene.cases.put({ site: 'valley', patient, state: 'ended', banner: { name: 'Marisol Tennyson' } });
  scene.smart.launch = { ...scene.smart.launch, orders: [`MedicationRequest/${scene.order}`] };
}

async function open(options: Parameters<BrowserScene['page']>[1] = {}): Promise<Page> {
  const page = await scene.page(browser, options);
  page.setDefaultTimeout(patience);
  await page.goto(`${scene.url}${scene.home}`, { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Reading the chart of Marisol Tennyson' }).waitFor();
  return page;
}

const reviewIn = (page: Page) => page.locator('hgroup', { hasText: 'Review the prior authorization' });

test('without JavaScript it comes back for the review by itself', async () => {
  await slowClinic();
  const page = await scene.page(browser, { javaScriptEnabled: false });
  page.setDefaultTimeout(patience);
  const again = Promise.withResolvers<void>();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(scene.order) && asked.push(request.url()) === 2) again.resolve();
  });
  await page.goto(`${scene.url}${scene.home}`, { waitUntil: 'commit' });
  await again.promise;
  gate.resolve();
  await reviewIn(page).waitFor();
});

test('the page goes on to the review by itself', async () => {
  await slowClinic();
  const page = await open();
  expect(await page.getByRole('status').textContent()).toContain('This page goes on by itself');
  gate.resolve();
  await reviewIn(page).waitFor();
  expect(new URL(page.url()).pathname).toBe(`${scene.home}/orders/${scene.order}`);
});

test('it goes on to the error page when the EHR fails', async () => {
  await slowClinic();
  const page = await open();
  gate.reject(new BridgeError('ehr_unreachable'));
  await page.getByRole('heading', { name: 'The EHR cannot be reached.' }).waitFor();
});

test('the way back does not lead to the page that waited', async () => {
  await slowClinic();
  const page = await scene.page(browser);
  page.setDefaultTimeout(patience);
  await page.goto(`${scene.url}/sign-in`);
  await page.goto(`${scene.url}${scene.home}`, { waitUntil: 'commit' });
  await page.getByRole('status').waitFor();
  gate.resolve();
  await reviewIn(page).waitFor();
  await page.goBack();
  expect(new URL(page.url()).pathname).toBe('/sign-in');
});

test('it can be read by everybody, and its one link by keyboard', async () => {
  await slowClinic();
  const page = await open();
  await expectAccessible(page);
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.getByRole('link', { name: 'Not going on?' }).evaluate((link) => link === document.activeElement))
      break;
  }
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Not going on?');
  for (const [name, width, colorScheme] of [
    ['light', 1280, 'light'],
    ['dark', 1280, 'dark'],
    ['narrow', 390, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const wide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    expect(wide).toBe(false);
    if (folder === undefined) continue;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `reading-${name}.png`) });
  }
});
