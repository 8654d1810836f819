import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { queues } from '../../src/cases/work/queues.ts';
import { worklistRules } from '../../src/cases/worklist-entry.ts';
import type { PriorAuthorization } from '../../src/core/contract/prior-authorization.ts';
import type { Store } from '../../src/store/types.ts';
import { fillWorklist } from '../bench/worklist.ts';
import { aClinic, aSubmission, type Clinic } from '../cases/clinic.ts';
import { type Backend, pgliteBackend } from '../store/backends.ts';
import { bridgeUrl, openScene, type Scene, testConfig } from '../web/support.ts';
import { closePages, openBrowser, patience } from './browser.ts';
import { look } from './look.ts';

let backend: Backend;
let store: Store;
let scene: Scene;
let browser: Browser;

beforeAll(async () => {
  backend = await pgliteBackend();
  store = await backend.open({ worklist: worklistRules, queues });
  const { sites } = testConfig();
  await fillWorklist(store, 'valley', 12);
  const clinic = aClinic(store, { sites });
  const { cases } = clinic;
  for (const [name, outcome] of decisions) await decided(clinic, name, outcome);
  scene = await openScene('story-complete', (deps) => ({
    ...deps,
    cases,
    worklist: store.worklist,
    views: store.views,
    trends: { of: async () => trends, recent: async () => [] },
  }));
  await store.worklist.signedIn('valley', { fhirUser: 'Practitioner/2', name: 'Ruth Amari' });
  await store.worklist.signedIn('valley', { fhirUser: 'Practitioner/0', name: 'Riley Okafor, MA' });
  // The launch is of whom the first lines belong to; its chart is of somebody who is in none.
  scene.smart.launch = { ...scene.smart.launch, fhirUser: 'Practitioner/0' };
  browser = await openBrowser();
}, patience);
afterEach(closePages);
afterAll(async () => {
  await scene?.app.close();
  await store?.close();
  await backend?.close();
});

const trends = {
  weeks: Array.from({ length: 13 }, (_, nth) => ({
    from: new Date(Date.UTC(2026, 7, 31 + nth * 7)).toISOString().slice(0, 10),
    ...(nth === 3 ? {} : { sent: 8 + ((nth * 5) % 11), decided: 6 + ((nth * 3) % 9), firstPass: 0.6, typed: 1.4 }),
  })),
  payers: [
    { payer: 'Blue Ridge Health Plan', decided: 41, days: 6.2 },
    { payer: 'Acme', decided: 12, days: 0.4 },
  ],
};

const decisions = [
  ['Beatriz Lindholm', { result: 'Denied', detail: 'No trial of methotrexate.', detail_code: 'unknown' }],
  ['Wendell Renner', { result: 'Approved', detail_code: 'approval', authorization_expiration: '2026-12-15' }],
] as const;

async function decided(clinic: Clinic, name: string, outcome: PriorAuthorization['outcome']): Promise<void> {
  const by = { fhirUser: 'Practitioner/0', name: 'Riley Okafor, MA' };
  const draft = await clinic.cases.openDraft({
    ...{ site: 'valley', patient: `Patient/${randomUUID()}`, order: `MedicationRequest/${randomUUID()}` },
    ...{ kind: 'prior-auth', launch: 'none', title: 'Ozempic 1 mg pen', by },
    banner: { name, birthDate: '1958-03-04', mrn: 'ZQ-4471' },
    mappedBy: { mapping: 'prior-auth', version: '1' },
  });
  const sent = await clinic.cases.send(draft.id, { ...aSubmission(clinic, draft), by });
  const id = 'serviceId' in sent ? (sent.serviceId ?? '') : '';
  clinic.service.records.set(id, { id, status: 'completed', outcome });
  await clinic.cases.refresh(sent.id);
}

/** A page whose requests the bridge answers without a port. */
async function open(size: { width: number; height: number }): Promise<Page> {
  const page = await browser.newPage({ viewport: size });
  await page.route('**/*', async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const own = { cookie: `__Host-bridge-launch-one-of-this-browser-000001=${'S'.repeat(43)}` };
    const answer = await scene.app.inject({
      method: request.method() as 'GET' | 'POST',
      url: `${pathname}${search}`,
      headers: { ...request.headers(), ...own },
      ...(request.postData() === null ? {} : { payload: request.postData()! }),
    });
    // The browser asks the network for what a made-up redirect leads to.
    const to =
      answer.statusCode === 303 ? `<meta http-equiv="refresh" content="0;url=${answer.headers.location}">` : '';
    if (to !== '') return await route.fulfill({ contentType: 'text/html', body: to });
    const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
    await route.fulfill({ status: answer.statusCode, headers, body: answer.rawPayload });
  });
  return page;
}

const list = `${bridgeUrl}/app/launch-one-of-this-browser-000001/worklist`;

test.each([
  ['wide', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const)(
  'trends, and a view that a person keeps, are accessible and fit (%s)',
  async (name, size) => {
    const page = await open(size);
    await page.goto(`${list}/trends`);
    await look(page, `trends-${name}`);
    await page.goto(`${list}?part=decided&mine=1`);
    await page.locator('summary', { hasText: 'Save this view' }).click();
    await look(page, `save-view-${name}`);
    await page.getByLabel('Name of the view').fill(`My decisions, ${name}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('View saved.').waitFor();
    await look(page, `saved-view-${name}`);
    await page.getByRole('button', { name: 'Remove this view' }).click();
    await page.getByText('View removed.').waitFor();
  },
  patience,
);

test.each([
  ['wide', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
  ['narrow', { width: 320, height: 700 }],
  ['zoomed', { width: 640, height: 450 }],
] as const)(
  'the worklist and a line of it are accessible and fit (%s)',
  async (name, size) => {
    const page = await open(size);
    for (const [part, path] of [
      ['list', list],
      ['decided', `${list}?part=decided`],
      ['orders', list.replace('worklist', 'orders')],
    ] as const) {
      await page.goto(path);
      await look(page, `${part}-${name}`);
    }
    await page.goto(list);
    await page.getByLabel(/^Name, MRN, /).fill('ozempic');
    await look(page, `searching-${name}`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Show all' }).waitFor();
    await look(page, `found-${name}`);
    await page.goto(list);
    await page.locator('summary', { hasText: 'Assign to' }).click();
    await look(page, `menu-${name}`);
    await page.locator('summary', { hasText: 'Assign to' }).click();
    await page.getByRole('link', { name: 'Beatriz Lindholm' }).click();
    await page.waitForSelector('#note');
    await look(page, `line-${name}`);
  },
  patience * 3,
);

test(
  'by keyboard: / searches, arrows move between lines, a leads to the assignment of the line',
  async () => {
    const page = await open({ width: 1280, height: 900 });
    await page.goto(list);
    const focused = () => page.evaluate('document.activeElement.id || document.activeElement.getAttribute("href")');
    await page.keyboard.press('/');
    expect(await focused()).toBe('search');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('ArrowDown');
    const first = await focused();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe(first);
    await page.keyboard.press('a');
    await page.waitForURL(/#assign$/);
    await expect.poll(focused).toBe('assign');
  },
  patience,
);

test(
  'ten lines are assigned with three clicks',
  async () => {
    await fillWorklist(store, 'valley', 10 - (await heldBy('Practitioner/0')).length, 'Practitioner/0');
    const page = await open({ width: 1280, height: 900 });
    await page.goto(list);
    await page.getByRole('link', { name: 'Select all' }).click();
    await page.locator('summary', { hasText: 'Assign to' }).click();
    await page.getByRole('button', { name: 'Ruth Amari' }).click();
    // Ten, and the approval whose renewal is open.
    await page.getByText('11 requests assigned to Ruth Amari.').waitFor();
    const theirs = await heldBy('Practitioner/2');
    expect(theirs.filter(({ assigned }) => assigned !== undefined)).toHaveLength(10);
  },
  patience,
);

async function heldBy(holder: string) {
  const { rows } = await store.worklist.page({ site: 'valley', viewer: { user: '' }, holder, limit: 50 });
  return rows.filter(({ part }) => part === 'needs');
}
