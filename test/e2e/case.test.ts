import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AnyCase, formOf, launchId, openScene, type Scene, session } from '../web/support.ts';
import { closePages, expectAccessible, expectAccessibleAlsoDark, openBrowser, patience } from './browser.ts';

// The page of a case in a browser: each state light and dark, on a phone, on paper, and by keyboard.

let browser: Browser;
let scene: Scene;
let address: string;
/** The page of the case that was sent. */
let path: string;
let sent: AnyCase;

beforeAll(async () => {
  browser = await openBrowser();
});
afterEach(closePages);

beforeEach(async () => {
  scene = await openScene('story-complete');
  const review = `${scene.home}/orders/${scene.order}`;
  scene.cases.outcome = { state: 'open', serviceId: 'pa_77', sentAt: '2026-11-19T16:06:00.000Z' };
  const form = formOf((await scene.get(`${review}/confirm`)).body);
  path = String((await scene.post(`${review}/confirm`, { ...form, action: 'send' })).headers.location);
  sent = [...scene.cases.all.values()][0]!;
  address = await scene.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => scene.app.close());

const url = 'https://platform.example/pa_77';
const at = '2026-11-21T14:41:00.000Z';
const call = {
  id: 'c1',
  type: 'follow_up_call',
  created_at: '2026-11-20T15:00:00',
  details: { notes: 'Please send the date of the last visit.' },
};
const ended = (outcome: Record<string, string>, status = 'completed'): Partial<AnyCase> => ({
  state: 'ended',
  endedAt: '2026-11-21T14:40:00.000Z',
  changedAt: '2026-11-21T14:40:00.000Z',
  record: { id: 'pa_77', url, status, outcome },
});
const denied = ended({ result: 'Denied', detail: 'No trial.', detail_code: 'step_therapy_criteria_not_met' });

const states: Readonly<Record<string, Partial<AnyCase>>> = {
  'The payer needs information': {
    changedAt: '2026-11-20T15:05:00.000Z',
    record: { id: 'pa_77', url, status: 'awaiting_provider_response', activity_log: [call] },
  },
  'Approved through Nov 21, 2027': ended({
    result: 'Approved',
    detail_code: 'approval',
    authorization_expiration: '2027-11-21',
  }),
  'Denied: step therapy criteria not met': {
    ...denied,
    writes: [{ what: 'document', version: '1', state: 'failed', attempts: 1, at }],
  },
  'Not submitted: this payer is not supported': ended(
    { result: 'Not Submitted', detail_code: 'payer_not_supported' },
    'not_submitted',
  ),
  'We could not confirm delivery': {
    state: 'unknown',
    problem: { code: 'service_unclear', text: 'CANARY', at },
  },
};

async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const cookie = `__Host-bridge-${launchId}=${session}`;
  const context = await browser.newContext({ extraHTTPHeaders: { cookie }, ...options });
  context.setDefaultTimeout(patience);
  return await context.newPage();
}

describe.each(Object.entries(states))('%s', (heading, state) => {
  test('is the heading, in the light and in the dark, and nothing is wider than a phone', async () => {
    scene.cases.put({ ...sent, ...state });
    const page = await open({ viewport: { width: 390, height: 844 } });
    await page.goto(`${address}${path}`);
    await page.getByRole('heading', { level: 2, name: heading, exact: true }).waitFor();
    await expectAccessibleAlsoDark(page);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});

test('on a phone what can be done stands right below how it stands', async () => {
  scene.cases.put({ ...sent, ...states['We could not confirm delivery'] });
  const page = await open({ viewport: { width: 390, height: 844 } });
  await page.goto(`${address}${path}`);
  const tops = await Promise.all(
    ['#standing', '#actions', '#written'].map(async (place) => (await page.locator(place).boundingBox())?.y ?? 0),
  );
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  expect(new Set(tops).size).toBe(3);
});

test('on paper the whole request is there, and nothing that can only be clicked', async () => {
  scene.cases.put({ ...sent, ...denied });
  const page = await open();
  await page.goto(`${address}${path}`);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText('27 Figment Street').isVisible()).toBe(true);
  expect(await page.getByRole('link', { name: 'Send again with what was missing' }).isVisible()).toBe(false);
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.getByText('Marisol June Tennyson').first().isVisible()).toBe(true);
});

test('by keyboard: from a denial to what a new request carries over, and back, with nothing begun', async () => {
  scene.cases.put({ ...sent, ...denied });
  const page = await open();
  await page.goto(`${address}${path}`);
  await page.getByLabel('Appeal deadline in the letter').waitFor();
  await page.getByRole('link', { name: 'Send again with what was missing' }).press('Enter');
  await page.getByRole('heading', { level: 2, name: 'What is carried over' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue to the new request' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 2, name: 'Denied: step therapy criteria not met' }).waitFor();
  expect([...scene.cases.all.values()].map(({ state }) => state)).toEqual(['ended']);
});

test('times are on the reader’s clock', async () => {
  scene.cases.put({ ...sent, ...denied });
  const page = await open({ timezoneId: 'America/Los_Angeles' });
  await page.goto(`${address}${path}`);
  // 14:40 in UTC is 6:40 in the morning in Los Angeles.
  await expect
    .poll(() => page.getByRole('list', { name: 'Where the request is' }).textContent())
    .toContain('Nov 21, 2026, 6:40 AM');
});
