import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { chartCookies, chartLaunches, charts, openTwoCharts, readTwoCharts } from '../web/two-charts.ts';
import { patience } from './browser.ts';
import { useClinicScene } from './clinic-scene.ts';
import { look, tabTo } from './look.ts';

// Drafts of two patients are read on one page and sent together.

const world = useClinicScene({}, (deps) => ({ ...deps, readChart: readTwoCharts }));
beforeEach(() => openTwoCharts(world.scene));

/** The worklist, after both drafts were looked through. */
async function open(viewport: { width: number; height: number }): Promise<Page> {
  const { scene } = world;
  const page = await world.open(viewport);
  const url = scene.url.replace('http:', 'https:');
  await page.context().addCookies(chartCookies.map((cookie) => ({ ...cookie, url, secure: true })));
  for (const id of chartLaunches) await page.goto(`${scene.url}/app/${id}/orders/${charts[id].order}`);
  await page.goto(`${scene.url}${scene.home}/worklist`);
  return page;
}

test.each([
  ['wide', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
  ['zoomed', { width: 640, height: 450 }],
] as const)(
  'from the worklist: both are shown, one is checked and sent, the other stays (%s)',
  async (name, size) => {
    const page = await open(size);
    await page.getByRole('link', { name: 'Send several ready drafts together' }).click();
    const boxes = page.getByRole('checkbox', { name: /^I have read it: send/ });
    await boxes.first().waitFor();
    expect(await boxes.count()).toBe(2);
    await look(page, `ready-${name}`);
    await page.getByRole('checkbox', { name: /for Marisol June Tennyson$/ }).check();
    await page.getByRole('button', { name: 'Send the checked requests' }).click();
    await page.getByText(/\. Sent$/).waitFor();
    expect(await boxes.count()).toBe(1);
    expect(world.clinic.service.creates).toHaveLength(1);
    await look(page, `ready-sent-${name}`);
  },
  patience * 2,
);

test(
  'by keyboard alone',
  async () => {
    const page = await open({ width: 1280, height: 900 });
    await page.goto(`${world.scene.url}${world.scene.home}/ready`);
    await tabTo(page, /^I have read it/);
    await page.keyboard.press('Space');
    await tabTo(page, /^Send the checked requests/);
    await page.keyboard.press('Enter');
    await page.getByText(/\. Sent$/).waitFor();
    expect(world.clinic.service.creates).toHaveLength(1);
  },
  patience * 2,
);
