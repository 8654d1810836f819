import type { DocumentReference, Task } from 'fhir/r4.js';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, openTab } from './browser.ts';
import { useSandbox } from './sandbox.ts';
import { takeLetterBack } from './wrong-letter.ts';

const world = useSandbox('story');

test('from chart to chart: launch, fill a gap, send, follow, find Task and letter, take it back [G16]', async () => {
  const { page, problems } = await openTab();
  await page.goto(`${world.sandbox.ehr.url}/`);
  await expectAccessible(page);
  await page.goto(`${world.sandbox.ehr.url}/patients/snomed-patient`);
  await expectAccessible(page);
  await startLaunch(page);

  await expect.poll(() => page.locator('hgroup .sub').textContent()).toContain('Review the prior authorization');
  await expect.poll(() => page.locator('.patient').textContent()).toContain('Wendell Okafor-Smith');
  await expect.poll(() => page.locator('#verdict h2').textContent()).toBe('1 answer needed');
  await expectAccessible(page);

  // The way to the gap: the link of the verdict leads to where it is asked for.
  await page.locator('#verdict a').first().click();
  await expect.poll(() => new URL(page.url()).hash).toBe('#section-diagnoses');
  await page.getByLabel('ICD-10-CM code', { exact: true }).fill('e66.01');
  await page.getByRole('button', { name: 'Review and send' }).click();
  await expect.poll(() => page.locator('.who').textContent()).toMatch(/Wendell Okafor-Smith.*born Jul 8, 1986/);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Send for Wendell Okafor-Smith' }).click();
  await page.waitForURL(/\/cases\//);
  await expectAccessible(page);
  const serviceId = await page.locator('dd', { hasText: /^pa_/ }).textContent();
  const standing = page.locator('#standing');

  await page.getByRole('heading', { name: 'What was sent' }).click();
  await expect
    .poll(() => page.locator('#sent').textContent())
    .toMatch(/Diagnosis 1E66\.01 Morbid \(severe\) obesity due to excess caloriesEntered by a person/);
  await expectAccessible(page);

  await follow(page, 'Received');
  await expect
    .poll(() => taskOf(page))
    .toMatchObject({ status: 'received', for: { reference: 'Patient/snomed-patient' } });
  for (const status of ['Your review is needed', 'With the payer', 'Checking the payer’s answer']) {
    await stepTo(serviceId ?? '', status, page);
    expect(await page.content()).not.toContain('Approved');
  }
  expect((await taskOf(page)).output ?? []).toEqual([]);
  await expectAccessible(page);

  await stepTo(serviceId ?? '', 'Approved', page);
  await expect.poll(() => page.locator('#announce').textContent()).toContain('Approved');
  await page.locator('#status:not([hx-get])').waitFor();
  await expect
    .poll(() => page.locator('section[aria-labelledby="written"]').textContent())
    .toMatch(/Summary.*in the chart.*Task in the chart.*in the chart/s);
  await expect.poll(() => standing.textContent()).toMatch(/^Approved through [A-Z][a-z]{2} \d+, \d{4}$/);
  // The four steps are behind it, and the request can be printed.
  await expect
    .poll(() => page.getByRole('list', { name: 'Where the request is' }).getByRole('listitem').count())
    .toBe(4);
  expect(await page.locator('ol.steps .later').count()).toBe(0);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Print or save as PDF' }).click();
  expect((await download).suggestedFilename()).toBe(`request-${serviceId}.pdf`);
  await expectAccessible(page);
  const task = await taskOf(page);
  const request = page.url();

  await page.goto(`${world.sandbox.ehr.url}/patients/snomed-patient`);
  const chart = (await page.locator('main').textContent()) ?? '';
  expect(chart).toContain('completed');
  expect(chart).toContain('Outcome: Approved');
  await expectAccessible(page);
  expect(task).toMatchObject({ status: 'completed', businessStatus: { text: 'Approved' } });
  const letter = documentsOf(task)[0];
  expect(letter).toMatchObject({ resourceType: 'DocumentReference', subject: { reference: 'Patient/snomed-patient' } });
  expect(
    Buffer.from(letter?.content[0]?.attachment.data ?? '', 'base64')
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');

  await page.goto(request);
  await takeLetterBack(page, world.sandbox);
  expect(problems).toEqual([]);
});

test.each(['light', 'dark'] as const)(
  'the pages of both sandboxes are accessible (%s), also on a phone',
  async (look) => {
    const { page, problems } = await openTab({ colorScheme: look, reducedMotion: 'reduce' });
    for (const address of [
      `${world.sandbox.ehr.url}/`,
      `${world.sandbox.ehr.url}/patients/long-patient`,
      `${world.sandbox.ehr.url}/sandbox/faults`,
      `${world.sandbox.service.url}/`,
      `${world.sandbox.service.url}/sandbox/faults`,
    ]) {
      await page.goto(address);
      await expectAccessible(page);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    for (const { url } of [world.sandbox.ehr, world.sandbox.service]) {
      await page.goto(`${url}/sandbox/faults`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    }
    expect(problems).toEqual([]);
  },
);

test('a fault is turned on and off on its page, by its buttons', async () => {
  const { page } = await openTab();
  await page.goto(`${world.sandbox.ehr.url}/sandbox/faults`);
  await page.getByRole('button', { name: 'Turn on hide-patient' }).click();
  await page.getByRole('button', { name: 'Turn off hide-patient' }).waitFor();
  expect(world.sandbox.ehr.switches.standing()).toMatchObject([{ switch: 'hide-patient', value: true }]);
  await page.getByRole('button', { name: 'Turn off hide-patient' }).click();
  await page.getByText('Everything works as it should.').waitFor();
  expect(world.sandbox.ehr.switches.standing()).toEqual([]);
});

test('inside a frame of the EHR the bridge keeps its session, its entries and its patient', async () => {
  const { page, problems } = await openTab();
  await page.goto(`${world.sandbox.ehr.url}/patients/norx-patient/frame/norx-order`);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('heading', { level: 1 }).waitFor();
  // The EHR's own header names the patient here, and its token answer says so (need_patient_banner).
  await expect.poll(() => page.locator('body').textContent()).toContain('Desmond Applewhite');
  expect(await frame.locator('.patient').count()).toBe(0);
  await frame.locator('#fold-section-insurance > summary').click();
  await frame.getByLabel('RxBIN').fill('004999');
  await frame.getByText(/^Saved \d/).waitFor();
  await frame.locator('#fold-section-insurance > summary', { hasText: 'RxBIN 004999' }).waitFor();
  await expect.poll(() => frame.getByLabel('RxBIN').inputValue()).toBe('004999');
  await expect
    .poll(() => frame.locator('#field-insurance_content-rx_bin ~ .source').textContent())
    .toContain('Entered by Joram Wexley MD');
  const inner = page.frames().find((one) => one.url().startsWith(world.sandbox.bridge.url));
  await expectAccessible(inner ?? page.mainFrame());
  expect(problems).toEqual([]);
});

test('a browser that keeps no cookie in a frame is offered a window of its own, and it works there [C09]', async () => {
  const { page, context } = await openTab();
  await page.route('**/launch?*', async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 });
    await context.clearCookies({ name: /^__Host-bridge-/ });
    await route.fulfill({ status: answer.status(), headers: { location: answer.headers().location ?? '' } });
  });
  await page.goto(`${world.sandbox.ehr.url}/patients/norx-patient/frame/norx-order`);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('heading', { name: 'Your browser did not keep this app’s cookie.' }).waitFor();
  const opening = context.waitForEvent('page');
  await frame.getByRole('link', { name: 'Open in a new window' }).click();
  const opened = await opening;
  await opened.locator('hgroup', { hasText: 'Review the prior authorization' }).waitFor();
  await expectAccessible(opened);
});

test('three charts launched at once without a first cookie are all open, each with its patient [S1]', async () => {
  const { page, context } = await openTab();
  const charts = [
    { patient: 'complete-patient', order: 'complete-order', name: 'Marisol June Tennyson' },
    { patient: 'twocov-patient', order: 'twocov-order', name: 'Priya Castellanos' },
    { patient: 'snomed-patient', order: 'snomed-order', name: 'Wendell Okafor-Smith' },
  ];
  const pages = [page, await context.newPage(), await context.newPage()];
  // no sign-in is answered before all three have begun
  const all = Promise.withResolvers<void>();
  let begun = 0;
  await context.route('**/callback/**', async (route) => {
    begun += 1;
    if (begun === charts.length) all.resolve();
    await all.promise;
    await route.continue();
  });
  await Promise.all(charts.map((chart, index) => pages[index]?.goto(world.sandbox.ehr.launch(chart).address)));
  const shown = () => Promise.all(pages.map((one) => one.locator('.patient-name').textContent()));
  expect(await shown()).toEqual(charts.map(({ name }) => name));
  // The page that says whose chart is read has the patient too, and goes on by itself.
  await Promise.all(pages.map((one) => one.locator('#verdict, #standing').waitFor()));
  await Promise.all(pages.map((one) => one.reload()));
  expect(await shown()).toEqual(charts.map(({ name }) => name));
});

test('two charts open side by side never mix', async () => {
  const { page: one, context } = await openTab();
  const two = await context.newPage();
  await one.goto(`${world.sandbox.ehr.url}/patients/complete-patient`);
  await two.goto(`${world.sandbox.ehr.url}/patients/norx-patient`);
  await startLaunch(one);
  await startLaunch(two);

  for (const [page, fax] of [
    [one, '(217) 555-0111'],
    [two, '(217) 555-0122'],
  ] as const) {
    await page.locator('#fold-section-prescriber > summary').click();
    await page.getByLabel('Fax').fill(fax);
    await page.locator('#fold-section-prescriber > summary', { hasText: fax }).waitFor();
  }
  await one.reload();
  expect([await one.getByLabel('Fax').inputValue(), await two.getByLabel('Fax').inputValue()]).toEqual([
    '(217) 555-0111',
    '(217) 555-0122',
  ]);

  await one.getByRole('button', { name: 'Review and send' }).click();
  const who = (await one.locator('.patient-name').textContent()) ?? '';
  expect(await two.locator('.patient-name').textContent()).not.toBe(who);
  await one.getByRole('button', { name: `Send for ${who}` }).click();
  await one.waitForURL(/\/cases\//);
  await follow(one, 'Received');
  await expect.poll(() => taskOf(one)).toMatchObject({ for: { reference: 'Patient/complete-patient' } });
  await two.goto(`${world.sandbox.ehr.url}/patients/norx-patient`);
  expect(await two.locator('main').textContent()).not.toContain('Prior authorization for');
});

test('an enrollment goes only with a recorded consent, and is in the chart as a Task', async () => {
  const { page } = await openTab();
  await page.goto(`${world.sandbox.ehr.url}/patients/steptx-patient`);
  await startLaunch(page);
  await page.getByRole('link', { name: 'Orders' }).click();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Enroll in a program' }).first().click();
  await expect.poll(() => page.locator('#verdict').textContent()).toContain('consent');
  await expectAccessible(page);
  await page.getByLabel('Given by').fill('the patient');
  await page.getByLabel('On (required)', { exact: true }).fill('2026-11-20');
  await page.getByLabel('Recorded as').selectOption('Signed form');
  await page.getByRole('button', { name: 'Review and send' }).click();
  await expect
    .poll(() => page.locator('#goes-line-consent').textContent())
    .toContain('Consent: the patient, Nov 20, 2026, signed form.');
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Send for/ }).click();
  await follow(page, 'Submitted to the program');
  await expectAccessible(page);
  await expect
    .poll(() => taskOf(page))
    .toMatchObject({ status: 'completed', for: { reference: 'Patient/steptx-patient' } });
});

test('with the keyboard alone: past the header, into a field, Enter saves', async () => {
  const { page } = await openTab();
  await page.goto(`${world.sandbox.ehr.url}/patients/norx-patient`);
  await startLaunch(page);
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).hash).toBe('#main');
  await page.locator('#fold-section-insurance > summary').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('RxPCN').focus();
  await page.keyboard.type('ABC');
  await page.keyboard.press('Enter');
  await page.locator('#save-state', { hasText: 'Saved.' }).waitFor();
  await expect.poll(() => page.getByLabel('RxPCN').inputValue()).toBe('ABC');
});

test('by keyboard: a reading is chosen, Save leads to the next question, the last to the verdict', async () => {
  const { page, problems } = await openTab();
  await page.goto(`${world.sandbox.ehr.url}/patients/differ-patient`);
  await startLaunch(page);
  await expect.poll(() => page.locator('#verdict h2').textContent()).toBe('2 answers needed');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Choose the strength' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('field-prescription-strength');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect.poll(() => page.getByRole('radio', { name: /^10 MG/ }).isChecked()).toBe(true);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.getByRole('radio', { name: /^25 mg/ }).isChecked()).toBe(true);
  await page.keyboard.press('Enter');
  await page.locator('#save-state', { hasText: 'Saved.' }).waitFor();
  await expect.poll(() => focused(page)).toMatch(/^pick-Coverage-/);
  await expectAccessible(page);

  await page.keyboard.press('Space');
  await expect.poll(() => page.getByRole('radio', { name: /ending in 1184/ }).isChecked()).toBe(true);
  await page.keyboard.press('Enter');
  await page.locator('#verdict h2', { hasText: 'Ready to send' }).waitFor();
  await expect.poll(() => focused(page)).toBe('verdict');

  await page.locator('#asked-field-prescription-strength > summary').click();
  await page.getByLabel('Other strength').fill('banana');
  await expect.poll(() => page.getByRole('radio', { name: 'Other', exact: true }).isChecked()).toBe(true);
  await page.keyboard.press('Enter');
  await page.locator('#verdict h2', { hasText: '1 to fix' }).waitFor();
  await expect.poll(() => focused(page)).toBe('field-prescription-strength-other');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear my answer for Strength' }).click();
  await page.locator('#verdict h2', { hasText: '1 answer needed' }).waitFor();
  expect(problems).toEqual([]);
});

test('without JavaScript a reading is chosen and a value of one’s own is entered', async () => {
  const { page } = await openTab({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await page.goto(`${world.sandbox.ehr.url}/patients/differ-patient`);
  await startLaunch(page);
  await page.getByLabel('Other strength').fill('12.5 mg');
  await page.getByRole('button', { name: 'Save' }).first().click();
  const answered = page.locator('#asked-field-prescription-strength.done > summary');
  await answered.filter({ hasText: '12.5 mg' }).click();
  await expect.poll(() => page.getByLabel('Other strength').inputValue()).toBe('12.5 mg');
  await expect.poll(() => page.getByRole('radio', { name: 'Other', exact: true }).isChecked()).toBe(true);
  await page.getByRole('radio', { name: /^25 mg/ }).check();
  await page.getByRole('button', { name: 'Save' }).first().click();
  await answered.filter({ hasText: '25 mg' }).click();
  await expect.poll(() => page.getByRole('radio', { name: /^25 mg/ }).isChecked()).toBe(true);
});

test('without JavaScript the same pages work', async () => {
  const { page } = await openTab({ javaScriptEnabled: false });
  await page.goto(`${world.sandbox.ehr.url}/patients/twocov-patient`);
  await startLaunch(page);
  await page.locator('#fold-section-priority > summary').click();
  await page.locator('#field-priority').selectOption('1');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await expect.poll(() => page.getByRole('status').textContent()).toContain('Saved.');
  await expect.poll(() => page.locator('#field-priority').inputValue()).toBe('1');
});

async function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.id);
}

async function startLaunch(page: Page): Promise<void> {
  await page.getByText('Start prior authorization').first().click();
  await page.waitForURL((url) => url.href.startsWith(`${world.sandbox.bridge.url}/app/`));
}

/** Waits until the page itself, by its polling, shows the standing. */
async function follow(page: Page, standing: string): Promise<void> {
  await page.locator('#standing', { hasText: standing }).waitFor();
}

async function stepTo(serviceId: string, standing: string, page: Page): Promise<void> {
  await world.sandbox.service.step(serviceId);
  await follow(page, standing);
}

/** The Task that the case page names, as the EHR holds it. */
async function taskOf(page: Page): Promise<Task> {
  const reference = await page.locator('code', { hasText: /^Task\// }).textContent();
  const resource = world.sandbox.ehr.peek(reference ?? '');
  if (resource?.resourceType !== 'Task') throw new Error('the EHR has no such Task');
  return resource as Task; // resourceType was just compared
}

function documentsOf(task: Task): DocumentReference[] {
  return (task.output ?? []).flatMap((output) => {
    const resource = world.sandbox.ehr.peek(output.valueReference?.reference ?? '');
    return resource?.resourceType === 'DocumentReference' ? [resource as DocumentReference] : [];
  });
}
