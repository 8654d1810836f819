import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessibleAlsoDark, patience, waysOn } from './browser.ts';
import { useSandbox } from './sandbox.ts';

// One request through the hands of a prescriber and a manager: who is signed in, what they wrote to each other, what
// each may do, and what is left open at the end.

const world = useSandbox('session', { service: { profile: 'current', prescription: 'named' } });

/** SHOTS=<folder> keeps pictures. */
const shots = process.env.SHOTS;

/** Looks at a page as everybody may have it: one way on, accessible also in the dark, and no wider than a phone. */
async function look(page: Page, name: string, way: readonly string[]): Promise<void> {
  expect([name, await waysOn(page)]).toEqual([name, way]);
  await expectAccessibleAlsoDark(page);
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
  await page.setViewportSize({ width: 390, height: 844 });
  expect([name, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([name, 390]);
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}-phone.png` });
  await page.setViewportSize({ width: 1280, height: 900 });
}

async function newPage(): Promise<Page> {
  const context = await world.browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(patience);
  return await context.newPage();
}

async function openChart(page: Page): Promise<void> {
  await page.goto(`${world.sandbox.ehr.url}/patients/complete-patient`);
  await page
    .getByRole('button', { name: /Start prior authorization/ })
    .first()
    .click();
  await page.locator('.bar .signed-in').waitFor();
}

test('a request passes from one person to another, and nothing of it stays open after the end', {
  timeout: 8 * patience,
}, async () => {
  const { sandbox } = world;
  const page = await newPage();
  const text = 'Has the patient tried and failed methotrexate?';
  sandbox.service.switches.set({ switch: 'payer-asks', value: { text, channels: ['fax'] } });
  await openChart(page);
  await page.getByText('Write a note for colleagues').click();
  await page.getByLabel('New note').fill('The plan wants the newest lab.');
  const home = /^.*\/app\/[^/]+/.exec(page.url())?.[0] ?? '';
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByRole('link', { name: '1 note for colleagues' }).waitFor();
  expect(await page.locator('.bar .signed-in').innerText()).toContain('Adwoa Osei-Brandt');
  await look(page, 'review-with-note', ['Review and send F8']);
  await page.getByRole('button', { name: 'Review and send' }).click();
  await page.getByRole('button', { name: /^Send for / }).click();
  await page.locator('#standing', { hasText: 'Received' }).waitFor();
  const request = page.url();
  const id = (await page.locator('dd', { hasText: /^pa_/ }).textContent()) ?? '';
  await page.goto(`${home}/ready`);
  await page.getByText('Sent by Adwoa Osei-Brandt').waitFor();
  await look(page, 'ready-sent', []);
  await page.goto(request);
  for (let status: string | undefined; status !== 'awaiting_provider_response'; )
    status = await sandbox.service.step(id);
  await page.locator('#question-news', { hasText: 'have changed' }).waitFor();
  await page.reload();
  await page.getByText('The plan wants the newest lab.').waitFor();
  await look(page, 'question', ['Send the reply']);

  const manager = await newPage();
  await manager.goto(sandbox.bridge.url);
  await manager
    .getByRole('link', { name: /^Sign in/ })
    .first()
    .click();
  await manager.getByRole('link', { name: /Marcus Ellery/ }).click();
  await manager.getByLabel('Name, MRN, member ID, drug, payer, prescriber or request ID').fill('Humira');
  await manager.getByRole('button', { name: 'Search' }).click();
  await look(manager, 'found-by-brand', []);
  await manager.getByRole('link', { name: 'Marisol June Tennyson' }).click();
  await manager.getByText('The plan wants the newest lab.').waitFor();
  expect(await manager.locator('.bar .signed-in').innerText()).toContain('Marcus Ellery');
  await manager.getByText('You are a manager here').waitFor();
  await look(manager, 'line-of-a-manager', []);

  await page.getByRole('button', { name: 'Send the reply' }).click();
  await page.locator('#replied:focus').waitFor();
  await page.getByRole('status').filter({ hasText: 'Your reply was sent.' }).waitFor();
  await page.locator('#standing', { hasText: 'Reply sent' }).waitFor();
  await look(page, 'replied', []);

  await openChart(page);
  expect(page.url()).not.toContain(home);
  await page.getByRole('link', { name: 'Worklist' }).click();
  await page.getByRole('button', { name: 'End session' }).click();
  await page.getByText('Every chart and worklist that you had open in this browser is closed.').waitFor();
  await look(page, 'ended', []);
  await page.goto(request);
  expect(await page.locator('body').innerText()).not.toContain('Marisol');
  await manager.reload();
  await manager.getByText('You are a manager here').waitFor();
});
