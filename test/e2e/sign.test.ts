import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Case } from '../../src/cases/case.ts';
import { queues } from '../../src/cases/work/queues.ts';
import { worklistRules } from '../../src/cases/worklist-entry.ts';
import { makeConfig, type Site } from '../../src/config/config.ts';
import type { Store } from '../../src/store/types.ts';
import { aClinic, type Clinic } from '../cases/clinic.ts';
import { type Backend, pgliteBackend } from '../store/backends.ts';
import { formOf, testConfig } from '../web/support.ts';
import { closePages, expectAccessibleAlsoDark, openBrowser, patience } from './browser.ts';
import { type BrowserScene, openBrowserScene } from './scene-browser.ts';

// A nurse hands over at a desk, the prescriber signs on a phone without the chart, the nurse sends.

// Pictures are kept where PICTURES names a folder.
const folder = process.env.PICTURES;
const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
const nurse = { fhirUser: 'Practitioner/nurse', userName: 'Noor Haddad, RN', patient: 'complete-patient' };
const prescriber = { fhirUser: 'Practitioner/prac-osei', userName: 'Dr. Adwoa Osei-Brandt', patient: 'none-open' };

let backend: Backend;
let store: Store;
let browser: Browser;
let scene: BrowserScene;
let clinic: Clinic;
let count = 0;

beforeAll(async () => {
  backend = await pgliteBackend();
  store = await backend.open({ worklist: worklistRules, queues });
  browser = await openBrowser();
}, patience);
beforeEach(async () => {
  count += 1;
  const [base] = testConfig().sites;
  const site: Site = { ...base!, id: `valley-${count}`, signature: { required: true, signers: [] } };
  clinic = aClinic(store, { sites: [site] });
  const env = { SERVICE_TOKEN: 'token', HOOK_NEW: 'new-secret', HOOK_OLD: 'old-secret' };
  const keys = Buffer.alloc(32, 7).toString('base64');
  scene = await openBrowserScene('story-complete', (deps) => ({
    ...deps,
    config: { ...makeConfig({ BRIDGE_URL: deps.config.url, BRIDGE_KEYS: keys }, [site], env), url: deps.config.url },
    cases: clinic.cases,
    worklist: store.worklist,
  }));
  scene.smart.launch = { ...scene.smart.launch, site };
  as(nurse);
}, patience);
afterEach(async () => {
  await closePages();
  await scene.app.close();
});
afterAll(async () => {
  await store?.close();
  await backend?.close();
});

/** From now on this person is signed in. */
function as(who: typeof nurse): void {
  scene.smart.launch = { ...scene.smart.launch, ...who };
}

async function open(viewport: typeof desk, path: string): Promise<Page> {
  const page = await scene.page(browser, { viewport });
  page.setDefaultTimeout(patience);
  await page.goto(`${scene.url}${path}`);
  return page;
}

const review = () => `${scene.home}/orders/${scene.order}`;

async function theCase(): Promise<Case> {
  const [one] = await clinic.cases.list({ site: scene.smart.launch.site.id });
  return clinic.cases.get(one!.id);
}

/** A draft with a change against the chart and documents, handed over without the browser. */
async function handedOver(): Promise<string> {
  const own = { origin: scene.url };
  const form = formOf((await scene.get(review())).body, 'review');
  const fields = { 'f.prescription.directions': 'Once a month', answers: 'send', action: 'attach' };
  await scene.post(review(), { ...form, ...fields }, own);
  const confirm = formOf((await scene.get(`${review()}/confirm`)).body);
  await scene.post(`${review()}/confirm`, { ...confirm, action: 'ask' }, own);
  return `${scene.home}/sign/${(await theCase()).id}`;
}

async function look(page: Page, name: string): Promise<void> {
  await expectAccessibleAlsoDark(page);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  // Colors fade.
  const picture = async (path: string) => {
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${path}.png`), fullPage: true });
  };
  await picture(name);
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(`${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light', media: 'print' });
  await picture(`${name}-print`);
  await page.emulateMedia({ media: 'screen' });
}

test(
  'a nurse hands over, the prescriber signs on a phone with one click, the nurse sends',
  async () => {
    const atDesk = await open(desk, review());
    await atDesk.getByRole('button', { name: 'Review and send' }).click();
    await atDesk.getByRole('heading', { level: 1, name: /^Check and send/ }).waitFor();
    await look(atDesk, 'hand-over');
    await atDesk.getByRole('button', { name: 'Hand over to Adwoa Osei-Brandt to sign' }).click();
    await atDesk.getByText('Waiting: signature').waitFor();
    await look(atDesk, 'handed-over');

    as(prescriber);
    const onPhone = await open(phone, `${scene.home}/worklist`);
    await onPhone.getByRole('link', { name: 'Waiting for your signature (1)' }).click();
    await onPhone.waitForURL(/sign=1/);
    await look(onPhone, 'to-sign-phone');
    await onPhone.getByRole('link', { name: /^Sign\b/ }).click();
    const approve = onPhone.getByRole('button', { name: 'Approve and sign' });
    await approve.waitFor();
    // Without scrolling: the one click is in reach of the thumb.
    expect(await approve.evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
    await look(onPhone, 'sign-plain-phone');
    await approve.click();
    await onPhone.getByText('Signed. Thank you.').waitFor();
    await look(onPhone, 'signed-phone');

    as(nurse);
    await atDesk.goto(`${scene.url}${review()}/confirm`);
    await atDesk.getByText('Signed by Dr. Adwoa Osei-Brandt').waitFor();
    await look(atDesk, 'signed');
    await atDesk.getByRole('button', { name: /^Send for/ }).click();
    await atDesk.getByText(/signed by Dr\. Adwoa Osei-Brandt/).waitFor();
    await look(atDesk, 'sent');
    expect(clinic.service.creates).toHaveLength(1);
  },
  patience * 2,
);

test.each([
  ['wide', desk],
  ['phone', phone],
  ['narrow', { width: 320, height: 700 }],
  ['zoomed', { width: 640, height: 450 }],
] as const)(
  'the page to sign says drug, diagnosis, why, what is attached and what changed, and fits (%s)',
  async (name, size) => {
    const path = await handedOver();
    as(prescriber);
    const page = await open(size, path);
    const headings = ['What will be sent', 'Changed from the chart', 'Why this drug', 'What is attached'];
    for (const heading of headings) await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await page.getByText('to “Once a month”').waitFor();
    await look(page, `sign-${name}`);
    as(nurse);
    await page.goto(`${scene.url}${path}`);
    await page.getByText(/You can read this, but not sign it/).waitFor();
    await look(page, `sign-nurse-${name}`);
    await page.goto(`${scene.url}${review()}/confirm`);
    await page.getByText('Waiting: signature').waitFor();
    await look(page, `handed-over-${name}`);
  },
  patience * 2,
);

/** Presses Tab until what has the focus is named so. */
async function tabTo(page: Page, name: string): Promise<void> {
  const named = () =>
    page.evaluate(`(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()`);
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await named()) === name) return;
  }
  throw new Error(`not reached by Tab: ${name}`);
}

test(
  'by keyboard alone it is returned with a note, handed over again, and signed',
  async () => {
    const path = await handedOver();
    as(prescriber);
    const page = await open(desk, path);
    await tabTo(page, 'What has to change');
    await page.keyboard.type('The label says every two weeks.');
    await tabTo(page, 'Return it');
    await page.keyboard.press('Enter');
    await page.getByText('Returned. Your colleagues see your note.').waitFor();
    await look(page, 'returned');

    as(nurse);
    await page.goto(`${scene.url}${review()}/confirm`);
    await page.getByText('The label says every two weeks.').waitFor();
    await look(page, 'returned-nurse');
    await page.goto(`${scene.url}${review()}`);
    await page.locator('#signature', { hasText: 'The label says every two weeks.' }).waitFor();
    await look(page, 'returned-review');
    await page.goto(`${scene.url}${review()}/confirm`);
    await tabTo(page, 'Hand over to Adwoa Osei-Brandt to sign');
    await page.keyboard.press('Enter');
    await page.getByText('Waiting: signature').waitFor();

    as(prescriber);
    await page.goto(`${scene.url}${path}`);
    await tabTo(page, 'Approve and sign');
    await page.keyboard.press('Enter');
    await page.getByText('Signed. Thank you.').waitFor();
    expect((await theCase()).signature?.state).toBe('signed');
  },
  patience * 2,
);

test(
  'a double click signs once, and an old tab is told that something else waits',
  async () => {
    const path = await handedOver();
    as(prescriber);
    const [page, oldTab] = [await open(phone, path), await open(phone, path)];
    as(nurse);
    const form = formOf((await scene.get(review())).body, 'review');
    const fields = { 'f.prescription.directions': 'Twice a month', action: 'save' };
    await scene.post(review(), { ...form, ...fields }, { origin: scene.url });
    const confirm = formOf((await scene.get(`${review()}/confirm`)).body);
    await scene.post(`${review()}/confirm`, { ...confirm, action: 'ask' }, { origin: scene.url });
    as(prescriber);
    await oldTab.getByRole('button', { name: 'Approve and sign' }).click();
    await oldTab.getByText('This is not what you saw').waitFor();
    await oldTab.getByText('to “Twice a month”').waitFor();
    await look(oldTab, 'stale-phone');
    expect((await theCase()).signature?.state).toBe('asked');
    await page.reload();
    await page.getByRole('button', { name: 'Approve and sign' }).dblclick();
    await page.getByText('Signed. Thank you.').waitFor();
    expect((await theCase()).events.filter(({ type }) => type === 'signed')).toHaveLength(1);
  },
  patience * 2,
);
