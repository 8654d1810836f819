import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { now } from '../web/support.ts';
import { closePages, openBrowser, patience } from './browser.ts';
import { type BrowserScene, openBrowserScene } from './scene-browser.ts';

let browser: Browser;
let scene: BrowserScene;
let page: Page;
/** Forms of the review that the bridge got. */
let posted: number;

beforeAll(async () => {
  browser = await openBrowser();
}, patience);
afterEach(closePages);

beforeEach(async () => {
  posted = 0;
  scene = await openBrowserScene('story-complete');
  scene.app.server.on('request', ({ method }) => {
    if (method === 'POST') posted += 1;
  });
  page = await scene.page(browser);
  page.setDefaultTimeout(patience);
  // The page's own time stands still: nothing is saved because a second has passed.
  await page.clock.install({ time: now });
  await page.goto(`${scene.url}${scene.home}/orders/${scene.order}`);
}, patience);
afterEach(async () => {
  await page?.context().close();
  await scene?.app.close();
});

const fax = () => page.locator('[name="f.provider.fax"]');

async function type(text: string): Promise<void> {
  await fax().evaluate((field) => {
    for (let fold = field.closest('details'); fold !== null; fold = fold.parentElement?.closest('details') ?? null)
      fold.open = true;
  });
  await fax().focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

const entered = () => [...scene.cases.all.values()][0]?.edits['provider.fax'];

test.each([
  ['another page', () => page.goto(`${scene.url}/sign-in`)],
  ['a closed window', () => page.close({ runBeforeUnload: true })],
] as const)('what was typed a moment before leaving for %s is sent and kept', async (_name, leave) => {
  await type('2175550133');
  expect(posted).toBe(0);
  await leave();
  // A browser that closes a window may end the field first, which saves, and then the page: the same is kept twice.
  await eventually(() => expect(entered()).toBe('2175550133'));
});

test('who leaves a page that was only read sends nothing', async () => {
  const before = scene.cases.all.size;
  await page.goto(`${scene.url}/sign-in`);
  await page.goto(`${scene.url}${scene.home}/orders/${scene.order}`);
  expect(posted).toBe(0);
  expect(scene.cases.all.size).toBe(before);
});
