import { Buffer } from 'node:buffer';
import type { DocumentReference } from 'fhir/r4.js';
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { imageOf, pdfOf } from '../ehr/documents/support.ts';
import { expectAccessible, expectAccessibleAlsoDark, patience, useBrowser } from './browser.ts';
import { type BrowserScene, openBrowserScene } from './scene-browser.ts';

/** SHOTS=<folder> keeps pictures. */
const shots = process.env.SHOTS;

let scene: BrowserScene;
const world = useBrowser(() => scene);

async function open(options: BrowserContextOptions = {}) {
  scene = await openBrowserScene('story-complete');
  const patient = scene.resources.find(({ resourceType }) => resourceType === 'Patient')?.id ?? '';
  const image = await imageOf('image/png', 320, 200);
  const note = (id: string, contentType: string, data: string): DocumentReference => ({
    resourceType: 'DocumentReference',
    id,
    status: 'current',
    type: { text: 'Outside report' },
    subject: { reference: `Patient/${patient}` },
    date: '2026-11-01T10:00:00Z',
    content: [{ attachment: { contentType, data } }, { attachment: { contentType: 'image/png', data: image } }],
  });
  scene.resources = [...scene.resources, note('report', 'application/pdf', await pdfOf(['Joint count 12. CRP 14.']))];
  const page = await scene.page(world.browser, options);
  page.setDefaultTimeout(patience);
  await page.goto(`${scene.url}${scene.home}/orders/${scene.order}`);
  return page;
}

const picture = async (page: Awaited<ReturnType<typeof open>>, name: string) =>
  shots === undefined ? undefined : await page.screenshot({ path: `${shots}/${name}.png`, fullPage: false });

describe('a preview', { timeout: 2 * patience }, () => {
  test('opens over the page by keyboard, ticks its box there, and gives the focus back', async () => {
    const page = await open();
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    const link = page.getByRole('link', { name: /Preview of .*Outside report/ });
    await page.getByText(/^More from the chart/).click();
    await link.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /Outside report/ });
    await dialog.getByText('Joint count 12. CRP 14.').waitFor();
    expect(await dialog.getByRole('img').evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(320);
    await expectAccessible(page);
    await picture(page, 'preview-dialog');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await link.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Attach this document' }).click();
    const box = page.locator('input[name="evidence"][value="DocumentReference/report"]');
    expect(await box.isChecked()).toBe(true);
    expect(await dialog.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test.each([
    ['light and dark', {}],
    ['phone', { viewport: { width: 390, height: 844 } }],
  ])('is a page of its own, accessible: %s', async (name, options) => {
    const page = await open(options);
    await page.goto(`${page.url()}/documents/${encodeURIComponent('DocumentReference/report')}`);
    await page.getByText('Joint count 12. CRP 14.').waitFor();
    await expectAccessibleAlsoDark(page);
    await picture(page, `preview-${name}`);
    expect(await page.evaluate('document.body.scrollWidth - document.body.clientWidth')).toBe(0);
  });
});

describe('a file from the disk', { timeout: 2 * patience }, () => {
  test('that is too large is told when it is chosen, and what was typed stays', async () => {
    const page = await open({});
    await page.getByRole('link', { name: 'Attach a file' }).click();
    await page.getByLabel('What is it?').fill('Rheumatology office note');
    const file = page.getByLabel('File', { exact: true });
    const of = (size: number) => ({ name: 'note.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(size, 'a') });
    await file.setInputFiles(of(15_000_001));
    const said = () => file.evaluate((input: HTMLInputElement) => input.validationMessage);
    expect(await said()).toBe('This file is larger than 15 MB. Save only the pages that the payer needs.');
    await page.getByRole('button', { name: 'Attach' }).click();
    expect(new URL(page.url()).pathname).toMatch(/\/attach\/document$/);
    expect(await page.getByLabel('What is it?').inputValue()).toBe('Rheumatology office note');
    await file.setInputFiles(of(1000));
    expect(await said()).toBe('');
  });

  test.each([
    ['light and dark', {}],
    ['phone', { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }],
  ])('is attached, read and removed, with and without a script: %s', async (name, options) => {
    const page = await open(options);
    await page.getByRole('link', { name: 'Attach a file' }).click();
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'photo.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(await imageOf('image/jpeg', 20, 20), 'base64'),
    });
    await page.getByLabel('What is it?').fill('Rheumatology office note');
    await page.getByLabel('Date of the document').fill('2026-10-05');
    await picture(page, `attach-${name}`);
    await page.getByRole('button', { name: 'Attach' }).click();
    await page.getByRole('alert').getByText('This file is a picture').waitFor();
    if (name !== 'phone') await expectAccessibleAlsoDark(page);
    await picture(page, `refused-${name}`);
    expect(await page.getByLabel('What is it?').inputValue()).toBe('Rheumatology office note');
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'note.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(await pdfOf(['Methotrexate failed after 12 weeks.']), 'base64'),
    });
    await page.getByRole('button', { name: 'Attach' }).click();
    await page.waitForURL(/#section-evidence$/);
    await page.getByText('Rheumatology office note, Oct 5, 2026').waitFor();
    await page.locator('#section-evidence .attached').scrollIntoViewIfNeeded();
    if (name !== 'phone') await expectAccessibleAlsoDark(page);
    await picture(page, `attached-${name}`);
    await page.getByRole('link', { name: 'View or remove Rheumatology office note' }).click();
    await page.getByText('Methotrexate failed after 12 weeks.').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.waitForURL(/#section-evidence$/);
    expect(await page.getByText('Rheumatology office note').count()).toBe(0);
  });

  test('a photo of the card is shown with the insurance', async () => {
    const page = await open();
    await page.locator('#fold-section-insurance > summary').click();
    await page.getByRole('link', { name: 'Attach a photo of the card' }).click();
    await expectAccessible(page);
    await page.getByLabel('Photo', { exact: true }).setInputFiles({
      name: 'card.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from(await imageOf('image/jpeg', 600, 380), 'base64'),
    });
    await page.getByRole('button', { name: 'Attach' }).click();
    await page.waitForURL(/#section-insurance$/);
    await page.locator('#section-insurance .cards img').waitFor();
    await page.locator('#section-insurance .attached').scrollIntoViewIfNeeded();
    await picture(page, 'card');
  });
});
