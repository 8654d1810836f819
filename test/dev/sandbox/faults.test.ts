import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { type Sandbox, startSandbox } from '../../../src/dev/sandbox/index.ts';
import { putDatabase } from '../../support/embedded.ts';
import { createVisitor, type Visitor } from '../../support/visitor.ts';

let sandbox: Sandbox;
let folder: string;

const start = () => startSandbox({ dataDir: folder, port: 0, speed: 0, clock: () => new Date(), log: silentLog });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridge-faults-'));
  await putDatabase(join(folder, 'bridge'));
  sandbox = await start();
});

afterAll(async () => {
  await sandbox?.close();
  await rm(folder, { recursive: true, force: true });
});

test('an issuer that is not registered gets a page, and no session', async () => {
  const visitor = await createVisitor().go(
    `${sandbox.bridge.url}/launch?iss=https%3A%2F%2Fehr.evil.example%2Ffhir&launch=1`,
  );
  expect(visitor.status).toBe(400);
  expect(visitor.body).toContain('This app is not set up for your EHR.');
});

test('no header of a request moves where the EHR sends its answer [A08]', async () => {
  const { address } = sandbox.ehr.launch({ patient: 'taper-patient', order: 'taper-order' });
  const spoofed = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-original-uri': '/evil',
    forwarded: 'host=evil.example',
  };
  const reply = await new Promise<IncomingMessage>((done, failed) =>
    get(address, { headers: spoofed }, done).on('error', failed),
  );
  reply.resume();
  expect(reply.statusCode).toBe(303);
  expect(new URL(reply.headers.location ?? '').searchParams.get('redirect_uri')).toBe(
    `${sandbox.bridge.url}/callback/valley`,
  );
});

test('an EHR that is down at launch gives a page that says so, and the next launch works [A09]', async () => {
  sandbox.ehr.switches.set({ switch: 'status', value: { status: 503 } });
  const visitor = createVisitor();
  const { address } = sandbox.ehr.launch({ patient: 'taper-patient', order: 'taper-order' });
  await visitor.go(address);
  expect(visitor.status).toBe(502);
  sandbox.ehr.switches.clear();
  await launch(visitor, 'taper');
  expect(visitor.body).toContain('Review the prior authorization');
});

test('an EHR that names the encounter only opens the chart of its patient [S28]', async () => {
  sandbox.ehr.switches.set({ switch: 'hide-patient', value: true });
  const visitor = await createVisitor().go(
    sandbox.ehr.launch({ patient: 'taper-patient', order: 'taper-order' }).address,
  );
  sandbox.ehr.switches.clear();
  expect(visitor.status).toBe(200);
  expect(visitor.body).toContain('Review the prior authorization');
});

test('an EHR that names neither patient nor encounter gets no session and no chart', async () => {
  sandbox.ehr.switches.set({ switch: 'hide-patient', value: true });
  const visitor = await createVisitor().go(sandbox.ehr.launch({ patient: 'taper-patient' }).address);
  sandbox.ehr.switches.clear();
  expect(visitor.status).toBe(403);
  expect(visitor.body).toContain('The EHR named no patient for this launch.');
  expect(visitor.body).toContain('Open a patient’s chart first, then open this app from it.');
  await visitor.go(visitor.address);
  expect(visitor.body).not.toContain('Review the prior authorization');
});

test('a sign-in answer works once only [B03]', async () => {
  const visitor = createVisitor();
  const seen = await callbackOf(visitor, 'taper');
  await visitor.go(seen);
  expect(visitor.status).toBe(400);
  expect(visitor.body).toContain('already used');
});

test('when the answer of a create is lost nothing is sent twice, and the record’s webhook settles it', async () => {
  const visitor = await launch(createVisitor(), 'complete');
  const before = await records();
  sandbox.service.switches.set({ switch: 'drop', value: 'after', path: '/prior-authorization', times: 1 });
  await send(visitor);
  expect(visitor.address).toContain('/cases/');
  await until(visitor, /<h2 id="standing">Received</);
  expect((await records()).length - before.length).toBe(1);
});

test('when the service refuses before anything took effect the draft stays, and sending again works', async () => {
  const visitor = await launch(createVisitor(), 'steptx');
  const before = await records();
  const busy = { status: 503, retryAfter: 1 };
  sandbox.service.switches.set({ switch: 'status', value: busy, path: '/prior-authorization', times: 1 });
  await send(visitor);
  expect(visitor.address).toContain('/orders/steptx-order');
  expect(visitor.body).toContain('<h2>Not sent</h2>');
  expect(await records()).toEqual(before);
  await send(visitor);
  expect(visitor.address).toContain('/cases/');
});

test('what the service names as wrong is a link to its field, and the entry is still there', async () => {
  sandbox.service.switches.set({ switch: 'error-code', value: { code: 'provider_not_authorized', title: 'Refused' } });
  const visitor = await launch(createVisitor(), 'taper');
  await visitor.submit('f.provider.fax', { 'f.prescription.quantity': '1.5', action: 'check' });
  await visitor.submit('digest', { action: 'send' });
  expect(visitor.body).toContain('<a href="#field-provider-npi">Prescriber: NPI</a>');
  expect(visitor.body).toContain('value="1.5"');
  sandbox.service.switches.clear();
});

test('an EHR that answers a create with 201 and no body has stored it [G03]', async () => {
  sandbox.ehr.switches.set({ switch: 'empty-created', value: 'body' });
  const visitor = await launch(createVisitor(), 'norx');
  await send(visitor);
  await until(visitor, /Task in the chart<\/span>[\s\S]*?>in the chart<[\s\S]*<code>Task\/[^<]+<\/code>/);
  sandbox.ehr.switches.clear();
});

test('an EHR that takes no Task gets the letter alone, and the page says why [G01, G02]', async () => {
  sandbox.ehr.switches.set({ switch: 'hide-type', value: 'Task' });
  const visitor = await launch(createVisitor(), 'contained');
  const before = await records();
  await send(visitor);
  const id = (await records()).find((known) => !before.includes(known));
  for (let steps = 1; (await sandbox.service.step(id ?? '')) !== 'completed'; steps += 1) expect(steps).toBeLessThan(8);
  await until(visitor, /<h2 id="standing">(Approved|Denied)/);
  await until(visitor, /<code>DocumentReference\/[^<]+<\/code>/);
  expect(visitor.body).toMatch(/Task in the chart<\/span>[\s\S]*?>not possible in this EHR</);
  sandbox.ehr.switches.clear();
});

test('cases and entries survive a restart of the bridge', async () => {
  const visitor = await launch(createVisitor(), 'twocov');
  await visitor.submit('f.provider.fax', { 'f.provider.fax': '(217) 555-0133', action: 'save' });
  await sandbox.close();
  sandbox = await start();
  const again = await launch(createVisitor(), 'twocov');
  expect(again.body).toContain('value="(217) 555-0133"');
  const sent = await launch(createVisitor(), 'complete');
  expect(sent.address).toContain('/cases/');
});

test('a service that cannot be reached leaves the draft and says that nothing was sent', async () => {
  const visitor = await launch(createVisitor(), 'twocov');
  await sandbox.service.close();
  await send(visitor);
  expect(visitor.body).toContain('Nothing was sent.');
  expect(visitor.body).toContain('value="(217) 555-0133"');
});

async function launch(visitor: Visitor, story: string): Promise<Visitor> {
  await visitor.go(sandbox.ehr.launch({ patient: `${story}-patient`, order: `${story}-order` }).address);
  expect(visitor.status).toBe(200);
  return visitor;
}

/** Completes what is missing, confirms and sends. */
async function send(visitor: Visitor): Promise<void> {
  await visitor.submit('f.provider.fax', { action: 'check' });
  expect(visitor.address).toMatch(/\/confirm$/);
  await visitor.submit('digest', { action: 'send' });
}

/** The address of the callback that ended a launch. */
async function callbackOf(visitor: Visitor, story: string): Promise<string> {
  const seen: string[] = [];
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    if (input instanceof URL && input.pathname.startsWith('/callback/')) seen.push(input.href);
    return original(input, init);
  };
  try {
    await launch(visitor, story);
  } finally {
    globalThis.fetch = original;
  }
  return seen[0] ?? '';
}

/** Ids of the service's records. */
async function records(): Promise<string[]> {
  const list: { id: string }[] = await (await fetch(`${sandbox.service.url}/sandbox/prior-authorization`)).json();
  return list.map(({ id }) => id);
}

async function until(visitor: Visitor, pattern: RegExp): Promise<void> {
  // Compared as a truth, so that a failure does not print the page.
  await expect
    .poll(async () => pattern.test((await visitor.go(visitor.address)).body), {
      interval: 200,
      message: String(pattern),
    })
    .toBe(true);
}
