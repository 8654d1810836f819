import { afterEach, expect, test } from 'vitest';
import { priorAuth } from '../../../../mappings/prior-auth.ts';
import { type Answer, formOf, openScene, type Scene } from '../../support.ts';

// A page maps its chart once, and what depends on an answer once more.

let scene: Scene;
let mapped = 0;
afterEach(() => scene?.app.close());

/** The site's mapping, which counts how often a chart is mapped by it. */
const counting = Object.create(priorAuth, {
  plan: {
    get() {
      mapped += 1;
      return priorAuth.plan;
    },
  },
}) as typeof priorAuth; // delegates everything else

async function open(chart: string): Promise<void> {
  scene = await openScene(chart, (deps) => ({
    ...deps,
    mappings: { ...deps.mappings, 'prior-auth': { 'prior-auth': counting } },
  }));
}

const here = () => `${scene.home}/orders/${scene.order}`;

/** How often a chart was mapped to answer one request of a browser. */
async function costOf(status: number, ask: () => Promise<Answer>): Promise<number> {
  mapped = 0;
  expect((await ask()).status).toBe(status);
  return mapped;
}

const save = async (entries: Record<string, string>) => {
  const form = formOf((await scene.get(here())).body, 'review');
  return await costOf(303, () => scene.post(here(), { ...form, ...entries, action: 'save' }));
};

test('a review maps its chart once, however often it is opened', async () => {
  await open('everything-in-the-chart-is-complete');
  expect(await costOf(200, () => scene.get(here()))).toBe(1);
  expect(await costOf(200, () => scene.get(here()))).toBe(0);
});

test('a save maps once what was typed, and nothing where nothing was', async () => {
  await open('everything-in-the-chart-is-complete');
  expect(await save({})).toBe(0);
  expect(await save({ 'f.provider.fax': '(217) 555-0133' })).toBe(1);
  expect(await costOf(200, () => scene.get(here()))).toBe(0);
});

test('the last page and the sending map nothing', async () => {
  await open('everything-in-the-chart-is-complete');
  await save({ 'f.provider.fax': '(217) 555-0133' });
  expect(await costOf(200, () => scene.get(`${here()}/confirm`))).toBe(0);
  const form = formOf((await scene.get(`${here()}/confirm`)).body);
  expect(await costOf(303, () => scene.post(`${here()}/confirm`, form))).toBe(0);
});

test('two plans are mapped each to be told apart, and the chosen one once more', async () => {
  await open('story-two-coverages');
  expect(await costOf(200, () => scene.get(here()))).toBe(3);
  const coverage = scene.resources.find(({ resourceType }) => resourceType === 'Coverage')?.id ?? '';
  expect(await save({ coverage: `Coverage/${coverage}` })).toBe(1);
});
