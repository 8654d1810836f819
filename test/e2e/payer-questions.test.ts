import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import type { CriterionRow } from '../../src/core/answers/criteria/words.ts';
import { expectAccessible, expectAccessibleAlsoDark, patience, useBrowser } from './browser.ts';
import { type BrowserScene, openBrowserScene } from './scene-browser.ts';

/** SHOTS=<folder> keeps pictures. */
const shots = process.env.SHOTS;

const criterion: CriterionRow = {
  payer: 'Harborlight Health Plan',
  drug: 'adalimumab',
  kind: 'initial',
  text: 'Tested for tuberculosis',
  condition: { word: 'test', says: { name: 'Tuberculosis screen' } },
  source: 'https://plan.example.org/criteria',
  readOn: '2026-10-05',
  readBy: 'Dana Whitfield, RN',
};

let scene: BrowserScene;
const world = useBrowser(() => scene);

async function open(options: BrowserContextOptions = {}, criteria: readonly CriterionRow[] = []) {
  scene = await openBrowserScene('story-complete', (deps) => ({
    ...deps,
    mappings: { ...deps.mappings, criteria: { valley: criteria } },
  }));
  const page = await scene.page(world.browser, options);
  page.setDefaultTimeout(patience);
  await page.goto(`${scene.url}${scene.home}/orders/${scene.order}`);
  await page.locator('#fold-answers').waitFor();
  return page;
}

const picture = async (page: Awaited<ReturnType<typeof open>>, name: string) =>
  shots === undefined ? undefined : await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });

test('by keyboard: the box is checked, a line is left out, and the last page shows what goes', {
  timeout: 3 * patience,
}, async () => {
  const page = await open();
  await picture(page, 'folded');
  await page.locator('#answers-go').focus();
  await page.keyboard.press('Space');
  await page.locator('#fold-answers > summary', { hasText: '11 answers are sent' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('answers-go');
  await page.locator('#fold-answers > summary').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel(/^leflunomide 20 MG; Take/).focus();
  await page.keyboard.press('Space');
  await page.locator('#fold-answers > summary', { hasText: '10 answers are sent · 1 not checked' }).waitFor();
  await expectAccessibleAlsoDark(page);
  await picture(page, 'open');
  await page.locator('#go-on').click();
  await page.getByRole('rowheader', { name: 'methotrexate 2.5 MG' }).waitFor();
  expect(await page.getByRole('rowheader', { name: 'leflunomide 20 MG' }).count()).toBe(0);
  await expectAccessible(page);
  await picture(page, 'confirm');
});

test('what a person types is saved while it is typed, and stays where it is', { timeout: 3 * patience }, async () => {
  const page = await open();
  await page.locator('#fold-answers > summary').click();
  const box = page.getByLabel('Why is this drug needed, and not another one?');
  await box.pressSequentially('Two drugs were tried.', { delay: 50 });
  const stored = () => [...scene.cases.all.values()][0]?.sheet?.statements?.[0]?.text;
  await expect.poll(stored, { timeout: patience }).toBe('Two drugs were tried.');
  await page.getByText(/^Stated by Riley Okafor, MA/).waitFor();
  expect(await box.inputValue()).toBe('Two drugs were tried.');
  await page.reload();
  expect(await box.inputValue()).toBe('Two drugs were tried.');
});

test.each([
  ['light and dark', {}],
  ['phone', { viewport: { width: 390, height: 844 } }],
])(
  'criteria and answers are accessible and no wider than the page: %s',
  {
    timeout: 3 * patience,
  },
  async (name, options) => {
    const page = await open(options, [criterion, { ...criterion, text: 'Tested again for tuberculosis' }]);
    await page.locator('#fold-answers > summary').click();
    await page.locator('#more-criteria > summary').click();
    await expectAccessibleAlsoDark(page);
    await picture(page, `criteria-${name}`);
    if (name !== 'phone') {
      await page.emulateMedia({ colorScheme: 'dark' });
      await picture(page, 'criteria-dark');
    }
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.locator('#answers-go').check();
    await page.locator('#fold-answers > summary', { hasText: 'answers are sent' }).waitFor();
    await page.goto(`${scene.url}${scene.home}/orders/${scene.order}/confirm`);
    await picture(page, `confirm-${name}`);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  },
);
