import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { cli } from '../cli/run-cli.ts';
import { expectAccessible, patience } from './browser.ts';
import { useSandbox } from './sandbox.ts';

const world = useSandbox('playground');
let problems: string[] = [];

afterEach(() => {
  expect(problems).toEqual([]);
  problems = [];
});

async function open(address: string, options: { readonly javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await world.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(address);
  return page;
}

const playground = (chart: string) => `${world.sandbox.url}/playground?chart=${chart}`;
const field = (page: Page, target: string): Locator => page.locator(`.field-line[data-target="${target}"]`);
const element = (page: Page, place: string): Locator => page.locator(`.element[data-place="${place}"]`);
const litIn = (page: Page, pane: string, name: string) =>
  page.locator(`${pane} .lit`).evaluateAll((lines, key) => lines.map((line) => line.getAttribute(key)), name);

test('a field lights the element it was read from, and shows the rule; an element lights its fields', async () => {
  const page = await open(playground('story-no-rxbin'));
  await expectAccessible(page);

  await field(page, 'prescription.directions').locator('.pick').click();
  await expect
    .poll(() => litIn(page, '.resources', 'data-place'))
    .toEqual(['MedicationRequest/norx-order MedicationRequest.dosageInstruction[0].text']);
  await expect.poll(() => litIn(page, '.body', 'data-target')).toEqual(['prescription.directions']);
  await expect
    .poll(() => field(page, 'prescription.directions').locator('.why dl').textContent())
    .toMatch(/Expression%directions.*Ruleprior-auth/);
  await expect
    .poll(() => isInView(element(page, 'MedicationRequest/norx-order MedicationRequest.dosageInstruction[0].text')))
    .toBe(true);
  await expectAccessible(page);

  await element(page, 'Patient/norx-patient Patient.birthDate').locator('.value').click();
  await expect.poll(() => litIn(page, '.body', 'data-target')).toEqual(['patient.date_of_birth']);
  await expect
    .poll(() => page.getByRole('status').textContent())
    .toBe('Patient/norx-patient Patient.birthDate became patient.date_of_birth.');
  await expect.poll(() => isInView(field(page, 'patient.date_of_birth'))).toBe(true);

  // A part lights everything that was made of what is inside it.
  await element(page, 'Patient/norx-patient Patient.name[0]').locator('.key').first().click();
  await expect.poll(() => litIn(page, '.body', 'data-target')).toEqual(['patient.first_name', 'patient.last_name']);
});

test('the keyboard alone does the same, and Escape puts the light out', async () => {
  const page = await open(playground('story-no-rxbin'));
  await field(page, 'patient.first_name').locator('.pick').focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => litIn(page, '.resources', 'data-place'))
    .toEqual(['Patient/norx-patient Patient.name[0].given[0]']);
  await element(page, 'Patient/norx-patient Patient.gender').locator('.use').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => litIn(page, '.body', 'data-target')).toEqual(['patient.gender']);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.lit').count()).toBe(0);
});

test('what was not read is dimmed on demand, still readable, and says why when it is chosen', async () => {
  const page = await open(playground('story-two-coverages'));
  const use = page.locator('.element.unread .key').first();
  const before = await use.evaluate((line) => getComputedStyle(line).color);
  await page.getByLabel('Show what was not read').check();
  await expect.poll(() => use.evaluate((line) => getComputedStyle(line).color)).not.toBe(before);
  const closed = page.locator('.resource-item:not([open]) > summary');
  while ((await closed.count()) > 0) await closed.first().click();
  await expectAccessible(page);
  await page.locator('.element[data-place$=" Patient.active"] .value').click();
  await expect
    .poll(() => page.getByRole('status').textContent())
    .toMatch(/^Nothing of the request came from Patient\/\S+ Patient\.active: read to fill a role/);
});

test('a gap leads to its line, and an own bundle is mapped and forgotten', async () => {
  const page = await open(playground('quantity-absent-is-a-gap'));
  await page.getByRole('link', { name: 'prescription.quantity', exact: true }).click();
  await expect.poll(() => litIn(page, '.body', 'data-target')).toEqual(['prescription.quantity']);
  await expect.poll(() => page.getByRole('status').textContent()).toBe('prescription.quantity is missing.');

  const bundle = readFileSync(join(import.meta.dirname, '../../fixtures/charts/story-taper/bundle.json'), 'utf8');
  await page.getByText('Bring your own bundle').click();
  await page.locator('textarea').fill(bundle);
  await expect.poll(() => page.getByLabel('Chart').inputValue()).toBe('');
  await page.getByRole('button', { name: 'Map' }).click();
  await page.waitForURL(`${world.sandbox.url}/playground`);
  await expect.poll(() => page.locator('.resource-item').count()).toBe(JSON.parse(bundle).entry.length);
  await expect.poll(() => page.locator('.resources .element.used').count()).toBeGreaterThan(10);
  await expectAccessible(page);
});

test('without JavaScript the fields and elements are links to each other', async () => {
  const page = await open(playground('story-no-rxbin'), { javaScriptEnabled: false });
  await field(page, 'patient.date_of_birth').locator('.pick').click();
  const place = element(page, 'Patient/norx-patient Patient.birthDate');
  await expect.poll(() => new URL(page.url()).hash).toBe(`#${await place.getAttribute('id')}`);
  await place.locator('.use').click();
  await expect
    .poll(() => new URL(page.url()).hash)
    .toBe(`#${await field(page, 'patient.date_of_birth').getAttribute('id')}`);
  await page.getByLabel('Mapping').selectOption('enrollment');
  await page.getByRole('button', { name: 'Map' }).click();
  await expect.poll(() => field(page, 'programId').count()).toBe(1);
});

test('a launch at the sandbox is recorded as a mapping case that passes and names nobody', async () => {
  const page = await open(`${world.sandbox.ehr.url}/patients/norx-patient`);
  await page.getByText('Start prior authorization').first().click();
  await page.waitForURL((url) => url.href.startsWith(`${world.sandbox.bridge.url}/app/`));
  await page.getByRole('button', { name: /Show technical details/ }).click();
  await page.getByLabel(/Its name states the behaviour/).fill('rx-bin-absent-in-a-launch');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Record as a fixture' }).click();
  await page.getByRole('heading', { name: 'The order’s directions' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByRole('heading', { name: 'The chart is recorded as a mapping case' }).waitFor();
  await expectAccessible(page);
  const recorded = join(world.folder, 'recorded');
  expect(readdirSync(join(recorded, 'rx-bin-absent-in-a-launch')).sort()).toEqual([
    'bundle.json',
    'expected.json',
    'request.json',
  ]);
  expect(readFileSync(join(recorded, 'rx-bin-absent-in-a-launch/bundle.json'), 'utf8')).not.toMatch(
    /Applewhite|Desmond/,
  );
  expect(await cli(['test', '--fixtures', recorded])).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 passed, 0 failed'),
  });
});

function isInView(line: Locator): Promise<boolean> {
  return line.evaluate((one) => {
    const [own, pane] = [one.getBoundingClientRect(), one.closest('.pane')?.getBoundingClientRect()];
    return pane !== undefined && own.top >= pane.top && own.top < Math.min(pane.bottom, innerHeight);
  });
}
