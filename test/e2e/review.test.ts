import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { patience } from './browser.ts';
import { useSandbox } from './sandbox.ts';

const world = useSandbox('review');

test('what is typed is saved while it is typed, with the focus and every letter where they are', async () => {
  const page = await review('norx-patient');
  await page.locator('#fold-section-patient > summary').click();
  const phone = page.locator('#field-patient-phone');
  await phone.fill('');
  // Slower than the first save comes back, so that letters follow it.
  await phone.pressSequentially('217-555-0199', { delay: 200 });
  await page.locator('#fold-section-patient > summary', { hasText: '217-555-0199' }).waitFor();
  expect(await phone.inputValue()).toBe('217-555-0199');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-patient-phone');
  await page.reload();
  await page.locator('#fold-section-patient > summary', { hasText: '217-555-0199' }).waitFor();
});

test('another coverage changes its fields at once', async () => {
  const page = await review('twocov-patient');
  await page.locator('#fold-section-insurance > summary').click();
  const member = page.locator('#field-insurance_content-member_number');
  const before = await member.inputValue();
  await page.locator('input[name="coverage"]:not(:checked)').check();
  await expect.poll(() => member.inputValue()).not.toBe(before);
  expect(await page.locator('#fold-section-insurance').getAttribute('open')).not.toBeNull();
});

test('while the server is away the page says that it is not saving, and saves once it answers', async () => {
  const page = await review('complete-patient');
  await page.route('**/orders/**', (route) => route.abort());
  await page.locator('#fold-section-patient > summary').click();
  await page.locator('#field-patient-phone').fill('217-555-0123');
  await page.getByText('Not saving: the server cannot be reached.').waitFor();
  await page.unroute('**/orders/**');
  await page.locator('#fold-section-patient > summary', { hasText: '217-555-0123' }).waitFor();
  await expect.poll(() => page.locator('#away').isVisible()).toBe(false);
});

async function review(patient: string): Promise<Page> {
  const context = await world.browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  await page.goto(`${world.sandbox.ehr.url}/patients/${patient}`);
  await page.getByText('Start prior authorization').first().click();
  await page.waitForURL((url) => url.href.startsWith(`${world.sandbox.bridge.url}/app/`));
  return page;
}
