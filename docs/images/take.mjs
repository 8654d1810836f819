// Takes the screenshots of README from a fresh sandbox: npm run screenshots. CHROMIUM_PATH names the browser.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startSandbox } from '../../dist/src/sandbox/index.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const folder = mkdtempSync(join(tmpdir(), 'screenshots-'));
const sandbox = await startSandbox({ dataDir: folder, port: 0, speed: 4, clock: () => new Date(), log: silent });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  const save = (name, options = {}) => page.screenshot({ path: join(import.meta.dirname, `${name}.png`), ...options });

  const chart = `${sandbox.ehr.url}/patients/snomed-patient`;
  await page.goto(chart);
  await page
    .getByRole('button', { name: /Start prior authorization/ })
    .or(page.getByRole('link', { name: /Start prior authorization/ }))
    .first()
    .click();
  await page.waitForURL(/\/orders\//);
  await save('review');

  await page.getByLabel('ICD-10-CM code', { exact: true }).fill('E66.9');
  await page.getByRole('button', { name: 'Review and send' }).click();
  await page.getByRole('button', { name: /^Send for / }).click();
  await page.waitForURL(/\/cases\//);
  await page
    .getByText(/^Approved/)
    .first()
    .waitFor({ timeout: 90_000 });
  await page.reload();
  await save('case');

  await page.getByRole('link', { name: 'Worklist' }).click();
  await page.getByRole('link', { name: /^Decided/ }).click();
  await page.getByRole('link', { name: 'Wendell Okafor-Smith' }).waitFor();
  await save('worklist');

  await page.goto(chart);
  await page.getByText('Open PDF').first().waitFor({ timeout: 30_000 });
  await page.locator('h2', { hasText: 'Tasks' }).scrollIntoViewIfNeeded();
  await page.evaluate(() => {
    for (const heading of document.querySelectorAll('h2'))
      if (heading.textContent === 'Tasks') heading.scrollIntoView({ block: 'start' });
    scrollBy(0, -40);
  });
  await save('chart');

  await page.goto(`${sandbox.url}/playground?chart=story-no-rxbin`);
  await page.locator('[data-target="patient.date_of_birth"] .pick').click();
  await page.waitForTimeout(800);
  await save('playground');
} finally {
  await browser.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
}
