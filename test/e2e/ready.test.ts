import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { queues } from '../../src/cases/work/queues.ts';
import { worklistRules } from '../../src/cases/worklist-entry.ts';
import { makeConfig, type Site } from '../../src/config/config.ts';
import type { Store } from '../../src/store/types.ts';
import { aClinic, type Clinic } from '../cases/clinic.ts';
import { type Backend, pgliteBackend } from '../store/backends.ts';
import { testConfig } from '../web/support.ts';
import { chartCookies, chartLaunches, charts, openTwoCharts, readTwoCharts } from '../web/two-charts.ts';
import { closePages, expectAccessibleAlsoDark, openBrowser, patience } from './browser.ts';
import { type BrowserScene, openBrowserScene } from './scene-browser.ts';

// Drafts of two patients are read on one page and sent together.

// Pictures are kept where PICTURES names a folder.
const folder = process.env.PICTURES;

let backend: Backend;
let store: Store;
let browser: Browser;
let scene: BrowserScene;
let clinic: Clinic;
let count = 0;

beforeAll(async () => {
  backend = await pgliteBackend();
  store = await backend.open({ worklist: worklistRules, queues });
  browser = await openBrowser();
}, patience);
beforeEach(async () => {
  count += 1;
  const [base] = testConfig().sites;
  const site: Site = { ...base!, id: `valley-${count}` };
  clinic = aClinic(store, { sites: [site] });
  const env = { SERVICE_TOKEN: 'token', HOOK_NEW: 'new-secret', HOOK_OLD: 'old-secret' };
  const keys = Buffer.alloc(32, 7).toString('base64');
  scene = await openBrowserScene('story-complete', (deps) => ({
    ...deps,
    config: { ...makeConfig({ BRIDGE_URL: deps.config.url, BRIDGE_KEYS: keys }, [site], env), url: deps.config.url },
    cases: clinic.cases,
    worklist: store.worklist,
    readChart: readTwoCharts,
  }));
  scene.smart.launch = { ...scene.smart.launch, site };
  openTwoCharts(scene);
}, patience);
afterEach(async () => {
  await closePages();
  await scene.app.close();
});
afterAll(async () => {
  await store?.close();
  await backend?.close();
});

/** The worklist, after both drafts were looked through. */
async function open(viewport: { width: number; height: number }): Promise<Page> {
  const page = await scene.page(browser, { viewport });
  page.setDefaultTimeout(patience);
  const url = scene.url.replace('http:', 'https:');
  await page.context().addCookies(chartCookies.map((cookie) => ({ ...cookie, url, secure: true })));
  for (const id of chartLaunches) await page.goto(`${scene.url}/app/${id}/orders/${charts[id].order}`);
  await page.goto(`${scene.url}${scene.home}/worklist`);
  return page;
}

async function look(page: Page, name: string): Promise<void> {
  await expectAccessibleAlsoDark(page);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const [suffix, media] of [
    ['', { colorScheme: 'light' }],
    ['-dark', { colorScheme: 'dark' }],
    ['-print', { colorScheme: 'light', media: 'print' }],
  ] as const) {
    await page.emulateMedia(media);
    // Colors fade.
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${name}${suffix}.png`), fullPage: true });
  }
  await page.emulateMedia({ media: 'screen' });
}

test.each([
  ['wide', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
  ['zoomed', { width: 640, height: 450 }],
] as const)(
  'from the worklist: both are shown, one is checked and sent, the other stays (%s)',
  async (name, size) => {
    const page = await open(size);
    await page.getByRole('link', { name: 'Send several ready drafts together' }).click();
    const boxes = page.getByRole('checkbox', { name: /^I have read it: send/ });
    await boxes.first().waitFor();
    expect(await boxes.count()).toBe(2);
    await look(page, `ready-${name}`);
    await page.getByRole('checkbox', { name: /for Marisol June Tennyson$/ }).check();
    await page.getByRole('button', { name: 'Send the checked requests' }).click();
    await page.getByText(/\. Sent$/).waitFor();
    expect(await boxes.count()).toBe(1);
    expect(clinic.service.creates).toHaveLength(1);
    await look(page, `ready-sent-${name}`);
  },
  patience * 2,
);

test(
  'by keyboard alone',
  async () => {
    const page = await open({ width: 1280, height: 900 });
    await page.goto(`${scene.url}${scene.home}/ready`);
    const press = async (name: RegExp) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab');
        const text = String(
          await page.evaluate('(document.activeElement.labels?.[0] ?? document.activeElement).textContent'),
        );
        if (name.test(text)) return;
      }
      throw new Error(`not reached by Tab: ${name}`);
    };
    await press(/^I have read it/);
    await page.keyboard.press('Space');
    await press(/^Send the checked requests/);
    await page.keyboard.press('Enter');
    await page.getByText(/\. Sent$/).waitFor();
    expect(clinic.service.creates).toHaveLength(1);
  },
  patience * 2,
);
