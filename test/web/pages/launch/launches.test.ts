import type { FastifyInstance } from 'fastify';
import type { MedicationRequest, Patient, Resource } from 'fhir/r4.js';
import nock from 'nock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mappings } from '../../../../mappings/index.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { createVault } from '../../../../src/base/vault.ts';
import { buildApp } from '../../../../src/web/app.ts';
import { type Bench, bench, discoverable, ehr, iss, testSite, token } from '../../../ehr/smart/support.ts';
import { fakeCases, formOf } from '../../support.ts';

// Launches as browsers make them, against an EHR whose token service answers when the test says so.

let on: Bench;
let app: FastifyInstance;
let ehrTokens: ReturnType<typeof slowTokens>;

beforeEach(async () => {
  discoverable();
  ehrTokens = slowTokens();
  on = bench();
  app = await openApp(on);
});
afterEach(() => app.close());

function openApp({ config, smart, clock }: Bench): Promise<FastifyInstance> {
  return buildApp({
    config,
    smart,
    cases: fakeCases(),
    mappings,
    vault: createVault(config.keys),
    clock,
    log: silentLog,
    patience: { firstMs: 600_000, againMs: 600_000 },
    readChart: async (_api, { patient }) => ({
      entries: chartOf(patient).map((resource) => ({ resource })),
      rounds: 1,
      warnings: [],
      forbidden: [],
      unread: [],
    }),
  });
}

describe('launches that overlap in one browser [S1]', () => {
  test.each([2, 3, 10])(
    '%i first launches at once, without a cookie before, are all open at the end',
    async (count) => {
      const browser = new Browser(app);
      const started = await Promise.all(patients(count).map((patient) => browser.launch(patient)));
      const callbacks = started.map(({ state }) => browser.callback(state));
      await ehrTokens.answerAll(count);
      await showsEach(browser, await Promise.all(callbacks));
    },
  );

  test('ten launches of a browser that has a chart open leave that chart open too', async () => {
    const browser = new Browser(app);
    const first = await browser.wholeLaunch('patient-first', ehrTokens);
    const started = await Promise.all(patients(10).map((patient) => browser.launch(patient)));
    const callbacks = started.map(({ state }) => browser.callback(state));
    await ehrTokens.answerAll(10);
    await showsEach(browser, await Promise.all(callbacks));
    expect((await browser.get(`${first}/orders`)).body).toContain('Family-patient-first');
  });

  test('answers of the token service that come in the other order lose none', async () => {
    const browser = new Browser(app);
    const started = [];
    for (const patient of patients(3)) started.push(await browser.launch(patient));
    const callbacks = started.map(({ state }) => browser.callback(state));
    await ehrTokens.asked(3);
    for (const patient of patients(3).reverse()) ehrTokens.answer(patient);
    await showsEach(browser, await Promise.all(callbacks));
  });

  test('a whole launch that begins and ends while another waits for its token loses neither', async () => {
    const browser = new Browser(app);
    const slow = await browser.launch('patient-1');
    const waiting = browser.callback(slow.state);
    await ehrTokens.asked(1);
    const quick = await browser.wholeLaunch('patient-2', ehrTokens);
    ehrTokens.answer('patient-1');
    await showsEach(browser, [await waiting, quick]);
  });

  test('a double click: the second /launch leaves before the first answer, and both can be finished', async () => {
    const browser = new Browser(app);
    const twice = await Promise.all([browser.launch('patient-1'), browser.launch('patient-1')]);
    const callbacks = twice.reverse().map(({ state }) => browser.callback(state));
    await ehrTokens.answerAll(2);
    for (const home of await Promise.all(callbacks))
      expect((await browser.get(`${home}/orders`)).body).toContain('Family-patient-1');
  });
});

describe('whose launch it is', () => {
  test('the session id before the sign-in opens nothing after it [B22]', async () => {
    const browser = new Browser(app);
    const { state, launch } = await browser.launch('patient-1');
    const planted = new Browser(app, browser);
    const home = browser.callback(state);
    await ehrTokens.answerAll(1);
    expect(await home).toBe(`/app/${launch}`);
    expect((await planted.get(`/app/${launch}/orders`)).statusCode).toBe(404);
    expect((await browser.get(`/app/${launch}/orders`)).statusCode).toBe(200);
  });

  test('the answer of a launch that another browser began is refused [B02]', async () => {
    const attacker = new Browser(app);
    const victim = new Browser(app);
    await victim.wholeLaunch('patient-1', ehrTokens);
    const { state } = await attacker.launch('patient-2');
    const reply = await victim.get(`/callback/valley?state=${state}&code=patient-2`);
    expect(reply.statusCode).toBe(400);
    expect(reply.body).toContain('We could not verify this sign-in.');
    expect(ehrTokens.count()).toBe(1);
  });

  test('a cookie of one launch opens no other one [C03]', async () => {
    const browser = new Browser(app);
    const one = await browser.wholeLaunch('patient-1', ehrTokens);
    const other = new Browser(app);
    const foreign = await other.wholeLaunch('patient-2', ehrTokens);
    expect((await browser.get(`${foreign}/orders`)).statusCode).toBe(404);
    other.rename(one.slice('/app/'.length));
    expect((await other.get(`${one}/orders`)).statusCode).toBe(404);
  });
});

test('a browser keeps the cookies of launches that live, and loses those of launches that are over', async () => {
  const browser = new Browser(app);
  for (const patient of patients(31)) await browser.wholeLaunch(patient, ehrTokens);
  on.clock.forward(61 * 60_000);
  const home = await browser.wholeLaunch('patient-last', ehrTokens);
  expect(browser.names()).toEqual([`__Host-bridge-${home.slice('/app/'.length)}`]);
});

test('cookies with names that no launch can have are left alone', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `__Host-bridge-(${index})`);
  const cookie = names.map((name) => `${name}=x`).join('; ');
  const reply = await app.inject({
    method: 'GET',
    url: `/launch?${new URLSearchParams({ iss, launch: 'patient-1' })}`,
    headers: { cookie },
  });
  expect(reply.statusCode).toBe(303);
  expect([reply.headers['set-cookie']].flat()).toHaveLength(1);
});

/** Ends the session of a whole launch; the page that says so. */
async function endedPage(browser: Browser): Promise<string> {
  const home = await browser.wholeLaunch('patient-1', ehrTokens);
  const page = await browser.get(`${home}/orders`);
  const form = new URLSearchParams({ token: /name="token" value="([\w-]+)"/.exec(page.body)?.[1] ?? '' });
  nock(ehr).post('/oauth/revoke').twice().reply(200);
  return (await browser.post(`${home}/logout`, form)).body;
}

test('the end of a session takes its cookie away', async () => {
  const browser = new Browser(app);
  expect(await endedPage(browser)).toContain('You are signed out.');
  expect(browser.names()).toEqual([]);
});

describe('the end of a session, with which its token goes [S14]', () => {
  const waits = 'Decisions that arrive later are saved to the chart the next time this app is opened for this patient.';

  test('says that outcomes wait for the next launch', async () => {
    expect(await endedPage(new Browser(app))).toContain(waits);
  });

  test('does not say so where the bridge writes with a token of its own', async () => {
    await app.close();
    on = bench({ sites: [testSite({ writeback: { tokens: ['system', 'next-launch'] } })] });
    app = await openApp(on);
    expect(await endedPage(new Browser(app))).not.toContain(waits);
  });
});

describe('what was typed when the session ended [S23]', () => {
  const fax = 'f.provider.fax';

  test('is there again after the next launch, and the page says that it is kept', async () => {
    const browser = new Browser(app);
    const home = await browser.wholeLaunch('patient-1', ehrTokens);
    const form = formOf((await browser.get(`${home}/orders/order-patient-1`)).body);
    on.clock.forward(61 * 60_000);
    const reply = await browser.post(`${home}/orders/order-patient-1`, encoded({ ...form, [fax]: ['6085550143'] }));
    expect(reply.statusCode).toBe(401);
    expect(reply.body).toContain('What you entered is kept.');
    const again = await browser.wholeLaunch('patient-1', ehrTokens);
    expect(formOf((await browser.get(`${again}/orders/order-patient-1`)).body)[fax]).toEqual(['6085550143']);
  });

  test.each([
    ['another browser', { fromElsewhere: true, status: 404 }],
    ['a form that is not ours', { token: 'A'.repeat(43), status: 403 }],
    ['a form of another patient', { patient: 'B'.repeat(43), status: 401 }],
  ])('of %s is not kept, and the page does not say so', async (_what, wrong) => {
    const browser = new Browser(app);
    const home = await browser.wholeLaunch('patient-1', ehrTokens);
    const form = formOf((await browser.get(`${home}/orders/order-patient-1`)).body);
    on.clock.forward(61 * 60_000);
    const sent = {
      ...form,
      [fax]: ['6085550143'],
      ...('token' in wrong ? { token: [wrong.token] } : {}),
      ...('patient' in wrong ? { patient: [wrong.patient] } : {}),
    };
    const sender = 'fromElsewhere' in wrong ? new Browser(app) : browser;
    const reply = await sender.post(`${home}/orders/order-patient-1`, encoded(sent));
    expect(reply.statusCode).toBe(wrong.status);
    expect(reply.body).not.toContain('What you entered is kept.');
    const again = await browser.wholeLaunch('patient-1', ehrTokens);
    expect(formOf((await browser.get(`${again}/orders/order-patient-1`)).body)[fax]).not.toEqual(['6085550143']);
  });
});

function encoded(form: Readonly<Record<string, readonly string[]>>): URLSearchParams {
  return new URLSearchParams(Object.entries(form).flatMap(([name, values]) => values.map((value) => [name, value])));
}

async function showsEach(browser: Browser, homes: readonly string[]): Promise<void> {
  const shown = await Promise.all(homes.map(async (home) => (await browser.get(`${home}/orders`)).body));
  expect(shown.map((page) => /Family-patient-\d+/.exec(page)?.[0])).toEqual(
    patients(homes.length).map((patient) => `Family-${patient}`),
  );
}

function patients(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `patient-${index + 1}`);
}

/** A chart that shows whose it is. */
function chartOf(patient: string): Resource[] {
  const person: Patient = { resourceType: 'Patient', id: patient, name: [{ family: `Family-${patient}` }] };
  const order: MedicationRequest = {
    resourceType: 'MedicationRequest',
    id: `order-${patient}`,
    status: 'active',
    intent: 'order',
    subject: { reference: `Patient/${patient}` },
    medicationCodeableConcept: { text: 'Humira' },
  };
  return [person, order];
}

/** A browser with one cookie jar; what it is told last stands. */
class Browser {
  private readonly jar: Map<string, string>;

  constructor(
    private readonly app: FastifyInstance,
    like?: Browser,
  ) {
    this.jar = new Map(like?.jar);
  }

  names(): string[] {
    return [...this.jar.keys()];
  }

  /** Sends each session id under the name of another launch. */
  rename(launch: string): void {
    const values = [...this.jar.values()];
    this.jar.clear();
    for (const value of values) this.jar.set(`__Host-bridge-${launch}`, value);
  }

  /** `code` of the EHR is the patient, so that the token service knows whom to name. */
  async launch(patient: string): Promise<{ state: string; launch: string }> {
    const before = new Set(this.jar.keys());
    const reply = await this.get(`/launch?${new URLSearchParams({ iss, launch: patient })}`);
    expect(reply.statusCode).toBe(303);
    const state = new URL(String(reply.headers.location)).searchParams.get('state') ?? '';
    pending.set(state, patient);
    const made = this.names().find((name) => !before.has(name)) ?? '';
    return { state, launch: made.replace('__Host-bridge-', '') };
  }

  /** Answers the address of the open launch. */
  async callback(state: string): Promise<string> {
    const reply = await this.get(`/callback/valley?${new URLSearchParams({ state, code: pending.get(state) ?? '' })}`);
    expect(reply.statusCode, reply.body).toBe(303);
    return String(reply.headers.location);
  }

  async wholeLaunch(patient: string, tokens: ReturnType<typeof slowTokens>): Promise<string> {
    const { state } = await this.launch(patient);
    const home = this.callback(state);
    await tokens.asked(tokens.count() + 1 - Number(tokens.isAsked(patient)));
    tokens.answer(patient);
    return home;
  }

  get(url: string) {
    return this.send({ method: 'GET', url });
  }

  post(url: string, form: URLSearchParams) {
    return this.send({ method: 'POST', url, payload: form.toString() });
  }

  private async send(request: { method: 'GET' | 'POST'; url: string; payload?: string }) {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const type = request.payload === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await this.app.inject({ ...request, headers: { cookie, accept: 'text/html', ...type } });
    for (const one of [reply.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      if (value === '' || /Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(one)) this.jar.delete(name);
      else this.jar.set(name, value);
    }
    return reply;
  }
}

const pending = new Map<string, string>();

/** A token service that holds each request until the test lets it answer. */
function slowTokens() {
  const waiting = new Map<string, (() => void)[]>();
  const watchers: (() => void)[] = [];
  let received = 0;
  nock(ehr)
    .persist()
    .post('/oauth/token')
    .reply(async (request: Request) => {
      const patient = new URLSearchParams(await request.text()).get('code') ?? '';
      received += 1;
      const released = new Promise<void>((resolve) => {
        waiting.set(patient, [...(waiting.get(patient) ?? []), resolve]);
      });
      for (const watch of watchers.splice(0)) watch();
      await released;
      return [200, JSON.stringify({ ...token, patient }), { 'content-type': 'application/json' }];
    });
  const answer = (patient: string) => {
    for (const release of waiting.get(patient) ?? []) release();
    waiting.delete(patient);
  };
  const asked = async (count: number) => {
    while (received < count) await new Promise<void>((resolve) => watchers.push(resolve));
  };
  return {
    answer,
    asked,
    count: () => received,
    isAsked: (patient: string) => waiting.has(patient),
    /** Waits until `count` requests are there altogether, then answers them. */
    async answerAll(more: number) {
      const before = received - [...waiting.values()].flat().length;
      await asked(before + more);
      for (const patient of [...waiting.keys()]) answer(patient);
    },
  };
}
