import { beforeEach, expect, test } from 'vitest';
import type { Case } from '../../src/cases/case.ts';
import { formOf } from '../web/support.ts';
import { patience } from './browser.ts';
import { useClinicScene } from './clinic-scene.ts';
import { look, tabTo } from './look.ts';

// A nurse hands over at a desk, the prescriber signs on a phone without the chart, the nurse sends.

const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
const nurse = { fhirUser: 'Practitioner/nurse', userName: 'Noor Haddad, RN', patient: 'complete-patient' };
const prescriber = { fhirUser: 'Practitioner/prac-osei', userName: 'Dr. Adwoa Osei-Brandt', patient: 'none-open' };

const world = useClinicScene({ signature: { required: true, signers: [] } });
beforeEach(() => as(nurse));

/** From now on this person is signed in. */
function as(who: typeof nurse): void {
  world.scene.smart.launch = { ...world.scene.smart.launch, ...who };
}

const review = () => `${world.scene.home}/orders/${world.scene.order}`;

async function theCase(): Promise<Case> {
  const [one] = await world.clinic.cases.list({ site: world.scene.smart.launch.site.id });
  return world.clinic.cases.get(one!.id);
}

/** A draft with a change against the chart and documents, handed over without the browser. */
async function handedOver(): Promise<string> {
  const own = { origin: world.scene.url };
  const form = formOf((await world.scene.get(review())).body, 'review');
  const fields = { 'f.prescription.directions': 'Once a month', answers: 'send', action: 'attach' };
  await world.scene.post(review(), { ...form, ...fields }, own);
  const confirm = formOf((await world.scene.get(`${review()}/confirm`)).body);
  await world.scene.post(`${review()}/confirm`, { ...confirm, action: 'ask' }, own);
  return `${world.scene.home}/sign/${(await theCase()).id}`;
}

test(
  'a nurse hands over, the prescriber signs on a phone with one click, the nurse sends',
  async () => {
    const atDesk = await world.open(desk, review());
    await atDesk.getByRole('button', { name: 'Review and hand over' }).click();
    await atDesk.getByRole('heading', { level: 1, name: /^Check and send/ }).waitFor();
    await look(atDesk, 'hand-over');
    await atDesk.getByRole('button', { name: 'Hand over to Adwoa Osei-Brandt to sign' }).click();
    await atDesk.getByText('Waiting: signature').waitFor();
    await look(atDesk, 'handed-over');

    as(prescriber);
    const onPhone = await world.open(phone, `${world.scene.home}/worklist`);
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
    await atDesk.goto(`${world.scene.url}${review()}/confirm`);
    await atDesk.getByText('Signed by Dr. Adwoa Osei-Brandt').waitFor();
    await look(atDesk, 'signed');
    await atDesk.getByRole('button', { name: /^Send for/ }).click();
    await atDesk.getByText(/signed by Dr\. Adwoa Osei-Brandt/).waitFor();
    const sent = await atDesk.locator('#sent').textContent();
    expect(sent).toContain('M05.79 Rheumatoid arthritis with rheumatoid factor');
    await look(atDesk, 'sent');
    expect(world.clinic.service.creates).toHaveLength(1);
  },
  patience * 2,
);

test.each([
  ['phone', phone],
  ['zoomed', { width: 640, height: 450 }],
] as const)('each of the buttons of the last page has room for its words (%s)', async (name, size) => {
  const page = await world.open(size, `${review()}/confirm`);
  const buttons = page.locator('.verdict-bar .actions > *');
  expect(await buttons.count()).toBe(3);
  const boxes = await buttons.evaluateAll((all) =>
    all.map((one) => {
      const { top, width, height } = one.getBoundingClientRect();
      return { top, width, height };
    }),
  );
  const [send, ...others] = boxes;
  expect(send!.width).toBeGreaterThan(300);
  for (const { top, width, height } of others) {
    expect(top).toBeGreaterThan(send!.top);
    expect(width).toBeGreaterThan(100);
    // Two lines of words at most.
    expect(height).toBeLessThan(70);
  }
  const [end, bar] = await page.evaluate(() => {
    scrollTo(0, document.documentElement.scrollHeight);
    const place = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
    return [place('.verdict-beside').bottom, place('.verdict-bar').top];
  });
  // Where it does not stay at the foot it has its place before what it is about.
  if (name === 'phone') expect(end).toBeLessThanOrEqual(bar!);
  else expect(bar).toBeLessThan(0);
  await look(page, `confirm-${name}`);
});

test('the drugs that were tried read as label and value on a phone', async () => {
  const path = await handedOver();
  as(prescriber);
  const page = await world.open(phone, path);
  const [first] = await page
    .locator('table.stacks tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => getComputedStyle(cell, '::before').content)),
    );
  expect(first).toEqual(['"Drug: "', '"When and how long: "', '"How it ended: "']);
  const cells = page.locator('table.stacks tbody tr').first().locator('> *');
  const lefts = await cells.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().left));
  expect(new Set(lefts).size).toBe(1);
});

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
    const page = await world.open(size, path);
    const headings = ['What will be sent', 'Changed from the chart', 'Why this drug', 'What is attached'];
    for (const heading of headings) await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await page.getByText('to “Once a month”').waitFor();
    await look(page, `sign-${name}`);
    as(nurse);
    await page.goto(`${world.scene.url}${path}`);
    await page.getByText(/You can read this, but not sign it/).waitFor();
    await look(page, `sign-nurse-${name}`);
    await page.goto(`${world.scene.url}${review()}/confirm`);
    await page.getByText('Waiting: signature').waitFor();
    await look(page, `handed-over-${name}`);
  },
  patience * 2,
);

test(
  'by keyboard alone it is returned with a note, handed over again, and signed',
  async () => {
    const path = await handedOver();
    as(prescriber);
    const page = await world.open(desk, path);
    await tabTo(page, 'What has to change');
    await page.keyboard.type('The label says every two weeks.');
    await tabTo(page, 'Return it');
    await page.keyboard.press('Enter');
    await page.getByText('Returned. Your colleagues see your note.').waitFor();
    await look(page, 'returned');

    as(nurse);
    await page.goto(`${world.scene.url}${review()}/confirm`);
    await page.getByText('The label says every two weeks.').waitFor();
    await look(page, 'returned-nurse');
    await page.goto(`${world.scene.url}${review()}`);
    await page.locator('#signature', { hasText: 'The label says every two weeks.' }).waitFor();
    await look(page, 'returned-review');
    await page.goto(`${world.scene.url}${review()}/confirm`);
    await tabTo(page, 'Hand over to Adwoa Osei-Brandt to sign');
    await page.keyboard.press('Enter');
    await page.getByText('Waiting: signature').waitFor();

    as(prescriber);
    await page.goto(`${world.scene.url}${path}`);
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
    const [page, oldTab] = [await world.open(phone, path), await world.open(phone, path)];
    as(nurse);
    const form = formOf((await world.scene.get(review())).body, 'review');
    const fields = { 'f.prescription.directions': 'Twice a month', action: 'save' };
    await world.scene.post(review(), { ...form, ...fields }, { origin: world.scene.url });
    const confirm = formOf((await world.scene.get(`${review()}/confirm`)).body);
    await world.scene.post(`${review()}/confirm`, { ...confirm, action: 'ask' }, { origin: world.scene.url });
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

test('on paper the page names the clinic and the day, and has nothing that can only be clicked', async () => {
  const path = await handedOver();
  as(prescriber);
  const page = await world.open(desk, path);
  await page.emulateMedia({ media: 'print' });
  await page.pdf();
  expect(await page.locator('.bar .site').innerText()).toMatch(/^Valley Clinic\s+[A-Z][a-z]{2} \d{1,2}, 20\d\d$/);
  for (const hidden of ['.bar nav', '.logout', '.crumb', '.actions', '#return', '.confirm .hint', '.all-values'])
    expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false);
});
