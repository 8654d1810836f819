import type { Task } from 'fhir/r4.js';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAlsoDark, openTab } from './browser.ts';
import { useSandbox } from './sandbox.ts';

const world = useSandbox('benefits', { service: { profile: 'current', prescription: 'named' } });

test('benefits are verified from the chart, answered, in the chart, and lead to the prior authorization', async () => {
  const { page, problems } = await openTab();
  await page.goto(`${world.sandbox.ehr.url}/patients/complete-patient`);
  await page.getByText('Start prior authorization').first().click();
  await page.waitForURL(/\/orders\//);
  await page.getByRole('link', { name: 'Orders' }).click();
  await page
    .getByRole('link', { name: /^Verify benefits/ })
    .first()
    .click();
  await page.locator('hgroup', { hasText: 'Review the benefit verification' }).waitFor();
  await expectAccessibleAlsoDark(page);

  await page.locator('#fold-section-plan > summary').click();
  await page.getByLabel('Ask who pays for the plan').selectOption('Yes');
  await page.getByRole('button', { name: 'Review and send' }).click();
  await page.waitForURL(/\/benefits\/confirm$/);
  await expect.poll(() => page.locator('#goes-line-plan').textContent()).toContain('Asked');
  await expectAccessible(page);

  await page.getByRole('button', { name: /^Send for / }).click();
  await page.waitForURL(/\/cases\//);
  await page.locator('#standing', { hasText: 'Benefits being verified' }).waitFor();
  expect(await page.locator('main').textContent()).not.toMatch(/Copay|Covered/);
  const id = (await page.locator('dd', { hasText: /^bv_/ }).textContent()) ?? '';
  await world.sandbox.service.step(id);
  await page.locator('#standing', { hasText: 'Covered: prior authorization required' }).waitFor();
  await page.locator('#status:not([hx-get])').waitFor();
  await expect.poll(() => page.locator('#status').textContent()).toMatch(/Copay\$35\.00 for 30 days/);
  await expect.poll(() => page.locator('#status').textContent()).toMatch(/Plan paid byCommercial/);
  await expectAccessibleAlsoDark(page);
  expect(await taskOf(page)).toMatchObject({
    status: 'completed',
    code: { text: 'Benefit verification' },
    businessStatus: { text: 'Covered: prior authorization required' },
  });

  await page.getByRole('link', { name: 'Start the prior authorization' }).click();
  await page.locator('hgroup', { hasText: 'Review the prior authorization' }).waitFor();
  await page.goto(`${world.sandbox.service.url}/benefit-verifications/${id}`);
  await expectAccessible(page);
  expect(problems).toEqual([]);
});

test('a pending verification is canceled, and the worklist says what kind of request it is', async () => {
  const { page, problems } = await openTab();
  await page.goto(`${world.sandbox.ehr.url}/patients/contained-patient`);
  await page.getByText('Start prior authorization').first().click();
  // The page that says whose chart is read has the same address, and goes on by itself.
  await page.locator('hgroup', { hasText: 'Review the prior authorization' }).waitFor();
  await page.goto(`${page.url().replace(/[?#].*/, '')}/benefits`);
  await page.getByRole('button', { name: 'Review and send' }).click();
  await page.waitForURL(/\/benefits\/confirm$/);
  await page.getByRole('button', { name: /^Send for / }).click();
  await page.waitForURL(/\/cases\//);
  await page.locator('#standing', { hasText: 'Benefits being verified' }).waitFor();
  const here = page.url();
  await page.getByRole('link', { name: 'Worklist' }).click();
  await page.getByRole('link', { name: /^Waiting on others/ }).click();
  await page.locator('.kind', { hasText: 'Benefit verification' }).first().waitFor();
  await page.goto(here);
  await page.getByText('Cancel this request').first().click();
  await page.getByLabel('Reason').selectOption('Sent by mistake');
  await page.getByRole('button', { name: /^Cancel this request/ }).click();
  await page.locator('#standing', { hasText: 'Canceled' }).waitFor();
  expect(problems).toEqual([]);
});

/** The Task that the case page names, as the EHR holds it. */
async function taskOf(page: Page): Promise<Task> {
  const reference = await page.locator('code', { hasText: /^Task\// }).textContent();
  const resource = world.sandbox.ehr.peek(reference ?? '');
  if (resource?.resourceType !== 'Task') throw new Error('the EHR has no such Task');
  return resource as Task; // resourceType was just compared
}
