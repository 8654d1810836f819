import { randomUUID } from 'node:crypto';
import type { Task } from 'fhir/r4.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Case, User } from '../../../../src/cases/case.ts';
import { queues } from '../../../../src/cases/work/queues.ts';
import { worklistRules } from '../../../../src/cases/worklist-entry.ts';
import { makeConfig, Site } from '../../../../src/config/config.ts';
import type { Store } from '../../../../src/store/types.ts';
import { aClinic, aSentCase, type Clinic } from '../../../cases/clinic.ts';
import { type Backend, pgliteBackend } from '../../../store/backends.ts';
import { fakeEhr } from '../../../support/fake-ehr.ts';
import { formOf, openScene, type Scene, testConfig } from '../../support.ts';

// What a chart lacks, or says wrongly, on the case page, in the worklist and at the next launch of the patient.

let backend: Backend;
let store: Store;
let clinic: Clinic;
let scene: Scene;

beforeAll(async () => {
  backend = await pgliteBackend();
  store = await backend.open({ worklist: worklistRules, queues });
});
afterAll(async () => {
  await store.close();
  await backend.close();
});
beforeEach(() => begin());
afterEach(() => scene.app.close());

const me: User = { fhirUser: 'Practitioner/prac-1', name: 'Riley Okafor, MA' };
const approval = {
  status: 'completed',
  outcome: { result: 'Approved', detail: 'Approved', detail_code: 'approval' },
};
const denial = {
  status: 'completed',
  outcome: { result: 'Denied', detail: 'Step Therapy Criteria Not Met', detail_code: 'step_therapy_criteria_not_met' },
};
const every = ['create', 'read', 'search-type', 'update'];

async function begin(
  channels: readonly string[] = ['task+document', 'document', 'worklist'],
  ehr = fakeEhr(),
): Promise<void> {
  await scene?.app.close();
  const [base] = testConfig().sites;
  const id = `valley-${randomUUID().slice(0, 8)}`;
  const site = { ...base!, id, writeback: Site.shape.writeback.parse({ channels }) };
  clinic = aClinic(store, { sites: [site], ehr });
  const config = makeConfig(
    { BRIDGE_URL: 'http://localhost:8080', BRIDGE_KEYS: Buffer.alloc(32, 7).toString('base64') },
    [site],
    { SERVICE_TOKEN: 'token', HOOK_NEW: 'new-secret', HOOK_OLD: 'old-secret' },
  );
  scene = await openScene('story-complete', (deps) => ({
    ...deps,
    config,
    cases: clinic.cases,
    worklist: store.worklist,
    audit: store.audit,
  }));
  scene.smart.launch = { ...scene.smart.launch, site, fhirUser: me.fhirUser! };
}

/** A request of the launched patient, delivered as far as the EHR and the tokens let it. */
async function aCase(...statuses: readonly object[]): Promise<Case> {
  const { launch } = scene.smart;
  const sent = await aSentCase(clinic, { site: launch.site.id, patient: `Patient/${launch.patient}` });
  let one: Case = await clinic.cases.retryWriteback(sent.id, 'bridge');
  for (const status of statuses) {
    clinic.service.move(sent.serviceId, status);
    await clinic.cases.refresh(sent.id);
    one = await clinic.cases.retryWriteback(sent.id, 'bridge');
  }
  return one;
}

const page = async (path: string) => (await scene.get(`${scene.home}/${path}`)).body;
const casePage = ({ id }: Case) => page(`cases/${id}`);
const worklist = (part: 'needs' | 'decided' = 'decided') => page(`worklist?part=${part}`);
const orders = () => page('orders');
const press = async (one: Case, action: string) =>
  scene.post(`${scene.home}/cases/${one.id}`, { token: formOf(await casePage(one)).token ?? '', action });

describe('an outcome that waits for the next launch', () => {
  beforeEach(() => {
    // The request was sent from another launch, whose session is over.
    clinic.access = (launch) =>
      launch === scene.smart.launch.id ? { api: clinic.ehr, by: 'session' } : { waiting: 'next-launch' };
  });

  test('is told in the worklist, in the list of orders and on its page', async () => {
    const one = await aCase(approval);
    expect(await worklist()).toContain('Waits for the chart to be opened');
    expect(await worklist()).toContain('Not saved to the chart (1)');
    expect(await orders()).toContain('1 outcome waits to be written to this chart.');
    expect(await casePage(one)).toContain('Not everything is saved to the chart yet');
  });

  test('is written from its page by who opened the chart, and nothing tells of it any more', async () => {
    const one = await aCase(approval);
    await press(one, 'write');
    expect((await clinic.cases.get(one.id)).writes.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(await worklist()).toContain('Not saved to the chart (0)');
    expect(await casePage(one)).not.toContain('Not everything is saved to the chart yet');
  });

  test('is told where another order of the patient is opened', async () => {
    await aCase(approval);
    const body = await page(`orders/${scene.order}`);
    expect(body).toContain('1 other request of this patient is not in the chart as it should be.');
  });
});

describe('a Task that the EHR does not let be changed', () => {
  const fixed = () => fakeEhr({ offers: { Task: ['create', 'read', 'search-type'], DocumentReference: every } });

  test('of a request under way is told everywhere, with what to do', async () => {
    await begin(undefined, fixed());
    const one = await aCase({ status: 'awaiting_outcome' });
    expect(clinic.ehr.all<Task>('Task').at(-1)?.status).toBe('received');
    expect(await casePage(one)).toContain('The task in the chart shows an earlier status');
    expect(await casePage(one)).toContain('correct the task in the EHR');
    expect(await orders()).toContain('Chart shows an old status');
    expect(await worklist('needs')).toContain('Not saved to the chart');
  });

  test('of an ended one is told as well, with the second Task beside it', async () => {
    await begin(undefined, fixed());
    const one = await aCase({ status: 'awaiting_outcome' }, approval);
    expect(await casePage(one)).toContain('A second task beside it tells how the request ended.');
    expect(await orders()).toContain('Chart shows an old status');
    expect(await worklist()).toContain('Chart shows an old status');
  });

  test('is told until it says the present status, as after somebody corrected it in the EHR', async () => {
    await begin(undefined, fixed());
    const one = await aCase({ status: 'awaiting_outcome' }, approval);
    const [task] = clinic.ehr.all<Task>('Task').filter(({ identifier }) => identifier?.[0]?.value === one.id);
    const [second] = clinic.ehr.all<Task>('Task').filter(({ partOf }) => partOf !== undefined);
    clinic.ehr.resources.set(`Task/${task?.id}`, { ...second!, id: task!.id!, identifier: task!.identifier! } as Task);
    await press(one, 'write');
    expect(await casePage(one)).not.toContain('The task in the chart shows an earlier status');
    expect(await orders()).not.toContain('Chart shows an old status');
  });
});

describe('a letter that is wrong, at an EHR that does not let it be marked', () => {
  const kept = () => fakeEhr({ offers: { Task: every, DocumentReference: ['create', 'read', 'search-type'] } });
  const report = async (one: Case) => {
    const [letter] = clinic.ehr.all('DocumentReference');
    const reference = `DocumentReference/${letter?.id}`;
    const { token = '' } = formOf(await casePage(one));
    await scene.post(`${scene.home}/cases/${one.id}`, { token, action: 'retract', reference });
    return reference;
  };

  test('is told on its page, in the worklist and in the list of orders, with what to do', async () => {
    await begin(undefined, kept());
    const one = await aCase(approval);
    await report(one);
    const body = await casePage(one);
    expect(body).toContain('A wrong letter is still in the chart');
    expect(body).toContain('Mark it as entered in error in the EHR');
    expect(body).toContain('wrong, still in the chart');
    expect(await worklist('needs')).toContain('Wrong letter still in the chart');
    expect(await orders()).toContain('Wrong letter still in the chart');
  });

  test('is told until somebody has marked it in the EHR', async () => {
    await begin(undefined, kept());
    const one = await aCase(approval);
    const reference = await report(one);
    await report(one);
    expect(await casePage(one)).toContain('A wrong letter is still in the chart');
    clinic.ehr.resources.set(reference, {
      ...clinic.ehr.resources.get(reference)!,
      status: 'entered-in-error',
    } as never);
    await report(one);
    expect(await casePage(one)).not.toContain('A wrong letter is still in the chart');
    expect(await casePage(one)).toContain('marked as entered in error');
    expect(await worklist('needs')).not.toContain('Wrong letter still in the chart');
  });
});

describe('an EHR that takes no letter', () => {
  test.each([
    ['because the site lists the worklist alone', ['worklist'], undefined],
    ['because it offers nothing to write', ['document', 'communication', 'worklist'], {}],
  ])('leaves it to be filed by hand, %s, until somebody says so', async (_, channels, offers) => {
    await begin(channels, fakeEhr(offers === undefined ? {} : { offers }));
    const one = await aCase(approval);
    expect(await worklist('needs')).toContain('File the letter by hand');
    expect(await orders()).toContain('File the letter by hand');
    expect(await casePage(one)).toContain('This EHR takes no letter from this app.');
    expect(clinic.ehr.calls.filter((call) => call.startsWith('create'))).toEqual([]);
    await press(one, 'filed');
    expect(await worklist('needs')).toContain('Nothing waits for your practice.');
    expect(await worklist()).not.toContain('File the letter by hand');
    expect(await worklist()).toContain('Approved');
    expect(await casePage(one)).not.toContain('This EHR takes no letter from this app.');
    expect((await clinic.cases.get(one.id)).history.at(-1)).toMatchObject({ what: 'Marked as done' });
  });

  test('leaves it to be filed again when the outcome changes', async () => {
    await begin(['worklist']);
    const one = await aCase(denial);
    await press(one, 'filed');
    clinic.service.move('serviceId' in one ? (one.serviceId ?? '') : '', approval);
    await clinic.cases.refresh(one.id);
    await clinic.cases.retryWriteback(one.id, 'bridge');
    expect(await casePage(one)).toContain('File the letter by hand');
  });

  test('that is said to be filed although it never was to be is no event', async () => {
    const one = await aCase(approval);
    await scene.post(`${scene.home}/cases/${one.id}`, {
      token: formOf(await casePage(one)).token ?? '',
      action: 'filed',
    });
    expect((await clinic.cases.get(one.id)).history.map(({ what }) => what)).not.toContain('Marked as done');
  });
});

describe('a Task that the EHR stored without saying where, and does not let be searched for', () => {
  const silent = () => {
    const ehr = fakeEhr({ offers: { Task: ['create', 'read', 'update'], DocumentReference: every } });
    ehr.next.set('create Task', ['no-id']);
    return ehr;
  };

  test('is right while nothing has happened since', async () => {
    await begin(undefined, silent());
    const one = await aCase();
    expect(await casePage(one)).not.toContain('The task in the chart may show an earlier status');
    expect(await casePage(one)).toContain('in the chart, but this app cannot find it');
    expect(await orders()).not.toContain('Chart shows an old status');
  });

  test('may show an earlier status once the request has gone on, and a person is told to look', async () => {
    await begin(undefined, silent());
    const one = await aCase(approval);
    expect(clinic.ehr.all<Task>('Task')).toMatchObject([{ status: 'received' }]);
    expect(await casePage(one)).toContain('The task in the chart may show an earlier status');
    expect(await casePage(one)).toContain('Look for it in the EHR');
    expect(await orders()).toContain('Chart shows an old status');
    expect(await worklist()).toContain('Chart shows an old status');
  });
});
