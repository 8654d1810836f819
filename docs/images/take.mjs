// Takes pictures of the pages from a fresh sandbox. CHROMIUM_PATH names the browser.
//   npm run docs -- images              those of README and docs, into this folder
//   npm run docs -- images <folder>  each page and state in the light, in the dark, on a phone and on paper
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startSandbox } from '../../dist/src/dev/sandbox/index.js';
import { walk, walkBenefits, walkQuestions } from './scenes.mjs';

const ofDocs = new Set([
  'review',
  'confirm',
  'case-review-needed',
  'case-question',
  'case',
  'case-denied',
  'benefits-answer',
  'chart',
  'worklist',
  'playground',
]);
const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
const looks = [
  { name: 'light', size: desk, media: { colorScheme: 'light', media: 'screen' } },
  { name: 'dark', size: desk, media: { colorScheme: 'dark', media: 'screen' } },
  { name: 'phone', size: phone, media: { colorScheme: 'light', media: 'screen' } },
  { name: 'print', size: { width: 794, height: 1123 }, media: { colorScheme: 'light', media: 'print' } },
];

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const target = process.argv[2];
const dataDir = mkdtempSync(join(tmpdir(), 'screenshots-'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const page = await (
    await browser.newContext({ viewport: desk, colorScheme: 'light', reducedMotion: 'reduce' })
  ).newPage();
  page.setDefaultTimeout(120_000);
  if (target !== undefined) mkdirSync(target, { recursive: true });
  await over({ profile: 'documented', prescription: 'named' }, page, walk);
  await over({ profile: 'current', prescription: 'named' }, page, async (world) => {
    await walkBenefits(world);
    await walkQuestions(world);
  });
} finally {
  await browser.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Walks over a sandbox of its own, whose service is spoken to so. */
async function over(service, page, through) {
  const options = { dataDir: join(dataDir, service.profile), port: 0, speed: 0, service };
  const sandbox = await startSandbox({ ...options, clock: () => new Date(), log: silent });
  try {
    await through({ page, sandbox, picture: (name) => (target === undefined ? ofDoc(page, name) : each(page, name)) });
  } finally {
    await sandbox.close();
  }
}

async function ofDoc(page, name) {
  if (ofDocs.has(name)) await page.screenshot({ path: join(import.meta.dirname, `${name}.png`) });
}

async function each(page, name) {
  for (const { name: look, size, media } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia(media);
    await stillness(page);
    await page.screenshot({ path: join(target, `${name}-${look}.png`), fullPage: true });
  }
  await page.setViewportSize(desk);
  await page.emulateMedia(looks[0].media);
}

/** The page is loaded, and colors that change slowly have come to their end. */
async function stillness(page) {
  const ended = () =>
    page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter((one) => one instanceof CSSTransition)
          .map((one) => one.finished.catch(() => undefined)),
      ),
    );
  await page.waitForLoadState();
  // Where the page went on meanwhile, the next one is looked at.
  await ended().catch(async () => {
    await page.waitForLoadState();
    await ended();
  });
}
