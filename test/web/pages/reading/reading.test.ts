import { afterEach, expect, test } from 'vitest';
import { BridgeError } from '../../../../src/core/errors.ts';
import type { AuditEntry } from '../../../../src/store/types.ts';
import { createWaits } from '../../../../src/web/http/waits.ts';
import { openScene, type Scene } from '../../support.ts';

let scene: Scene;
afterEach(() => scene?.app.close());

/** A clinic whose EHR answers when the test says so: the first request does not wait, the next as long as it takes. */
async function slowClinic() {
  const gate = { ...Promise.withResolvers<void>() };
  const asked: string[] = [];
  const audited: AuditEntry[] = [];
  scene = await openScene('story-complete', (deps) => ({
    ...deps,
    patience: { firstMs: 0, againMs: 600_000 },
    audit: { record: async (entry) => void audited.push(entry) },
    readChart: async (api, focus) => {
      asked.push(focus.order ?? 'all');
      await gate.promise;
      return await deps.readChart!(api, focus);
    },
  }));
  return {
    asked,
    audited,
    answers: () => gate.resolve(),
    fails: () => gate.reject(new BridgeError('ehr_unreachable')),
    closeAgain: () => Object.assign(gate, Promise.withResolvers<void>()),
    review: `${scene.home}/orders/${scene.order}`,
  };
}

/** Where the page goes by itself. */
function goesOn(body: string): string | undefined {
  return /<meta http-equiv="refresh" content="0; url=([^"]*)"/.exec(body)?.[1];
}

test('while the EHR is slow a page says so, and the same address gives the review once the chart is read', async () => {
  const clinic = await slowClinic();
  const page = await scene.get(clinic.review);
  expect(page.status).toBe(200);
  expect(page.body).toContain('Reading the patient’s chart</h1>');
  expect(page.body).toContain('<p role="status">Your EHR is taking longer than usual.');
  expect(page.headers['cache-control']).toBe('no-store');
  const again = scene.get(goesOn(page.body) ?? '');
  clinic.answers();
  const review = await again;
  expect(review.body).toContain('Review the prior authorization');
  expect(goesOn(review.body)).toBeUndefined();
  expect(goesOn(page.body)).toBe(clinic.review);
  expect(clinic.asked).toEqual([scene.order]);
});

test('the list of orders waits in the same way, at the address that the launch leads to', async () => {
  const clinic = await slowClinic();
  const page = await scene.get(scene.home);
  expect(goesOn(page.body)).toBe(scene.home);
  const again = scene.get(scene.home);
  clinic.answers();
  expect((await again).body).toContain('Orders and requests');
  expect(clinic.asked).toEqual(['all']);
});

test('what an address says besides stays: a notice, a new request', async () => {
  const clinic = await slowClinic();
  const page = await scene.get(`${clinic.review}?anew=1&technical=1`);
  expect(goesOn(page.body)).toBe(`${clinic.review}?anew=1&amp;technical=1`);
  clinic.answers();
});

test('the patient is named where an earlier request names them, and no address names anybody', async () => {
  const clinic = await slowClinic();
  const patient = `Patient/${scene.smart.launch.patient}`;
  scene.cases.put({ site: 'valley', patient, state: 'ended', banner: { name: 'Marisol Tennyson' } });
  const { body } = await scene.get(clinic.review);
  expect(body).toContain('<h1 id="reading">Reading the chart of Marisol Tennyson</h1>');
  expect(body).toContain('<title>Reading the chart · Prior authorization</title>');
  expect(body).not.toMatch(/(?:href|action|content)="[^"]*(?:Marisol|Tennyson)/);
  expect(clinic.audited).toContainEqual(expect.objectContaining({ action: 'page_viewed', patient }));
  clinic.answers();
});

test('what the EHR fails with meanwhile is told, and trying again asks it anew', async () => {
  const clinic = await slowClinic();
  await scene.get(clinic.review);
  clinic.fails();
  const told = await scene.get(clinic.review);
  expect(told.status).toBe(502);
  expect(told.body).toContain('The EHR cannot be reached.');
  expect(told.body).toContain(`href="${clinic.review}"`);
  expect(clinic.asked).toHaveLength(1);
  clinic.closeAgain();
  expect(goesOn((await scene.get(clinic.review)).body)).toBe(clinic.review);
  expect(clinic.asked).toHaveLength(2);
  clinic.answers();
});

test('two windows share one reading', async () => {
  const clinic = await slowClinic();
  await scene.get(clinic.review);
  const both = [scene.get(clinic.review), scene.get(clinic.review)];
  clinic.answers();
  for (const one of await Promise.all(both)) expect(one.body).toContain('Review the prior authorization');
  expect(clinic.asked).toHaveLength(1);
});

test('a chart that was read is shown at once', async () => {
  const clinic = await slowClinic();
  await scene.get(clinic.review);
  clinic.answers();
  await scene.get(clinic.review);
  clinic.closeAgain();
  expect((await scene.get(clinic.review)).body).toContain('Review the prior authorization');
  clinic.answers();
});

test('where the launch begins is waited for in the same way', async () => {
  const clinic = await slowClinic();
  const gate = Promise.withResolvers<undefined>();
  const { api } = scene.smart;
  scene.smart.api = (launch) => ({ ...api(launch), read: () => gate.promise });
  scene.smart.launch = { ...scene.smart.launch, tasks: [{ reference: 'Task/t1' }] };
  expect(goesOn((await scene.get(scene.home)).body)).toBe(scene.home);
  const again = scene.get(scene.home);
  gate.resolve(undefined);
  expect((await again).headers.location).toBe(`${scene.home}/orders?unopened=task-unknown`);
  clinic.answers();
});

test('the script of the page is told when there is something to show, and the page still gets it', async () => {
  const clinic = await slowClinic();
  const look = (path: string) => scene.get(path, { 'x-reading': 'wait' });
  expect((await look(clinic.review)).status).toBe(202);
  const later = look(clinic.review);
  clinic.fails();
  expect(await later).toMatchObject({ status: 204, body: '' });
  expect((await scene.get(clinic.review)).body).toContain('The EHR cannot be reached.');
  clinic.closeAgain();
  expect((await look(scene.home)).status).toBe(202);
  const list = look(scene.home);
  clinic.answers();
  expect((await list).status).toBe(204);
  expect((await scene.get(scene.home)).body).toContain('Orders and requests');
});

test('work is done once, its result is given once, and its failure to one who asks', async () => {
  const waits = createWaits({ firstMs: 0, againMs: 600_000 });
  const gate = Promise.withResolvers<string>();
  let times = 0;
  const work = async () => {
    times += 1;
    return await gate.promise;
  };
  expect(await waits.result('a', work)).toBeUndefined();
  const again = waits.result('a', work);
  gate.resolve('done');
  expect(await again).toEqual({ value: 'done' });
  expect(times).toBe(1);
  const failing = Promise.withResolvers<string>();
  expect(await waits.result('b', () => failing.promise)).toBeUndefined();
  failing.reject(new Error('away'));
  await expect(waits.result('b', work)).rejects.toThrow('away');
  expect(times).toBe(1);
});
