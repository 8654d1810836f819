import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';

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

/** Closes every page of the browser, with its cookies: the next test begins in a new one. */
export async function closePages(): Promise<void> {
  const browser = await running;
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

/** How long a page may take for anything: a browser on a busy machine answers late. */
export const patience = 60_000;

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** No violation of WCAG 2.2 AA or of axe's best practices on the page, once what is under way on it has ended. */
export async function expectAccessible(page: Page | Frame): Promise<void> {
  await expectNoViolation(page, { type: 'tag', values: rules });
}

/** The same on a light page, and enough contrast once it is dark: nothing else that is looked for hangs on colors. */
export async function expectAccessibleAlsoDark(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolation(page, { type: 'rule', values: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light' });
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
