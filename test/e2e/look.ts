import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessibleAlsoDark } from './browser.ts';

/** Where pictures are kept; none are where PICTURES names no folder. */
const folder = process.env.PICTURES;

const media = [
  ['', { colorScheme: 'light', media: 'screen' }],
  ['-dark', { colorScheme: 'dark', media: 'screen' }],
  ['-print', { colorScheme: 'light', media: 'print' }],
] as const;

/** Accessible, light and dark, and no wider than its window; PICTURES keeps it light, dark and on paper. */
export async function look(page: Page, name: string): Promise<void> {
  await expectAccessibleAlsoDark(page);
  await expectFits(page);
  await expectNoControlsOnPaper(page);
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const [suffix, options] of media) {
    await page.emulateMedia(options);
    // Colors fade.
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${name}${suffix}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
}

/** Paper has nothing that only a screen can do: no button, no file to choose, no way to a preview. */
async function expectNoControlsOnPaper(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', media: 'print' });
  const left = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        ':is(button, .button, summary.button, input[type="submit"], input[type="file"], .preview, .find-link a)',
      ),
    ]
      .filter((one) => one.checkVisibility())
      .map((one) => one.innerText.trim() || one.outerHTML.slice(0, 120)),
  );
  expect(left).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
}

/** Nothing scrolls sideways: the page, nor a part of it that could. */
export async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(
    await page.evaluate(
      `[...document.querySelectorAll('main *')].filter((one) => one.scrollWidth > one.clientWidth + 1 && ` +
        `['auto', 'scroll'].includes(getComputedStyle(one).overflowX)).map(({ className }) => className)`,
    ),
  ).toEqual([]);
}

/** Presses Tab until what has the focus, or its label, is named so. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const named = String(
      await page.evaluate('(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()'),
    );
    if (typeof name === 'string' ? named === name : name.test(named)) return;
  }
  throw new Error(`not reached by Tab: ${name}`);
}
