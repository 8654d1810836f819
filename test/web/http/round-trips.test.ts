import { afterEach, expect, test } from 'vitest';
import { readChart } from '../../../src/ehr/chart/read-chart.ts';
import { type RoundTripEhr, roundTripEhr } from '../../bench/numbers/round-trip-ehr.ts';
import { formOf, openScene, type Scene } from '../support.ts';

let scene: Scene;
afterEach(() => scene?.app.close());

async function launched(includes: boolean): Promise<RoundTripEhr> {
  scene = await openScene('everything-in-the-chart-is-complete', (deps) => ({ ...deps, readChart }));
  const ehr = roundTripEhr(scene.resources, { base: scene.smart.launch.iss, includes, delayMs: 1 });
  scene.smart.api = () => ehr.api;
  return ehr;
}

const review = () => `${scene.home}/orders/${scene.order}`;

test('from the launch to the draft in one round trip where the EHR takes _include', async () => {
  const ehr = await launched(true);
  expect((await scene.get(review())).body).toContain('id="review"');
  expect(ehr.rounds()).toBe(1);
});

test('in one more where it does not: for the prescriber and the payer', async () => {
  const ehr = await launched(false);
  expect((await scene.get(review())).body).toContain('id="review"');
  expect(ehr.rounds()).toBe(2);
});

test.each([true, false])('an order opened from the list pulls nothing again (_include: %s)', async (includes) => {
  const ehr = await launched(includes);
  expect((await scene.get(`${scene.home}/orders`)).body).toContain(`/orders/${scene.order}`);
  const listed = ehr.asked.length;
  const { body } = await scene.get(review());
  expect(body).toContain('id="review"');
  expect(new Set(ehr.asked).size).toBe(ehr.asked.length);
  const types = ehr.asked.slice(listed).map((request) => request.replace(/[/?].*/, ''));
  expect(types).toContain('Coverage');
  expect(types).not.toContain('MedicationRequest');
  expect(types).not.toContain('Patient');
});

test('the draft is the same from the list as without it', async () => {
  await launched(true);
  const alone = formOf((await scene.get(review())).body, 'review');
  await scene.app.close();
  await launched(true);
  await scene.get(`${scene.home}/orders`);
  const fromList = formOf((await scene.get(review())).body, 'review');
  const same = ({ token: _token, seen: _seen, ...form }: Record<string, string[]>) => form;
  expect(same(fromList)).toEqual(same(alone));
});

test('a page that is opened again asks the EHR nothing', async () => {
  const ehr = await launched(true);
  await scene.get(review());
  const asked = ehr.asked.length;
  await scene.get(review());
  expect(ehr.asked).toHaveLength(asked);
});
