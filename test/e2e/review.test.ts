import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { patience } from './browser.ts';
import { look } from './look.ts';
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

test('letters go on into a field that a save has made a question', async () => {
  const page = await review('norx-patient');
  await page.locator('#fold-section-patient > summary').click();
  const phone = page.locator('#field-patient-phone');
  await phone.fill('');
  await page.keyboard.type('217-5');
  await page.locator('details.asked #field-patient-phone').waitFor();
  await page.keyboard.type('55-0143');
  expect(await phone.inputValue()).toBe('217-555-0143');
  await page.locator('#fold-section-patient > summary', { hasText: '217-555-0143' }).waitFor();
});

test('technical details come in place: what is unfolded, the focus and the place on the page stay', async () => {
  const page = await review('norx-patient');
  await page.locator('#fold-section-patient > summary').click();
  expect(await page.locator('#fold-section-patient > summary').ariaSnapshot()).toMatch(/Hide Patient/);
  expect(await page.locator('#fold-section-prescription > summary').ariaSnapshot()).toMatch(/Edit Prescription/);
  const button = page.locator('#technical-switch');
  await button.focus();
  const at = (await button.boundingBox())?.y ?? 0;
  await button.press('Enter');
  await page.locator('#fold-section-patient').getByText('Patient.name[0]').first().waitFor({ state: 'attached' });
  expect(await page.locator('#fold-section-patient').getAttribute('open')).not.toBeNull();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('technical-switch');
  expect(Math.abs(((await button.boundingBox())?.y ?? 0) - at)).toBeLessThan(40);
  expect(await button.textContent()).toBe('Hide technical details');
});

test('what is typed and left while a save is under way stays, and is saved next', async () => {
  const page = await review('norx-patient');
  const answers = await heldUp(page, 'POST');
  await page.locator('#fold-section-patient > summary').click();
  const phone = page.locator('#field-patient-phone');
  await phone.fill('');
  await phone.pressSequentially('217-555-01');
  await answers.asked();
  await phone.pressSequentially('99');
  await page.keyboard.press('Tab');
  answers.letGo();
  await page.locator('#fold-section-patient > summary', { hasText: '217-555-0199' }).waitFor();
  expect(await phone.inputValue()).toBe('217-555-0199');
});

test('what is chosen while the page looks for a colleague’s changes does not wait for the look', async () => {
  const page = await review('complete-patient');
  const answers = await heldUp(page, 'GET');
  await page.locator('#fold-section-patient > summary').click();
  await answers.asked();
  await page.locator('#field-patient-phone').fill('217-555-0142');
  await page.locator('#fold-section-patient > summary', { hasText: '217-555-0142' }).waitFor();
  answers.letGo();
});

test('a date is saved when it is whole, not digit by digit', async () => {
  const page = await review('steptx-patient');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.postData() ?? '');
  });
  await page.locator('#fold-section-patient > summary').click();
  await page.locator('#field-patient-date_of_birth').focus();
  await page.keyboard.type('03041971', { delay: 50 });
  await page.locator('#fold-section-patient > summary', { hasText: 'Mar 4, 1971' }).waitFor();
  expect(sent.filter((body) => /=0\d{3}-/.test(body))).toEqual([]);
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

test('a button that is pressed while a save is under way replaces nothing of a colleague', async () => {
  const page = await review('norx-patient');
  const answers = await heldUp(page, 'POST');
  await page.locator('#fold-section-patient > summary').click();
  await page.locator('#field-patient-phone').fill('217-555-0171');
  await answers.asked();
  await page.locator('#field-patient-phone').fill('217-555-0172');
  await page.keyboard.press('Enter');
  answers.letGo();
  await page.locator('#fold-section-patient > summary', { hasText: '217-555-0172' }).waitFor();
  expect(await page.getByText('Changed in another window').count()).toBe(0);
});

test('what is typed after a button was pressed, while a save is under way, stays and is saved', async () => {
  const page = await review('norx-patient');
  const answers = await heldUp(page, 'POST');
  await page.locator('#fold-section-patient > summary').click();
  await page.locator('#field-patient-phone').fill('217-555-0181');
  await answers.asked();
  await page.locator('#field-patient-phone').press('Enter');
  await page.locator('#field-patient-phone').fill('217-555-0182');
  await page.keyboard.press('Tab');
  answers.letGo();
  await page.locator('#fold-section-patient > summary', { hasText: '217-555-0182' }).waitFor();
  expect(await page.locator('#field-patient-phone').inputValue()).toBe('217-555-0182');
});

test('a save that nobody answers is told and made again', async () => {
  const page = await review('complete-patient');
  await page.clock.install();
  const answers = await heldUp(page, 'POST');
  await page.locator('#fold-section-patient > summary').click();
  await page.locator('#field-patient-phone').fill('217-555-0161');
  await page.clock.runFor(2000);
  await answers.asked();
  await page.clock.runFor(20_000);
  await page.getByText('Not saving: the server cannot be reached.').waitFor();
  await page.unroute('**/orders/**');
  await page.clock.runFor(7000);
  await page.locator('#fold-section-patient > summary', { hasText: '217-555-0161' }).waitFor();
});

test('a save that htmx does not hear is made again', async () => {
  const page = await review('complete-patient');
  await page.clock.install();
  const hears = await page.evaluateHandle(() => {
    const state = { isDeaf: true };
    const stop = (event: Event) => state.isDeaf && event.stopImmediatePropagation();
    window.addEventListener('autosave', stop, { capture: true });
    return state;
  });
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await page.locator('#fold-section-patient > summary').click();
  await page.locator('#field-patient-phone').fill('217-555-0162');
  await page.clock.runFor(2000);
  expect(sent).toEqual([]);
  await hears.evaluate((state) => {
    state.isDeaf = false;
  });
  await page.clock.runFor(6000);
  await page.locator('#fold-section-patient > summary', { hasText: '217-555-0162' }).waitFor();
});

test('a reading that is answered is no wider than a phone', async () => {
  const page = await review('differ-patient', { width: 390, height: 844 });
  await page.getByRole('radio', { name: /^25 mg/ }).check();
  await page.locator('.asked.done').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test.each([
  ['wide', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
  ['zoomed', { width: 640, height: 450 }],
] as const)('a ready review, and one with questions, are accessible and fit (%s)', async (name, size) => {
  for (const patient of ['complete', 'gaps']) {
    const page = await review(`${patient}-patient`, size);
    await page.locator('#fold-answers').waitFor();
    await look(page, `review-${patient}-${name}`);
  }
});

/** The first request of this method is answered only when it is let go. */
async function heldUp(page: Page, method: string): Promise<{ asked(): Promise<unknown>; letGo(): void }> {
  let letGo = (): void => undefined;
  let isAsked = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  await page.route('**/orders/**', async (route) => {
    if (route.request().method() !== method) return route.continue();
    isAsked();
    await gate;
    await route.continue();
  });
  return { asked: () => asked, letGo };
}

async function review(patient: string, viewport = { width: 1280, height: 900 }): Promise<Page> {
  const context = await world.browser.newContext({ viewport });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  await page.goto(`${world.sandbox.ehr.url}/patients/${patient}`);
  await page.getByText('Start prior authorization').first().click();
  // The page that stands there while a slow EHR is asked comes back by itself: what holds it up holds up the review.
  await page.locator('#review').waitFor();
  await page.waitForLoadState();
  return page;
}
