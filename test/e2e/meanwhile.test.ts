import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { BridgeError } from '../../src/core/errors.ts';
import { expectAccessible, patience, useBrowser } from './browser.ts';
import { type BrowserScene, openBrowserScene } from './scene-browser.ts';

// What happens elsewhere while a review is open.

let scene: BrowserScene;
const world = useBrowser(() => scene);

async function open(): Promise<Page> {
  scene = await openBrowserScene('story-complete');
  const page = await scene.page(world.browser, { viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(patience);
  await page.clock.install();
  await page.goto(`${scene.url}${scene.home}/orders/${scene.order}`);
  return page;
}

const draft = () => [...scene.cases.all.values()][0]!;

test('a colleague’s change is told with who and when, and stands in its field; one’s own stays', async () => {
  const page = await open();
  await page.locator('#fold-section-patient > summary').click();
  const phone = page.locator('#field-patient-phone');
  await phone.fill('2175550123');
  await page.clock.runFor(2000);
  await expect.poll(() => draft().edits).toEqual({ 'patient.phone': '2175550123' });

  await scene.cases.saveDraft(draft().id, ({ edits, enteredBy }) => ({
    edits: { ...edits, 'provider.fax': '2175550177' },
    enteredBy: {
      ...enteredBy,
      'provider.fax': {
        fhirUser: 'Practitioner/prac-2',
        name: 'Ruth Amari',
        at: new Date(Date.now() + 60_000).toISOString(),
      },
    },
  }));
  await page.clock.runFor(16_000);
  await page.locator('#colleagues', { hasText: 'Ruth Amari' }).waitFor();
  expect(await page.locator('#field-provider-fax').inputValue()).toBe('2175550177');
  expect(await phone.inputValue()).toBe('2175550123');
  await expectAccessible(page);
});

test('what was typed when the session was over is there after the next launch', async () => {
  const page = await open();
  await page.locator('#fold-answers').waitFor();
  const { launch, open: opened } = scene.smart;
  const over = async () => {
    throw new BridgeError('relaunch_required');
  };
  Object.assign(scene.smart, { open: over, ended: async () => launch });
  await page.locator('#fold-section-patient > summary').click();
  await page.locator('#field-patient-phone').fill('2175550144');
  await page.clock.runFor(2000);
  await page.getByRole('heading', { name: /session has ended/ }).waitFor();
  expect(page.url()).not.toContain('2175550144');
  await expectAccessible(page);

  Object.assign(scene.smart, { open: opened, ended: async () => undefined });
  await page.goto(`${scene.url}${scene.home}/orders/${scene.order}`);
  expect(await page.locator('#field-patient-phone').inputValue()).toBe('2175550144');
});
