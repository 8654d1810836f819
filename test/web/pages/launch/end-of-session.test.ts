import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Launch } from '../../../../src/ehr/smart/types.ts';
import { launchId, openScene, type Scene } from '../../support.ts';
import { chartCookies, chartLaunches, openTwoCharts, readTwoCharts } from '../../two-charts.ts';

// One press ends whatever the person has open in this browser.

const cookie = chartCookies.map(({ name, value }) => `${name}=${value}`).join('; ');
const [, other = ''] = chartLaunches;

let scene: Scene;
let ended: string[];

beforeEach(async () => {
  ended = [];
  scene = await openScene('story-complete', (deps) => ({ ...deps, readChart: readTwoCharts }));
  openTwoCharts(scene);
  scene.smart.logout = async ({ id }) => void ended.push(id);
});
afterEach(() => scene.app.close());

async function end() {
  const { body } = await scene.get(`${scene.home}/orders`, { cookie });
  const [, token = ''] = /name="token" value="([\w-]+)"/.exec(body) ?? [];
  return await scene.post(`${scene.home}/logout`, { token }, { cookie });
}

test('the end of a session ends every other of this person in this browser, and says so', async () => {
  const { body, headers } = await end();
  expect(ended.toSorted()).toEqual([...chartLaunches].toSorted());
  expect(body).toContain('Every chart and worklist that you had open in this browser is closed.');
  const cleared = [headers['set-cookie']].flat().join(' ');
  for (const id of chartLaunches) expect(cleared).toContain(`__Host-bridge-${id}=;`);
});

test('a colleague’s session in the same browser stays', async () => {
  const { open } = scene.smart;
  scene.smart.open = async (id, session) => {
    const launch: Launch = await open(id, session);
    return id === other ? { ...launch, fhirUser: 'Practitioner/colleague' } : launch;
  };
  await end();
  expect(ended).toEqual([launchId]);
});

test('of a user whom the EHR did not name only the session of the page ends, and nothing else is said', async () => {
  const { fhirUser: _, ...unnamed } = scene.smart.launch;
  scene.smart.launch = unnamed;
  const { body } = await end();
  expect(ended).toEqual([launchId]);
  expect(body).not.toContain('Every chart');
});

test('every page of a session says who is signed in', async () => {
  const who = async () => /<p class="signed-in">(.*?)<\/p>/.exec((await scene.get(`${scene.home}/orders`)).body)?.[1];
  expect(await who()).toContain('Riley Okafor, MA');
  const { userName: _, ...unnamed } = scene.smart.launch;
  scene.smart.launch = unnamed;
  expect(await who()).toContain('Your EHR did not give your name');
});
