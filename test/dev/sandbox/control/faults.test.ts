import Fastify, { type FastifyInstance } from 'fastify';
import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { registerFaults } from '../../../../src/dev/sandbox/control/faults.ts';
import { ehrPresets, servicePresets } from '../../../../src/dev/sandbox/control/presets.ts';
import { Switches, type SwitchTable } from '../../../../src/dev/sandbox/control/switches.ts';
import { ehrSwitches } from '../../../../src/dev/sandbox/ehr/ehr-switches.ts';
import { serviceSwitches } from '../../../../src/dev/sandbox/service/service-switches.ts';

let app: FastifyInstance;
let switches: Switches<typeof ehrSwitches>;

beforeEach(async () => {
  app = Fastify();
  switches = new Switches(ehrSwitches, () => new Date('2026-11-21T12:00:00Z'), false);
  await registerFaults(app, { switches, page: (_, content) => render(content), examplePath: '/fhir/Task' });
});
afterEach(() => app.close());

function post(path: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) {
  return app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
}

test.each([
  ['EHR', ehrSwitches],
  ['service', serviceSwitches],
])('the page of the %s has each of its switches with what it does and a form', async (_, table) => {
  const other = Fastify();
  const standing = new Switches(table, () => new Date(), true);
  await registerFaults(other, { switches: standing, page: (__, content) => render(content), examplePath: '/' });
  const { body } = await other.inject('/sandbox/faults');
  await other.close();
  const words = (text: string) => text.replaceAll('`', '');
  const shown = body
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  for (const [name, { meaning, off }] of Object.entries(table)) {
    expect(body).toContain(`<input type="hidden" name="switch" value="${name}"`);
    expect(shown).toContain(words(meaning));
    expect(shown).toContain(`While it is off: ${words(off)}.`);
  }
});

test('what the form offers turns each fault on, and the page turns it off', async () => {
  const values = new Map(Object.entries(ehrSwitches).map(([name, { example }]) => [name, JSON.stringify(example)]));
  for (const [name, value] of values)
    expect((await post('/sandbox/faults', { switch: name, value })).statusCode).toBe(303);
  expect(switches.standing().map((one) => one.switch)).toEqual([...values.keys()]);
  const [first] = switches.standing();
  await post('/sandbox/faults/off', { id: String(first?.id) });
  expect(switches.standing()).toHaveLength(values.size - 1);
  await post('/sandbox/faults/off', {});
  expect(switches.standing()).toEqual([]);
  expect((await app.inject('/sandbox/faults')).body).toContain('Everything works as it should.');
});

test('limits are those that were entered, and an empty field is none', async () => {
  const limits = { path: '/fhir/Task', method: 'POST', times: '3', forSeconds: '60' };
  await post('/sandbox/faults', { switch: 'drop', value: 'after', ...limits });
  await post('/sandbox/faults', { switch: 'drop', value: '"before"', path: '', method: '', times: '', forSeconds: '' });
  expect(switches.standing()).toMatchObject([
    { switch: 'drop', value: 'after', limits: { path: '/fhir/Task', method: 'POST', times: 3, forSeconds: 60 } },
    { switch: 'drop', value: 'before', limits: {} },
  ]);
  const { body } = await app.inject('/sandbox/faults');
  expect(body).toContain('path /fhir/Task');
  expect(body).toContain('Happened 0 times.');
});

test('what is no order is told beside what was typed, and nothing is turned on', async () => {
  const { statusCode, body } = await post('/sandbox/faults', { switch: 'delay', value: 'soon', times: 'often' });
  expect(statusCode).toBe(422);
  expect(body).toContain('delay was not turned on');
  expect(body).toMatch(/value: .*number/i);
  expect(body).toContain('value="soon"');
  expect(switches.standing()).toEqual([]);
  expect((await post('/sandbox/faults', { switch: 'nonsense' })).statusCode).toBe(422);
});

test('a page of another site turns nothing on or off', async () => {
  switches.set({ switch: 'hide-patient', value: true });
  const foreign = { 'sec-fetch-site': 'cross-site' };
  expect((await post('/sandbox/faults', { switch: 'delay', value: '5' }, foreign)).statusCode).toBe(403);
  expect((await post('/sandbox/faults/off', {}, foreign)).statusCode).toBe(403);
  expect(switches.standing().map((one) => one.switch)).toEqual(['hide-patient']);
});

test.each([
  ['EHR', ehrSwitches, ehrPresets],
  ['service', serviceSwitches, servicePresets],
] as const)('each fault of the %s by its name is one click, and ends by itself', async (_, table, presets) => {
  for (const { id, title } of presets) {
    const other = Fastify();
    const now = { at: 0 };
    const standing = new Switches<SwitchTable>(table, () => new Date(now.at), true);
    const page = (__: string, content: VNode) => render(content);
    await registerFaults(other, { switches: standing, page, presets, examplePath: '/' });
    expect((await other.inject('/sandbox/faults')).body).toContain(title);
    await other.inject({
      method: 'POST',
      url: '/sandbox/faults/preset',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `preset=${id}`,
    });
    expect(standing.standing().map(({ over }) => over)).toContain(false);
    now.at = 601_000;
    expect(standing.standing().every(({ over }) => over)).toBe(true);
    await other.close();
  }
});
