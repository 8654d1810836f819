import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openScene, type Scene } from '../web/support.ts';
import { expectAccessible, useBrowser } from './browser.ts';

// A browser on a busy machine answers late.
const soon = { timeout: 20_000 };

let scene: Scene;
const world = useBrowser(() => scene);

const followed = (patient: string) => ({ site: 'valley', patient, state: 'open' }) as const;

/** A page over the scene, whose bridge is away while `away` says so: no answer, or the answer of a proxy before it. */
async function open(path: string, away: () => 'no' | 'silent' | 'behind a proxy'): Promise<Page> {
  const page = await (await world.browser.newContext()).newPage();
  await page.route('**/*', async (route) => {
    const state = away();
    if (state === 'silent') return await route.abort('connectionrefused');
    if (state === 'behind a proxy') return await route.fulfill({ status: 502, body: 'Bad Gateway' });
    const { pathname, search } = new URL(route.request().url());
    const { status, body, headers } = await scene.get(`${pathname}${search}`);
    await route.fulfill({ status, body, headers: { 'content-type': String(headers['content-type'] ?? '') } });
  });
  await page.goto(`http://localhost:8080${path}`);
  return page;
}

test.each(['silent', 'behind a proxy'] as const)(
  'an open page says that the bridge cannot be reached (%s), and goes on once it can [S30]',
  async (away) => {
    scene = await openScene('story-complete');
    const patient = `Patient/${scene.smart.launch.patient}`;
    const { id } = scene.cases.put({ ...followed(patient), record: { id: 'pa_1', status: 'processing' } });
    let state: 'no' | typeof away = 'no';
    const page = await open(`${scene.home}/cases/${id}`, () => state);
    const notice = page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' });
    expect(await notice.count()).toBe(0);
    state = away;
    await notice.waitFor(soon);
    await expectAccessible(page);
    scene.cases.put({ id, ...followed(patient), record: { id: 'pa_1', status: 'awaiting_outcome' } });
    state = 'no';
    await page.getByRole('heading', { name: 'With the payer' }).waitFor(soon);
    expect(await notice.count()).toBe(0);
  },
);
