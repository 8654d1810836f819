import type { DocumentReference } from 'fhir/r4.js';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Sandbox } from '../../src/dev/sandbox/index.ts';
import { expectAccessible } from './browser.ts';

/**
 * On the page of an approved request, on a phone: its letter is taken back by keyboard, on a page that asks once more
 * and from which one can go back.
 */
export async function takeLetterBack(page: Page, sandbox: Sandbox): Promise<void> {
  const statusOf = (reference: string) => (sandbox.ehr.peek(reference) as DocumentReference | undefined)?.status;
  await page.setViewportSize({ width: 390, height: 844 });
  const link = page.getByRole('link', { name: /This document is wrong.*Summary/s });
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
}
