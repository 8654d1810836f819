import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Page,
} from 'playwright-core';
import { afterEach, beforeAll, expect, inject, type TestContext } from 'vitest';
import { formFaults } from '../support/form-faults.ts';

const require = createRequire(import.meta.url);
let running: Promise<Browser> | undefined;

/**
 * The one browser of this process, a real Chromium. Rejects when it does not run: the story is never skipped. It ends
 * with the process, and each test closes what it opened there with `closePages`.
 */
export async function openBrowser(): Promise<Browser> {
  running ??= chromium.launch(inject('chromium'));
  return await running;
}

/** Opens it before the tests of the file that calls this; after each, its pages and the scene are closed. */
export function useBrowser(scene: () => { readonly app: { close(): Promise<unknown> } } | undefined): {
  readonly browser: Browser;
} {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, patience);
  afterEach(() => scene()?.app.close());
  afterEach(closePages);
  return {
    get browser() {
      return browser;
    },
  };
}

/** A page of its own context, and what went wrong in it. */
export interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of its console and of its scripts. */
  readonly problems: string[];
}

export async function openTab(options: BrowserContextOptions = {}): Promise<Tab> {
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return { context, page, problems };
}

/**
 * Closes every page of the browser, with its cookies: the next test begins in a new one. A failed test says first what
 * they stood at.
 */
export async function closePages(ended?: Pick<TestContext, 'task'>): Promise<void> {
  if (ended?.task.result?.state === 'fail') process.stderr.write(`${await openPages()}\n`);
  const browser = await running;
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

/**
 * What the pages of a failed test stood at: address, what has the focus, the last requests, and the
 * beginning of what is to be read there. A page that does not answer within five seconds says so.
 */
async function openPages(): Promise<string> {
  const pages = ((await running)?.contexts() ?? []).flatMap((context) => context.pages());
  const told = pages.map(async (page) => {
    const state = page.evaluate(() => ({
      focus: document.activeElement?.id,
      isHidden: document.hidden,
      requests: performance
        .getEntriesByType('resource')
        .slice(-5)
        .map(({ name, duration }) => `${name} ${duration}`),
      text: document.body.innerText.slice(0, 1000),
    }));
    const late = new Promise((resolve) => setTimeout(resolve, 5000, 'does not answer'));
    return `${page.url()}: ${JSON.stringify(await Promise.race([state.catch(String), late]), undefined, 2)}`;
  });
  return (await Promise.all(told)).join('\n');
}

/** How long a page may take for anything: a browser on a busy machine answers late. */
export const patience = 60_000;

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * No violation of WCAG 2.2 AA or of axe's best practices on the page, once what is under way on it has ended; and its
 * forms say what is required and what is wrong.
 */
export async function expectAccessible(page: Page | Frame): Promise<void> {
  await expectNoViolation(page, { type: 'tag', values: rules });
  expect(formFaults(await page.content())).toEqual([]);
}

/** The same on a light page, and enough contrast once it is dark: nothing else that is looked for hangs on colors. */
export async function expectAccessibleAlsoDark(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolation(page, { type: 'rule', values: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** What is drawn as the way on, as the reader sees it: a page has one at most. */
export async function waysOn(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    const probe = document.createElement('a');
    probe.className = 'button go';
    document.body.append(probe);
    const { backgroundColor: filled } = getComputedStyle(probe);
    probe.remove();
    return [...document.querySelectorAll<HTMLElement>('main :is(button, a)')]
      .filter((one) => one.checkVisibility() && getComputedStyle(one).backgroundColor === filled)
      .map(({ innerText }) => innerText.trim());
  });
}

async function expectNoViolation(page: Page | Frame, runOnly: { type: string; values: string[] }): Promise<void> {
  const violations = async () => {
    await page.waitForLoadState();
    await page.evaluate(axe);
    const options = { runOnly, resultTypes: ['violations'] };
    return await page.evaluate(
      `axe.run(document, ${JSON.stringify(options)}).then((result) => result.violations.map((one) => ` +
        `one.id + ': ' + one.nodes.map((node) => node.html.slice(0, 200)).join(' | ')))`,
    );
  };
  await expect.poll(violations).toEqual([]);
}
