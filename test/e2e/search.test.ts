import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { loadedCodes, usedInMemory } from '../web/code-tables.ts';
import { expectAccessible, expectAccessibleAlsoDark, patience, useBrowser } from './browser.ts';
import { type BrowserScene, openBrowserScene } from './scene-browser.ts';

/** SHOTS=<folder> keeps pictures. */
const shots = process.env.SHOTS;

let scene: BrowserScene;
const world = useBrowser(() => scene);

async function open(options = {}) {
  const used = usedInMemory();
  await used.note('valley', 'diagnosis', [{ key: 'M06.9', content: { code: 'M06.9' } }]);
  await used.note('valley', 'pharmacy', [
    {
      key: 'corner',
      content: {
        'pharmacy.name': 'Corner Pharmacy',
        'pharmacy.address.street': '5 Main St',
        'pharmacy.address.city': 'Bloomington',
        'pharmacy.address.state_province': 'IL',
        'pharmacy.address.zip_postal_code': '61701',
        'pharmacy.address.country': 'USA',
      },
    },
  ]);
  scene = await openBrowserScene('story-snomed-only', (deps) => ({ ...deps, codes: loadedCodes(), used }));
  const page = await scene.page(world.browser, options);
  page.setDefaultTimeout(patience);
  await page.goto(`${scene.url}${scene.home}/orders/${scene.order}`);
  return page;
}

const found = (page: Page) => page.locator('.combo-list:visible [role="option"]');

/** Goes down to the only option. A save that is answered just then closes the list, and the key opens it again. */
const markOnly = (page: Page) =>
  expect
    .poll(async () => {
      await page.keyboard.press('ArrowDown');
      return await found(page).evaluateAll((options) => options.map((one) => one.getAttribute('aria-selected')));
    })
    .toEqual(['true']);

describe('the search of diagnosis codes, while one types', { timeout: 2 * patience }, () => {
  test('is a combobox: arrows go through what was found, Enter takes it, Escape closes it', async () => {
    const page = await open();
    const field = page.getByRole('combobox', { name: /ICD-10-CM code/ });
    await field.focus();
    await found(page).first().waitFor();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.type('rheum');
    const options = found(page);
    await expect.poll(() => options.count()).toBe(3);
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await options.first().textContent()).toContain('M06.9');
    expect(await field.getAttribute('aria-activedescendant')).toBeNull();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await options.nth(1).getAttribute('id'));
    await expectAccessible(page);
    if (shots !== undefined) await page.screenshot({ path: `${shots}/combobox.png` });
    const second = (await options.nth(1).locator('strong').textContent()) ?? '';
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe(second);
    expect(await page.getByRole('listbox').count()).toBe(0);
    await page.keyboard.type(', crohn');
    await expect.poll(() => options.count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe(`${second}, crohn`);
    expect(await field.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => options.count()).toBe(1);
    await options.first().click();
    expect(await field.inputValue()).toBe(`${second}, K50.90`);
  });

  test('stays open while a save that was under way is answered', async () => {
    const page = await open();
    const field = page.getByRole('combobox', { name: /ICD-10-CM code/ });
    const options = found(page);
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const isSave = (request: Request) => request.method() === 'POST' && !request.url().includes('/find/');
    await page.route('**/*', async (route) => {
      if (isSave(route.request())) await held;
      await route.continue();
    });
    await field.focus();
    await page.keyboard.type('rheum');
    await expect.poll(() => options.count()).toBe(3);
    await page.keyboard.press('ArrowDown');
    const begun = page.waitForRequest(isSave);
    await page.keyboard.press('Enter');
    await begun;
    await page.keyboard.press('ArrowDown');
    await options.first().waitFor();
    const isSaved = page.waitForResponse((response) => isSave(response.request()));
    answer();
    await isSaved;
    await page.getByText(/^Saved /).waitFor();
    await options.first().click();
    expect(await page.getByRole('listbox').count()).toBe(0);
  });

  test('tells who cannot see it how much was found, and leaves what was typed where nothing was', async () => {
    const page = await open();
    const field = page.getByRole('combobox', { name: /ICD-10-CM code/ });
    await field.fill('');
    await field.focus();
    await page.keyboard.type('zebra');
    const status = page.locator('.combo:has(#diagnosis-codes) [role="status"]');
    await expect.poll(() => status.textContent()).toBe('No suggestions');
    await page.keyboard.press('Tab');
    expect((await field.inputValue()).toLowerCase()).toBe('zebra');
  });
});

describe('other fields', { timeout: 2 * patience }, () => {
  test('a closed list is searched by the beginnings of its words', async () => {
    const page = await open();
    const field = page.locator('[name="f.prescription.dose_form"]').first();
    await field.evaluate((input) => {
      for (let at = input.closest('details'); at !== null; at = at.parentElement?.closest('details') ?? null)
        at.open = true;
    });
    await field.fill('');
    await field.focus();
    await page.keyboard.type('vaginal t');
    await expect.poll(() => found(page).allTextContents()).toEqual(['vaginal tablet ']);
    await markOnly(page);
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('vaginal_tablet');
  });

  test('a pharmacy that is chosen fills name and address', async () => {
    const page = await open();
    const field = page.locator('[name="f.pharmacy.name"]');
    await field.evaluate((input) => {
      for (let at = input.closest('details'); at !== null; at = at.parentElement?.closest('details') ?? null)
        at.open = true;
    });
    await field.focus();
    await page.keyboard.type('corner');
    await expect.poll(() => found(page).count()).toBe(1);
    await markOnly(page);
    if (shots !== undefined) await page.screenshot({ path: `${shots}/pharmacy.png` });
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('Corner Pharmacy');
    expect(await page.locator('[name="f.pharmacy.address.street"]').inputValue()).toBe('5 Main St');
    expect(await page.locator('[name="f.pharmacy.address.state_province"]').inputValue()).toBe('IL');
  });
});

describe('the page of its own', { timeout: 2 * patience }, () => {
  test.each([
    ['light and dark', {}],
    ['phone', { viewport: { width: 390, height: 844 } }],
    ['narrow', { viewport: { width: 320, height: 640 } }],
  ])('works without a script and is accessible: %s', async (name, options) => {
    const page = await open({ ...options, javaScriptEnabled: name !== 'phone' });
    await page.getByRole('link', { name: 'Find a code' }).click();
    await page.getByLabel('Code or words').fill('m05');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('button', { name: 'Use M05.79' }).waitFor();
    if (shots !== undefined) await page.screenshot({ path: `${shots}/find-${name}.png`, fullPage: true });
    if (name !== 'phone') await expectAccessibleAlsoDark(page);
    const width = await page
      .locator('body')
      .evaluate((body) => body.scrollWidth - body.clientWidth)
      .catch(() => 0);
    expect(width).toBe(0);
    await page.getByRole('button', { name: 'Use M05.79' }).click();
    await page.waitForURL(/#section-diagnoses$/);
  });
});
