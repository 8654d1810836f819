import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fieldId } from '../../src/web/request/labels.ts';
import { patience, useBrowser } from './browser.ts';
import { type BrowserScene, openBrowserScene } from './scene-browser.ts';

// A field without a right value becomes a question, which stands elsewhere on the page: what is typed goes on there.

let scene: BrowserScene;
const world = useBrowser(() => scene);

// Safari has no `moveBefore`: there what is moved loses the focus.
const withoutMoveBefore = 'for (const one of [Element, Document, DocumentFragment]) delete one.prototype.moveBefore;';

async function open(section: string, script = ''): Promise<Page> {
  scene = await openBrowserScene('story-complete');
  const page = await scene.page(world.browser, { viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(patience);
  await page.addInitScript(script);
  await page.goto(`${scene.url}${scene.home}/orders/${scene.order}`);
  await page.locator(`#fold-section-${section} > summary`).click();
  return page;
}

/** As a person empties the field, or begins to type in it. */
async function begin(page: Page, id: string, letters: string): Promise<void> {
  const field = page.locator(`#${id}`);
  await field.focus();
  if (await field.evaluate((one) => one.matches('select'))) await field.selectOption('');
  else await field.fill('');
  // words that are searched by are saved once the field is left
  if (await field.evaluate((one) => one.matches('[data-find]'))) {
    await field.blur();
    await field.focus();
  }
  await page.keyboard.type(letters);
}

const fields = [
  ['text', 'patient', 'patient.address.city', '', 'Bloomington', 'Bloomington'],
  ['digits', 'prescriber', 'provider.npi', '', '2019990037', '2019990037'],
  ['a number', 'prescription', 'prescription.quantity', '', '30', '30'],
  ['a phone number', 'patient', 'patient.phone', '217-5', '55-0143', '217-555-0143'],
  ['a date', 'patient', 'patient.date_of_birth', '', '03041971', '1971-03-04'],
  ['a choice', 'patient', 'patient.address.state_province', '', 'IL', 'IL'],
  ['a field with a list', 'prescription', 'prescription.dispense_unit', '', 'Kit', 'Kit'],
  ['a field that searches', 'pharmacy', 'pharmacy.name', '', 'Corner Drug', 'Corner Drug'],
  [
    'a text of several lines',
    'prescription',
    'prescription.directions',
    '',
    'Inject 40 mg weekly',
    'Inject 40 mg weekly',
  ],
] as const;

for (const [browser, script] of [
  ['', ''],
  [', in a browser whose moved elements lose the focus', withoutMoveBefore],
] as const)
  test.each(fields)(`no letter is lost in %s that becomes a question${browser}`, async (...field) => {
    const [, section, target, before, typed, value] = field;
    const page = await open(section, script);
    const id = fieldId(target);
    await begin(page, id, before);
    await page.locator(`details.asked #${id}`).waitFor();
    // slower than a save comes back
    await page.keyboard.type(typed, { delay: 150 });
    expect(await page.locator(`#${id}`).inputValue()).toBe(value);
    expect(await page.evaluate('document.activeElement.id')).toBe(id);
    await page.keyboard.press('Tab');
    await page.locator(`details.asked.done #${id}`).waitFor({ state: 'attached' });
    expect(await page.locator(`#${id}`).inputValue()).toBe(value);
  });

test('the caret stays where it was between letters', async () => {
  const page = await open('patient', withoutMoveBefore);
  const id = fieldId('patient.phone');
  await begin(page, id, '217-5');
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowLeft');
  await page.locator(`details.asked #${id}`).waitFor();
  await page.keyboard.type('9');
  expect(await page.locator(`#${id}`).inputValue()).toBe('2197-5');
});
