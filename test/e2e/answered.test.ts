import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessibleAlsoDark, patience, useBrowser } from './browser.ts';
import { type BrowserScene, openBrowserScene } from './scene-browser.ts';

let scene: BrowserScene;
const world = useBrowser(() => scene);

const strength = '#asked-field-prescription-strength';
const isFolded = (page: Page, id: string) => page.locator(id).evaluate((one) => !(one as HTMLDetailsElement).open);

async function open(story = 'story-sources-differ'): Promise<Page> {
  scene = await openBrowserScene(story);
  const page = await scene.page(world.browser, { viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(patience);
  await page.goto(`${scene.url}${scene.home}/orders/${scene.order}`);
  return page;
}

test('an answered question folds once a person goes on, and a key or click unfolds it for good', async () => {
  const page = await open();
  await page.locator(`${strength} input[type="radio"][value="25 mg"]`).check();
  await page.locator(`${strength}.done`).waitFor();
  expect(await isFolded(page, strength)).toBe(false);
  await page.keyboard.press('F8');
  await expect.poll(() => isFolded(page, strength)).toBe(true);
  await expectAccessibleAlsoDark(page);

  await page.locator(`${strength} > summary`).focus();
  await page.keyboard.press('Enter');
  await page.locator('#title').click();
  expect(await isFolded(page, strength)).toBe(false);
  expect(await page.locator(`${strength} input[type="radio"][value="25 mg"]`).isChecked()).toBe(true);
});

test('an answer that is cleared opens its question again', async () => {
  const page = await open();
  await page.locator(`${strength} input[type="radio"][value="25 mg"]`).check();
  await page.locator(`${strength}.done`).waitFor();
  await page.locator('#title').click();
  await expect.poll(() => isFolded(page, strength)).toBe(true);
  await page.locator(`${strength} > summary`).click();
  await page.locator(`${strength} [name="reset"]`).click();
  await page.locator(`${strength}:not(.done)`).waitFor();
  expect(await isFolded(page, strength)).toBe(false);
});

test('an answered question stays folded when the page is opened again, with who and when', async () => {
  const page = await open();
  await page.locator(`${strength} input[type="radio"][value="25 mg"]`).check();
  await page.locator(`${strength}.done`).waitFor();
  await page.reload();
  await page.locator(`${strength}.done > summary`, { hasText: /25 mg.*Answered by .*, Nov 21, 2026/ }).waitFor();
  expect(await isFolded(page, strength)).toBe(true);
  await page.locator(`${strength} > summary`).click();
  expect(await page.locator(`${strength} input[type="radio"][value="25 mg"]`).isChecked()).toBe(true);
});

test('Tab behind an answer leads to the next question, also where its own place is gone', async () => {
  const page = await open('story-many-gaps');
  const [first, second] = await page.locator('.asked').evaluateAll((all) => all.map(({ id }) => id));
  await page.keyboard.press('F8');
  await page.keyboard.type('7');
  await page.keyboard.press('Tab');
  await page.locator(`#${first}.done`).waitFor();
  const at = () => page.evaluate('document.activeElement.closest("details.asked")?.id');
  await expect.poll(at).toBe(second);
  expect(await page.evaluate('document.activeElement.matches("input")')).toBe(true);
});
