// Counts the clicks and keys from the review to a sent request, in a browser over a fresh sandbox: npm run proof --
// clicks. Values and choices that answer a question are not counted, nor is a site's statement. CHROMIUM_PATH names the
// browser.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { Site } from '../../dist/src/config/config.js';
import { startSandbox } from '../../dist/src/dev/sandbox/index.js';

const window = { width: 1280, height: 900 };
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Five required fields, cleared before the measured part, and what is typed into each. */
const fiveGaps = {
  'patient.address.street': ['patient', '77 Storybook Lane'],
  'patient.address.city': ['patient', 'Bloomington'],
  'patient.address.zip_postal_code': ['patient', '61701'],
  'prescription.quantity': ['prescription', '30'],
  'provider.npi': ['prescriber', '2019990037'],
};
const valueAt = Object.fromEntries(Object.entries(fiveGaps).map(([target, [, value]]) => [fieldId(target), value]));

/** A site that requires signatures. */
const signing = Site.parse({
  id: 'valley',
  name: 'Valley Clinic',
  iss: 'https://ehr.example/fhir',
  client: { auth: 'public', id: 'bridge' },
  service: { url: 'https://service.example', tokenEnv: 'SERVICE_TOKEN' },
  signature: {},
});

const measures = [
  { name: 'complete chart', patient: 'complete-patient', most: { clicks: 2, keys: 6 }, clicks: send, keys: sendByKeys },
  {
    name: 'the suggested documents attached',
    patient: 'steptx-patient',
    most: { clicks: 3 },
    clicks: async (hand) => {
      await hand.click(hand.page.getByRole('button', { name: /^Attach th/ }));
      await hand.page.locator('#verdict', { hasText: 'documents attached' }).waitFor();
      await send(hand);
    },
  },
  {
    name: 'one gap',
    patient: 'snomed-patient',
    most: { clicks: 3, keys: 10 },
    clicks: async (hand) => {
      await hand.click(hand.page.getByLabel('ICD-10-CM code', { exact: true }));
      await hand.page.keyboard.type('E66.9');
      await send(hand);
    },
    keys: async (hand) => {
      await hand.key('F8');
      await hand.page.keyboard.type('E66.9');
      await hand.key('Enter');
      await focusIs(hand.page, 'verdict');
      await sendByKeys(hand);
    },
  },
  {
    name: 'five gaps',
    patient: 'complete-patient',
    before: clearFive,
    most: { clicks: 4, keys: 20 },
    clicks: async (hand) => {
      await hand.click(hand.page.locator('.asked:not(.done) input:not([type="hidden"])').first());
      await answerFive(hand);
      await send(hand);
    },
    keys: async (hand) => {
      await hand.key('F8');
      await answerFive(hand);
      await sendByKeys(hand);
    },
  },
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const failures = [];
try {
  for (const measure of measures) {
    for (const kind of ['clicks', 'keys']) if (measure[kind] !== undefined) await count(measure, kind);
  }
  await fits();
  await sendsOnceOnly();
  await signsOnce();
} finally {
  await browser.close();
}
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function count(measure, kind) {
  await inSandbox(measure.patient, async (page) => {
    await measure.before?.(page);
    await focusIs(page, 'title');
    const hand = handOn(page);
    await measure[kind](hand);
    await page.waitForURL(/\/cases\//);
    say(`${measure.name}, ${kind}`, hand.count[kind], measure.most[kind]);
  });
}

async function fits() {
  await inSandbox('complete-patient', async (page) => {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    say('a page that lacks nothing, screens of 1280 x 900', Math.round((height / window.height) * 100) / 100, 2);
  });
}

/** A key that is held on the way, and pressed again and again on the last page, sends nothing. */
async function sendsOnceOnly() {
  await inSandbox('complete-patient', async (page) => {
    await focusIs(page, 'title');
    await page.locator('#go-on').focus();
    for (let times = 0; times < 5; times += 1) await page.keyboard.down('Enter');
    await page.waitForURL(/\/confirm$/);
    await focusIs(page, 'title');
    for (let times = 0; times < 5; times += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    for (const key of ['Enter', 'Enter', ' ', ' ']) await page.keyboard.press(key);
    await page.reload();
    say('requests sent by a key that is held or pressed again', /\/confirm$/.test(page.url()) ? 0 : 1, 0);
  });
}

/** Whoever opens the chart without an order is not its prescriber, and hands over; the prescriber signs. */
async function signsOnce() {
  const patient = 'steptx-patient';
  await withSandbox(async (sandbox) => {
    const opened = async (launch) => {
      const context = await browser.newContext({ viewport: window });
      const page = await context.newPage();
      await page.goto(launch.address);
      return page;
    };
    const atDesk = await opened(sandbox.ehr.launch({ patient }));
    await atDesk.getByRole('link', { name: /^Start prior authorization/ }).click();
    await atDesk.locator('#go-on').click();
    await atDesk.getByRole('button', { name: /^Hand over to / }).click();
    await atDesk.getByText('Waiting: signature').waitFor();
    const hand = handOn(await opened(sandbox.ehr.launch({ patient, order: 'steptx-order' })));
    await hand.click(hand.page.getByRole('button', { name: 'Approve and sign' }));
    await hand.page.getByText('Signed. Thank you.').waitFor();
    say('a signature, clicks', hand.count.clicks, 1);
  }, signing);
}

async function send(hand) {
  await hand.click(hand.page.locator('#go-on'));
  await hand.page.waitForURL(/\/confirm$/);
  await hand.click(hand.page.getByRole('button', { name: /^Send for / }));
}

async function sendByKeys(hand) {
  await tabTo(hand, '#go-on');
  await hand.key('Enter');
  await hand.page.waitForURL(/\/confirm$/);
  await focusIs(hand.page, 'title');
  await tabTo(hand, 'button[value="send"]');
  await hand.key('Enter');
}

async function tabTo(hand, selector) {
  for (let tabs = 0; tabs < 30; tabs += 1) {
    await hand.key('Tab');
    if (await hand.page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

async function answerFive(hand) {
  for (let answered = 0; answered < 5; answered += 1) {
    const at = await hand.page.evaluate(() => document.activeElement.id);
    await hand.page.keyboard.type(valueAt[at] ?? '');
    await hand.key('Enter');
    await hand.page.waitForFunction((before) => document.activeElement.id !== before, at);
  }
  await focusIs(hand.page, 'verdict');
}

async function clearFive(page) {
  for (const [target, [section]] of Object.entries(fiveGaps)) {
    const fold = page.locator(`#fold-section-${section}`);
    if ((await fold.getAttribute('open')) === null) await fold.locator('> summary').click();
    await page.locator(`#${fieldId(target)}`).fill('');
  }
  await page.locator('#verdict h2', { hasText: '5 answers needed' }).waitFor();
  await page.reload();
}

function handOn(page) {
  const hand = { page, count: { clicks: 0, keys: 0 } };
  return Object.assign(hand, {
    click: async (target) => {
      hand.count.clicks += 1;
      await target.click();
    },
    key: async (key) => {
      hand.count.keys += 1;
      await page.keyboard.press(key);
    },
  });
}

async function inSandbox(patient, use) {
  await withSandbox(async (sandbox) => {
    const page = await (await browser.newContext({ viewport: window })).newPage();
    await page.goto(`${sandbox.ehr.url}/patients/${patient}`);
    await page.getByText('Start prior authorization').first().click();
    await page.waitForURL(/\/orders\//);
    await use(page);
  });
}

async function withSandbox(use, site) {
  const folder = mkdtempSync(join(tmpdir(), 'clicks-'));
  const options = { dataDir: folder, port: 0, speed: 0, clock: () => new Date(), log: silent };
  const sandbox = await startSandbox({ ...options, ...(site === undefined ? {} : { site }) });
  try {
    await use(sandbox);
  } finally {
    for (const context of browser.contexts()) await context.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function focusIs(page, id) {
  await page.waitForFunction((wanted) => document.activeElement?.id === wanted, id);
}

function say(what, measured, most) {
  process.stdout.write(`${what}: ${measured} (at most ${most})\n`);
  if (measured > most) failures.push(`Too many: ${what}: ${measured}, at most ${most}`);
}

function fieldId(target) {
  return `field-${target.replaceAll(/[^\w]+/g, '-')}`;
}
