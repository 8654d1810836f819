import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { patience } from './browser.ts';
import { useSandbox } from './sandbox.ts';

// Two whole ways without a mouse: every press is Tab, Enter, Space, an arrow or a letter.

const world = useSandbox('keyboard');

/** Presses Tab until what has the focus is named so; what comes to have the focus on the way has a name itself. */
async function tabTo(page: Page, name: string | RegExp, most = 120): Promise<void> {
  const isThere = (said: string) => (typeof name === 'string' ? said === name : name.test(said));
  const passed: string[] = [];
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    const said = await focusedName(page);
    if (isThere(said)) return;
    passed.push(said);
  }
  throw new Error(`not reached by Tab: ${String(name)}; passed: ${passed.join(' | ')}`);
}

/** As assistive technology is told: the accessible name of what has the focus. */
async function focusedName(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  try {
    const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement' });
    const { nodes } = await session.send('Accessibility.getPartialAXTree', {
      ...(result.objectId === undefined ? {} : { objectId: result.objectId }),
      fetchRelatives: false,
    });
    const name = String(nodes[0]?.name?.value ?? '');
    const role = String(nodes[0]?.role?.value ?? '');
    // Behind the last one Tab comes to the page itself.
    const isPage = await page.evaluate(() => document.activeElement === document.body);
    if (!isPage) expect(name, `a ${role} without a name`).not.toBe('');
    return name;
  } finally {
    await session.detach();
  }
}

async function launch(patient: string): Promise<Page> {
  const context = await world.browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  await page.goto(`${world.sandbox.ehr.url}/patients/${patient}`);
  await tabTo(page, /^Start prior authorization/);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.href.startsWith(`${world.sandbox.bridge.url}/app/`));
  await page.locator('#verdict').waitFor();
  return page;
}

test('a prior authorization is reviewed, sent and looked at', async () => {
  const page = await launch('complete-patient');
  await tabTo(page, /^Review and send/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /^Check and send/ }).waitFor();
  await tabTo(page, /^Send for /);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Received' }).waitFor();
  await tabTo(page, /^What was sent/);
  await page.keyboard.press('Enter');
  await page.locator('#sent[open]').waitFor();
});

test('an enrollment is filled, its consent recorded, and submitted', async () => {
  const page = await launch('steptx-patient');
  await tabTo(page, 'Orders');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/orders$/);
  await tabTo(page, /^Enroll in a program/);
  await page.keyboard.press('Enter');
  await page.locator('#section-consent').waitFor();
  await tabTo(page, 'Given by (required)');
  await page.keyboard.type('the patient');
  await page.keyboard.press('Tab');
  await page.keyboard.type('11202026');
  // A save that answers meanwhile leaves the focus where it is.
  await tabTo(page, 'Recorded as (required)', 3);
  await page.keyboard.type('Signed');
  await tabTo(page, 'Attach a scan of the signed consent');
  await expect.poll(() => page.locator('#verdict h2').textContent()).toMatch(/^Ready/);
  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /^Check and send the enrollment/ }).waitFor();
  await tabTo(page, /^Send for /);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Submitted to the program' }).waitFor();
});
