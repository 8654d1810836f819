import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentReference } from '../../mappings/document-reference.ts';
import { mappings } from '../../mappings/index.ts';
import { task } from '../../mappings/task.ts';
import { buildApp } from '../../src/app.ts';
import { isEditable, isSent } from '../../src/cases/case.ts';
import { type Cases, createCases } from '../../src/cases/cases.ts';
import { createContext } from '../../src/cases/context.ts';
import { makeConfig } from '../../src/config.ts';
import { silentLog } from '../../src/log.ts';
import { versionOf } from '../../src/proof/version.ts';
import { stories } from '../../src/sandbox/ehr/stories.ts';
import type { PriorAuthorization } from '../../src/service/contract/prior-authorization.ts';
import { createSmart } from '../../src/smart/smart.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/types.ts';
import { createVault } from '../../src/vault.ts';
import { queues } from '../../src/work/queues.ts';
import { createWork, type Work } from '../../src/work/work.ts';
import { putDatabase } from '../support/embedded.ts';
import { eventually } from '../support/eventually.ts';
import { fakeEhr } from '../support/fake-ehr.ts';
import { type FakeService, fakeService } from '../support/fake-service.ts';
import { testSite } from '../support/site.ts';
import { tempFolder } from '../support/temp.ts';
import { formOf, story } from '../web/support.ts';
import { working } from './clinic.ts';
import type { EarlierCase } from './earlier-version/ca2e819.ts';
import { readDump } from './earlier-version/dump.ts';
import { restoreDataFolder } from './earlier-version/restore.ts';

const dump = readDump('ca2e819');
const folder = tempFolder('earlier');
const url = 'http://localhost:8080';
const started = performance.now();
const clock = () => new Date(Date.parse(dump.at) + 60_000 + performance.now() - started);
const present = { mapping: 'prior-auth', version: versionOf(mappings['prior-auth']['prior-auth']!) };

/** Every case as it was stored, by its id. */
const before = new Map(dump.tables.cases.map(({ id, sealed }) => [String(id), opened(String(id), String(sealed))]));

let store: Store;
let cases: Cases;
let work: Work;
let service: FakeService;
let app: FastifyInstance;

beforeAll(async () => {
  await putDatabase(folder.path);
  await restoreDataFolder(dump, folder.path);
  store = await openStore({ config: { keys: [dump.key], dataDir: folder.path }, log: silentLog, queues });
  service = serviceOf([...before.values()]);
  const ehr = fakeEhr();
  const site = testSite({
    iss: dump.iss,
    service: { url: 'https://service.example', tokenEnv: 'SERVICE_TOKEN', readsPerMinute: 60_000 },
    enrollment: { programs: [{ programId: 'sandbox-copay', name: 'Copay support (sandbox)' }] },
  });
  const config = makeConfig({ BRIDGE_URL: url, BRIDGE_KEYS: dump.key, BRIDGE_POLL_SECONDS: 1 }, [site], {
    SERVICE_TOKEN: 'token',
  });
  const context = createContext({
    store,
    config,
    services: () => service,
    access: async () => ({ api: ehr, by: 'refresh' }),
    mappings: { task, documentReference },
    clock,
    log: silentLog,
  });
  cases = createCases(context);
  work = createWork(context, { limits: config.jobs });
  const smart = createSmart({ config, store: store.launches, clock, log: silentLog });
  app = await buildApp({
    config,
    vault: createVault([dump.key]),
    smart,
    cases,
    mappings,
    clock,
    log: silentLog,
    patience: { firstMs: 600_000, againMs: 600_000 },
    readChart: async (_, { patient }) => ({
      entries: chartOf(patient),
      rounds: 1,
      warnings: [],
      forbidden: [],
      unread: [],
    }),
  });
});

afterAll(async () => {
  await app?.close();
  await store?.close();
  folder.remove();
});

describe('a data folder of the version before', () => {
  test('opens: every case is as it was left, and every launch that was open still is', async () => {
    for (const [id, was] of before) expect(await cases.get(id)).toMatchObject(asItIsNow(was));
    for (const { launch, cookie } of Object.values(dump.sessions))
      expect((await get(`/app/${launch}/orders`, cookie)).statusCode).toBe(200);
  });

  test.each(Object.keys(dump.cases).filter((name) => ['unknown', 'open', 'ended'].includes(left(name).state)))(
    '%s: its page shows what was sent, each value with its source',
    async (name) => {
      const { id, provenance = [] } = left(name);
      const reply = await visit(name, `/cases/${id}`);
      expect(reply.statusCode).toBe(200);
      const page = textOf(reply.body);
      const places = provenance.flatMap(({ target, source }) => (target.startsWith('evidence') ? [] : (source ?? [])));
      expect(places.length).toBeGreaterThan(10);
      for (const { resource, path } of places) {
        expect(page).toContain(` Resource ${resource}`);
        expect(page).toContain(` Path ${path} `);
      }
      expect(page).not.toContain('Source not recorded');
      expect(page).toContain('Which version of the mapping made it was not kept then.');
    },
  );

  test('a letter and the payer’s own letter of a decided case can be downloaded', async () => {
    const { id } = left('complete prior-auth completed');
    for (const file of ['letter.pdf', 'payer-letter.pdf'])
      expect((await visit('complete prior-auth completed', `/cases/${id}/${file}`)).rawPayload.subarray(0, 5)).toEqual(
        Buffer.from('%PDF-'),
      );
  });

  test('an unsent draft is filled by the present rules, keeps its entries, and waits for a person', async () => {
    const draft = left('twocov prior-auth draft');
    const { body } = await visit('twocov prior-auth draft', '/orders/twocov-order');
    expect(textOf(body)).toContain('The rules that fill this request have changed');
    expect(textOf(body)).toContain('It is not known which values changed: they were not kept then.');
    const form = formOf(body, 'review');
    expect(form).toMatchObject({
      'f.insurance_content.member_number': ['ENTERED-77'],
      'f.prescription.quantity': ['8'],
      'f.provider.fax': [''],
      'f.priority': ['1'],
      coverage: ['Coverage/twocov-coverage-old'],
    });
    const confirm = await visit('twocov prior-auth draft', '/orders/twocov-order/confirm');
    expect(confirm.headers.location).toMatch(/\/orders\/twocov-order\?notice=rules$/);

    await post('twocov prior-auth draft', '/orders/twocov-order', { ...form, action: ['save'] });
    expect(await cases.get(draft.id)).toMatchObject({ edits: draft.edits, answers: draft.answers, mappedBy: present });
    const again = await visit('twocov prior-auth draft', '/orders/twocov-order');
    expect(again.body).not.toContain('The rules that fill this request have changed');
  });

  test('an entry for a field that no request has any more is told and kept, and can be taken back', async () => {
    const name = 'twocov prior-auth draft';
    const { body } = await visit(name, '/orders/twocov-order');
    expect(textOf(body)).toContain(
      'prescription.refills: 3 . Requests have no such field any more. It is kept here and is not sent.',
    );
    expect(textOf(body)).toContain('Diagnosis 2: M45.6 . It goes with the request.');
    expect(body).not.toContain('Ready to send');
    expect(body).not.toContain('prescription.refills</a>');
    await post(name, '/orders/twocov-order', { ...formOf(body, 'review'), reset: ['prescription.refills'] });
    const { 'prescription.refills': _, ...rest } = left(name).edits;
    const now = await cases.get(left(name).id);
    expect(isEditable(now) && now.edits).toEqual(rest);
  });

  test('what was chosen and typed in the other drafts is still there', async () => {
    const steptx = await visit('steptx prior-auth draft', '/orders/steptx-order');
    expect(formOf(steptx.body, 'review').evidence).toEqual(['Condition/steptx-dm']);
    const refused = await visit('taper prior-auth refused', '/orders/taper-order');
    expect(formOf(refused.body, 'review')['f.insurance_content.rx_bin']).toEqual(['12345']);
    const enrollment = await visit('norx enrollment draft', '/orders/norx-order/enrollment');
    expect(formOf(enrollment.body, 'review')).toMatchObject({
      'consent.by': ['the patient'],
      'consent.how': ['Signed form'],
    });
  });

  test('of a draft whose request had left once, what left says which values changed', async () => {
    for (const [name, order] of [
      ['taper prior-auth refused', 'taper-order'],
      ['contained prior-auth draft', 'contained-order'],
      ['steptx prior-auth draft', 'steptx-order'],
    ] as const) {
      const page = textOf((await visit(name, `/orders/${order}`)).body);
      expect(page).toContain('The rules that fill this request have changed');
      expect(page).toMatch(/No value changed\.|values? (is|are) not as before:/);
    }
  });

  test('a complete draft is sent once somebody has looked through it, and keeps the version of its rules', async () => {
    const name = 'snomed prior-auth draft';
    const { id } = left(name);
    const form = formOf((await visit(name, '/orders/snomed-order')).body, 'review');
    const unseen = await post(name, '/orders/snomed-order/confirm', { ...form, digest: ['of the old page'] });
    expect(unseen.headers.location).toMatch(/\?notice=rules$/);
    expect(service.creates).toEqual([]);
    const checked = await post(name, '/orders/snomed-order', { ...form, action: ['check'] });
    expect(checked.headers.location).toMatch(/\/confirm$/);
    const last = await visit(name, '/orders/snomed-order/confirm');
    await post(name, '/orders/snomed-order/confirm', formOf(last.body));
    expect(service.creates.map(({ prescription }) => prescription.extra?.submission_id)).toEqual([id]);
    expect(await cases.get(id)).toMatchObject({ state: 'open', mappedBy: present });
    const page = await visit(name, `/cases/${id}`);
    expect(textOf(page.body)).toContain(`Filled by prior-auth, version ${present.version}.`);
  });

  test('when the bridge runs nothing that was sent is sent again; what had left stays as it was', async () => {
    const creates = service.creates.length;
    const open = [...before.values()].flatMap(({ state, serviceId }) => (state === 'open' ? (serviceId ?? []) : []));
    await working({ work }, () => eventually(() => expect(service.reads).toEqual(expect.arrayContaining(open))));
    expect([service.creates.length - creates, service.enrollments.length]).toEqual([0, 0]);
    for (const was of [...before.values()].filter(({ sentAt }) => sentAt !== undefined)) {
      const { body, provenance, gaps, sentAt, sentBy, serviceId } = was;
      const now = await cases.get(was.id);
      expect(now).toMatchObject({ sentAt, sentBy, ...(serviceId && { serviceId }) });
      if (!isSent(now)) throw new Error('taken back');
      expect([now.body, now.provenance, now.gaps]).toEqual([body, provenance, gaps]);
    }
    expect(await cases.get(left('norx prior-auth sending').id)).toMatchObject({ state: 'unknown' });
    expect(await cases.get(left('contained prior-auth draft').id)).toMatchObject({ state: 'draft' });
  });
});

/** What a page of the present build shows of it. */
function asItIsNow(was: EarlierCase): object {
  const { id, kind, site, patient, order, state, banner, title, status, serviceId, writes, history } = was;
  const { sentAt, sentBy, endedAt, changedAt, problem, record, body, provenance, edits, answers } = was;
  const sent = { body, provenance, sentAt, sentBy, ...(record && { record }), ...(endedAt && { endedAt }) };
  const entered = { edits, answers };
  return {
    ...{ id, kind, site, patient, order, state, banner, title, history: history.map(saidNow) },
    ...(changedAt && { changedAt }),
    ...(problem && { problem }),
    ...(status && state !== 'draft' && { status }),
    ...(serviceId && { serviceId }),
    ...(state === 'draft' || state === 'refused' ? entered : sent),
    writes: writes.filter((row) => (state !== 'draft' && state !== 'refused') || row.attempts > 0),
  };
}

/** The same event in the words of today. */
function saidNow(entry: EarlierCase['history'][number]): EarlierCase['history'][number] {
  const words: Readonly<Record<string, string>> = {
    'Sent; no certain answer came back': 'Sent. No confirmation received',
    'Looked up: it did not arrive': 'Checked: it did not arrive',
    Processing: 'Received',
    'Submitted to payer': 'With the payer',
    'Outcome being validated': 'Checking the payer’s answer',
    'Awaiting review': 'Your review is needed',
    'Awaiting the prescriber': 'The payer needs information',
    Cancelled: 'Canceled',
    'Write-back asked for': 'Saving to the chart requested',
  };
  const what = words[entry.what] ?? entry.what.replace(/^Cancellation asked for/, 'Cancellation requested');
  return { ...entry, what };
}

function opened(id: string, sealed: string): EarlierCase {
  // as the version before wrote it
  return JSON.parse(createVault([dump.key]).open(sealed, `case|${id}`)) as EarlierCase;
}

function left(name: string): EarlierCase {
  const found = before.get(dump.cases[name] ?? '');
  if (found === undefined) throw new Error(`the folder has no case ${name}`);
  return found;
}

/** Knows every record that a case of the folder follows. */
function serviceOf(all: readonly EarlierCase[]): FakeService {
  const known = fakeService();
  for (const { serviceId, record, status = 'processing' } of all)
    if (serviceId !== undefined)
      // as that service gave it
      known.records.set(serviceId, (record ?? { id: serviceId, status }) as PriorAuthorization);
  return known;
}

function chartOf(patient: string) {
  const folderOf = stories.find((one) => one.patient === patient)?.folder ?? '';
  return story(folderOf).map((resource) => ({ resource }));
}

/** The launch in which a case was made; what has no story of its own was made of the complete one. */
function sessionOf(name: string) {
  const [patient = ''] = name.split(' ');
  const session = dump.sessions[patient] ?? dump.sessions.complete;
  if (session === undefined) throw new Error(`no launch for ${name}`);
  return session;
}

function get(path: string, cookie: string) {
  return app.inject({ method: 'GET', url: path, headers: { cookie: `__Host-bridge=${cookie}`, accept: 'text/html' } });
}

function visit(name: string, path: string) {
  const { launch, cookie } = sessionOf(name);
  return get(`/app/${launch}${path}`, cookie);
}

function post(name: string, path: string, form: Readonly<Record<string, readonly string[]>>) {
  const { launch, cookie } = sessionOf(name);
  const fields = Object.entries(form).flatMap(([field, values]) => values.map((value) => [field, value]));
  return app.inject({
    method: 'POST',
    url: `/app/${launch}${path}`,
    headers: {
      cookie: `__Host-bridge=${cookie}`,
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    payload: new URLSearchParams(fields).toString(),
  });
}

/** What a page says, without its markup. */
function textOf(page: string): string {
  return page
    .replaceAll('<wbr/>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
}
