import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import type { Round } from '../../src/cases/rounds/round.ts';
import { expectAccessible, expectAccessibleAlsoDark, patience } from './browser.ts';
import { useSandbox } from './sandbox.ts';
import { type BrowserScene, openBrowserScene } from './scene-browser.ts';

// A payer that asks back, in a browser: the page of the request with its question, the reply, and the next request.

const world = useSandbox('question', { service: { profile: 'current', prescription: 'named' } });

/** SHOTS=<folder> keeps pictures. */
const shots = process.env.SHOTS;
async function picture(page: Page, name: string): Promise<void> {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
}

test('from the line of the worklist to a sent reply it takes two clicks where one item of the chart answers', {
  timeout: 4 * patience,
}, async () => {
  const { sandbox, browser } = world;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const text = 'Has the patient tried and failed methotrexate?';
  sandbox.service.switches.set({ switch: 'payer-asks', value: { text, channels: ['fax'] } });
  await page.goto(`${sandbox.ehr.url}/patients/complete-patient`);
  await page
    .getByRole('button', { name: /Start prior authorization/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Review and send' }).click();
  await page.getByRole('button', { name: /^Send for / }).click();
  await page.locator('#standing', { hasText: 'Received' }).waitFor();
  const id = (await page.locator('dd', { hasText: /^pa_/ }).textContent()) ?? '';
  for (let status: string | undefined; status !== 'awaiting_provider_response'; )
    status = await sandbox.service.step(id);
  await page.locator('#question-news', { hasText: 'have changed' }).waitFor();
  await page.getByRole('link', { name: 'Worklist' }).click();

  let clicks = 0;
  const click = async (locator: ReturnType<Page['locator']>) => {
    clicks += 1;
    await locator.click();
  };
  await click(page.getByRole('link', { name: 'Marisol June Tennyson' }));
  await page.locator('#question-1', { hasText: 'What the payer asks' }).waitFor();
  await picture(page, 'sandbox-question');
  expect(await page.getByRole('checkbox', { name: /^methotrexate 2.5 MG; Take/ }).isChecked()).toBe(true);
  await click(page.getByRole('button', { name: 'Send the reply' }));
  await page.locator('#standing', { hasText: 'Reply sent' }).waitFor({ timeout: patience });
  // Nobody types there any more: the page goes on by itself.
  await page.locator('#questions', { hasText: 'has reached the service' }).waitFor();
  expect(await page.locator('#question-news').textContent()).toBe('');
  await picture(page, 'sandbox-replied');
  expect(clicks).toBeLessThanOrEqual(3);
  expect(clicks).toBe(2);
  await expectAccessible(page);
});

describe('the page of a request whose payer asks', () => {
  let scene: BrowserScene;
  afterEach(() => scene?.app.close());

  const round: Round = {
    number: 1,
    from: 'service',
    openedAt: '2026-11-21T14:00:00.000Z',
    openedBy: 'bridge',
    until: '2026-12-01',
    asked: [
      {
        id: 'p1',
        channel: 'fax',
        state: 'delivered',
        purpose: 'request_information',
        seenAt: '2026-11-21T14:00:00.000Z',
        fields: [
          {
            name: 'message',
            text:
              'Has the patient tried and failed methotrexate? Please explain the medical necessity. Answer at ' +
              'https://payer.example/reply?case=4711 with access code: QX-4711.',
          },
        ],
        files: [{ id: 'p1-0', name: 'Form.pdf', state: 'kept', type: 'application/pdf' }],
      },
    ],
    replies: [],
  };

  async function open(options: BrowserContextOptions = {}, rounds: readonly Round[] = [round]): Promise<Page> {
    scene = await openBrowserScene('story-complete');
    const id = '11111111-2222-4333-8444-555555555555';
    scene.cases.put({
      id,
      site: 'valley',
      title: 'Humira Pen 40 mg/0.4 mL',
      payer: 'Harborlight Health Plan',
      patient: `Patient/${scene.smart.launch.patient}`,
      order: `MedicationRequest/${scene.order}`,
      state: 'open',
      status: 'awaiting_provider_response',
      serviceId: 'pa_77',
      sentAt: '2026-11-21T13:00:00.000Z',
      record: { id: 'pa_77', status: 'awaiting_provider_response' },
      body: { prescription: { drug_name: 'Humira' }, patient: { name: { given: ['Marisol'], family: 'Tennyson' } } },
      rounds,
    });
    const page = await scene.page(world.browser, options);
    page.setDefaultTimeout(patience);
    await page.goto(`${scene.url}${scene.home}/cases/${id}`);
    return page;
  }

  test('is accessible in the light and in the dark, and nothing is wider than a phone', async () => {
    const page = await open();
    await page.locator('#question-1', { hasText: 'What the payer asks' }).waitFor();
    await picture(page, 'question');
    await expectAccessibleAlsoDark(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture(page, 'question-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      if (width === 390) await picture(page, 'question-phone');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });

  test('says what the question names and the chart does not', async () => {
    const text = 'What are the date of birth, the height and the BMI of the patient?';
    const asked = round.asked.map((one) => ({ ...one, fields: [{ name: 'message', text }] }));
    const page = await open({}, [{ ...round, asked }]);
    await page.locator('.no-answer', { hasText: 'Height, BMI: Not in the chart.' }).waitFor();
    await picture(page, 'question-missing');
    await expectAccessibleAlsoDark(page);
  });

  test('on paper has the question and the answers, and nothing that can only be clicked', async () => {
    const page = await open({ viewport: { width: 794, height: 1123 } });
    await page.emulateMedia({ media: 'print' });
    await picture(page, 'question-print');
    expect(await page.getByText('Has the patient tried and failed methotrexate?').isVisible()).toBe(true);
    expect(
      await page
        .getByText(/^methotrexate 2.5 MG/)
        .first()
        .isVisible(),
    ).toBe(true);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('textbox').count()).toBe(0);
  });

  test('by keyboard: an answer is left out, words are written, and the reply goes with what is checked', async () => {
    const page = await open();
    const methotrexate = page.getByRole('checkbox', { name: /^methotrexate 2.5 MG; Take/ });
    const leflunomide = page.getByRole('checkbox', { name: /^leflunomide 20 MG; Take/ });
    await methotrexate.focus();
    await page.keyboard.press('Space');
    await leflunomide.focus();
    await page.keyboard.press('Space');
    await page.getByLabel('Your reply').focus();
    await page.keyboard.type('Two trials failed.');
    await page.getByRole('button', { name: /^(Send the reply|Make the reply)/ }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => scene.cases.ofRounds.length, { timeout: patience }).toBe(1);
    const sent = JSON.stringify(scene.cases.ofRounds[0]);
    expect(sent).toContain('Two trials failed.');
    expect(sent).toContain('leflunomide 20 MG');
    expect(sent).not.toContain('methotrexate 2.5 MG');
  });

  test('leads to where the question is kept without names, and the next request offers it', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Keep for next time' }).click();
    await page.getByLabel('The question, without names').waitFor();
    await expectAccessible(page);
    await picture(page, 'keep');
    expect(await page.getByLabel('The question, without names').inputValue()).not.toContain('4711');
    await page.getByLabel('I have read it. It names nobody.').check();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('link', { name: 'Kept for next time. Change or remove it' }).waitFor();
    scene.cases.put({
      ...scene.cases.all.values().next().value,
      state: 'ended',
      id: '11111111-2222-4333-8444-555555555555',
    });
    await page.goto(`${scene.url}${scene.home}/orders/${scene.order}?anew=1`);
    await page.getByRole('heading', { name: 'This payer asked about this drug before' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'asked-before');
  });
});
