import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { neededWords } from '../../src/web/pages/review/words.ts';
import { fieldId } from '../../src/web/request/labels.ts';
import { openTab } from './browser.ts';
import { useSandbox } from './sandbox.ts';

// The most clicks and keys that a way may take, over the sandbox. A value that is typed, and a button that is an answer
// itself, are not counted; Tabs are.

const world = useSandbox('clicks');
const signing = useSandbox('clicks-signing', { signatures: true });
const desk = { width: 1280, height: 900 };

/** Who works on a page, and what it takes. */
interface Hand {
  readonly page: Page;
  readonly count: { clicks: number; keys: number };
  click(target: Locator): Promise<void>;
  key(key: string): Promise<void>;
}

function handOn(page: Page): Hand {
  const count = { clicks: 0, keys: 0 };
  return {
    page,
    count,
    click: async (target) => {
      count.clicks += 1;
      await target.click();
    },
    key: async (key) => {
      count.keys += 1;
      await page.keyboard.press(key);
    },
  };
}

async function newPage(address: string): Promise<Page> {
  const { page } = await openTab();
  await page.goto(address);
  return page;
}

/** The review of a patient's order, opened from the chart. */
async function review(patient: string): Promise<Hand> {
  const page = await newPage(`${world.sandbox.ehr.url}/patients/${patient}`);
  await page.getByText('Start prior authorization').first().click();
  await page.waitForURL(/\/orders\//);
  await focusIs(page, 'title');
  return handOn(page);
}

async function focusIs(page: Page, id: string): Promise<void> {
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe(id);
}

const isReady = (page: Page) => page.locator('#verdict h2', { hasText: /^Ready/ }).waitFor();

async function send(hand: Hand): Promise<void> {
  await hand.click(hand.page.locator('#go-on'));
  await sendChecked(hand);
}

async function sendChecked({ page, click }: Hand): Promise<void> {
  await page.waitForURL(/\/confirm$/);
  await click(page.getByRole('button', { name: /^Send for / }));
  await page.waitForURL(/\/cases\//);
}

async function tabTo({ page, key }: Hand, selector: string): Promise<void> {
  for (let tabs = 0; tabs < 40; tabs += 1) {
    await key('Tab');
    if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return;
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

async function sendByKeys(hand: Hand): Promise<void> {
  await tabTo(hand, '#go-on');
  await hand.key('Enter');
  await sendCheckedByKeys(hand);
}

async function sendCheckedByKeys(hand: Hand): Promise<void> {
  const { page, key } = hand;
  await page.waitForURL(/\/confirm$/);
  await focusIs(page, 'title');
  await tabTo(hand, '[value="send"]');
  await key('Enter');
  await page.waitForURL(/\/cases\//);
}

test('a complete chart: 2 clicks, and its page is at most two screens', async () => {
  const hand = await review('complete-patient');
  await isReady(hand.page);
  const height = Number(await hand.page.evaluate('document.documentElement.scrollHeight'));
  expect(height).toBeLessThanOrEqual(2 * desk.height);
  await send(hand);
  expect(hand.count.clicks).toBeLessThanOrEqual(2);
});

test('a complete chart: 4 keys, by Tab alone', async () => {
  const hand = await review('contained-patient');
  await isReady(hand.page);
  await sendByKeys(hand);
  expect(hand.count.keys).toBeLessThanOrEqual(4);
});

test('a complete chart with the answers to payer questions, looked at and checked first: 3 clicks', async () => {
  const hand = await review('norx-patient');
  await isReady(hand.page);
  await hand.click(hand.page.getByLabel('Send these answers with the request'));
  await send(hand);
  expect(hand.count.clicks).toBeLessThanOrEqual(3);
});

const answersOnCheck = (page: Page) => page.locator('.answers-go .sent-answers').waitFor();

test('a complete chart with the answers to payer questions, by their button: 2 clicks', async () => {
  const hand = await review('twocov-patient');
  await isReady(hand.page);
  await hand.click(hand.page.getByRole('button', { name: 'Review with answers to payer questions' }));
  await hand.page.waitForURL(/\/confirm$/);
  await answersOnCheck(hand.page);
  await sendChecked(hand);
  expect(hand.count.clicks).toBeLessThanOrEqual(2);
});

test('a complete chart with the answers to payer questions: 4 keys, with the one that their button shows', async () => {
  const hand = await review('card-patient');
  await isReady(hand.page);
  const shown = await hand.page.locator('#go-on-with-answers kbd').textContent();
  await hand.key(shown ?? '');
  await hand.key('Enter');
  await answersOnCheck(hand.page);
  await sendCheckedByKeys(hand);
  expect(hand.count.keys).toBeLessThanOrEqual(4);
});

test('the suggested documents attached: 3 clicks', async () => {
  const hand = await review('steptx-patient');
  await hand.click(hand.page.getByRole('button', { name: /^Attach th/ }));
  await hand.page.locator('#verdict', { hasText: 'documents attached' }).waitFor();
  await send(hand);
  expect(hand.count.clicks).toBeLessThanOrEqual(3);
});

test('one gap that a button answers: 2 clicks beside the button', async () => {
  const hand = await review('snomed-patient');
  await hand.page.locator('fieldset.likely button').first().click();
  await isReady(hand.page);
  await send(hand);
  expect(hand.count.clicks).toBeLessThanOrEqual(2);
});

const fiveGaps = {
  'patient.address.street': ['patient', '77 Storybook Lane'],
  'patient.address.city': ['patient', 'Bloomington'],
  'patient.address.zip_postal_code': ['patient', '61701'],
  'prescription.quantity': ['prescription', '30'],
  'provider.npi': ['prescriber', '2019990037'],
} as const;
const oneGap = { 'prescription.quantity': fiveGaps['prescription.quantity'] };
const valueAt = new Map(Object.entries(fiveGaps).map(([target, [, value]]) => [fieldId(target), value]));

/** The review of a chart that was complete, without some required values. */
async function withGaps(gaps: Readonly<Record<string, readonly [string, string]>>, patient: string): Promise<Hand> {
  const { page } = await review(patient);
  for (const [target, [section]] of Object.entries(gaps)) {
    const fold = page.locator(`#fold-section-${section}`);
    if ((await fold.getAttribute('open')) === null) await fold.locator('> summary').click();
    await page.locator(`#${fieldId(target)}`).fill('');
  }
  await page.locator('#verdict h2', { hasText: neededWords(Object.keys(gaps).length, 0) }).waitFor();
  await page.reload();
  await focusIs(page, 'title');
  return handOn(page);
}

/** Types what each field asks for; Enter goes on to the next. */
async function answer({ page, key }: Hand, count: number): Promise<void> {
  for (let answered = 0; answered < count; answered += 1) {
    const at = String(await page.evaluate('document.activeElement.id'));
    await page.keyboard.type(valueAt.get(at) ?? '');
    await key('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).not.toBe(at);
  }
  await focusIs(page, 'verdict');
}

test('one gap: 7 keys beside the value', async () => {
  const hand = await withGaps(oneGap, 'selfrep-patient');
  await hand.key('F8');
  await answer(hand, 1);
  await sendByKeys(hand);
  expect(hand.count.keys).toBeLessThanOrEqual(7);
});

test('five gaps: 3 clicks beside the values', async () => {
  const hand = await withGaps(fiveGaps, 'asked-patient');
  await hand.click(hand.page.locator('.asked:not(.done) input:not([type="hidden"])').first());
  await answer(hand, 5);
  await send(hand);
  expect(hand.count.clicks).toBeLessThanOrEqual(3);
});

test('five gaps: 10 keys beside the values', async () => {
  const hand = await withGaps(fiveGaps, 'failed-patient');
  await hand.key('F8');
  await answer(hand, 5);
  await sendByKeys(hand);
  expect(hand.count.keys).toBeLessThanOrEqual(10);
});

test('a key that is held, or pressed again and again on the last page, sends nothing', async () => {
  const { page } = await review('long-patient');
  const hold = async () => {
    for (let times = 0; times < 5; times += 1) await page.keyboard.down('Enter');
  };
  await page.locator('#go-on').focus();
  await hold();
  await page.waitForURL(/\/confirm$/);
  await focusIs(page, 'title');
  await hold();
  await page.keyboard.up('Enter');
  for (const key of ['Enter', 'Enter', ' ', ' ']) await page.keyboard.press(key);
  await page.reload();
  expect(page.url()).toMatch(/\/confirm$/);
});

test('from a denial in the worklist to its next request, filled: 2 clicks', async () => {
  const { ehr, service } = world.sandbox;
  const { page } = await review('taper-patient');
  await isReady(page);
  await send(handOn(page));
  const id = (await page.locator('dd', { hasText: /^pa_/ }).textContent()) ?? '';
  await fetch(`${service.url}/prior-authorizations/${id}/play/denies`, { method: 'POST', redirect: 'manual' });
  await service.step(id);
  await page.locator('#standing', { hasText: /^Denied/ }).waitFor();
  const hand = handOn(await newPage(ehr.launch({ patient: 'taper-patient', intent: 'worklist' }).address));
  await hand.click(hand.page.locator('table.worklist a[href$="/again"]').first());
  await hand.click(hand.page.locator('main .go').first());
  await hand.page.locator('#go-on').waitFor();
  expect(hand.count.clicks).toBeLessThanOrEqual(2);
});

test('a signature: 1 click', async () => {
  const { ehr } = signing.sandbox;
  const patient = 'steptx-patient';
  // Whoever opens the chart without an order is not its prescriber, and hands over.
  const atDesk = await newPage(ehr.launch({ patient }).address);
  await atDesk.getByRole('link', { name: /^Start prior authorization/ }).click();
  await atDesk.locator('#go-on').click();
  await atDesk.getByRole('button', { name: /^Hand over to / }).click();
  await atDesk.getByText('Waiting: signature').waitFor();
  const hand = handOn(await newPage(ehr.launch({ patient, order: 'steptx-order' }).address));
  await hand.click(hand.page.getByRole('button', { name: 'Approve and sign' }));
  await hand.page.getByText('Signed. Thank you.').waitFor();
  expect(hand.count.clicks).toBeLessThanOrEqual(1);
});
