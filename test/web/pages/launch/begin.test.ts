import type { Resource } from 'fhir/r4.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BridgeError } from '../../../../src/core/errors.ts';
import type { FhirApi } from '../../../../src/core/fhir/api.ts';
import type { NamedTask } from '../../../../src/ehr/smart/fhir-context.ts';
import type { Launch } from '../../../../src/ehr/smart/types.ts';
import type { AuditEntry, WorklistTable } from '../../../../src/store/types.ts';
import type { LedgerEntry } from '../../../../src/writeback/ledger.ts';
import { type AnyCase, openScene, type Scene } from '../../support.ts';

let scene: Scene;
let patient: string;
/** What the EHR answers when it is asked for one resource; an error is thrown. */
let chart: Record<string, Resource | BridgeError>;
let asked: string[];
let audited: AuditEntry[];

beforeEach(async () => {
  chart = {};
  asked = [];
  audited = [];
  scene = await openScene('story-complete', (deps) => ({
    ...deps,
    worklist: { signedIn: async () => undefined } as unknown as WorklistTable,
    audit: { record: async (entry) => void audited.push(entry) },
  }));
  patient = `Patient/${scene.smart.launch.patient}`;
  const { api } = scene.smart;
  scene.smart.api = (launch) => ({ ...api(launch), read });
});
afterEach(() => scene.app.close());

const read = (async (type: string, id: string) => {
  asked.push(`${type}/${id}`);
  const found = chart[`${type}/${id}`];
  if (found instanceof BridgeError) throw found;
  return found;
}) as FhirApi['read'];

function launched(context: Partial<Launch>): void {
  scene.smart.launch = { ...scene.smart.launch, ...context };
}

async function begins(context: Partial<Launch>): Promise<string> {
  launched(context);
  const { status, headers } = await scene.get(scene.home);
  return status === 303 ? String(headers.location).replace(`${scene.home}/`, '') : `page ${status}`;
}

function sent(changes: Partial<AnyCase> = {}): AnyCase {
  return scene.cases.put({
    site: 'valley',
    patient,
    order: `MedicationRequest/${scene.order}`,
    state: 'open',
    record: { id: 'pa_1', status: 'processing' },
    ...changes,
  });
}

const row = (what: LedgerEntry['what'], reference: string): LedgerEntry => ({
  what,
  version: '1',
  state: 'done',
  reference,
  attempts: 1,
  at: '2026-11-20T10:00:00.000Z',
});
const byReference: readonly NamedTask[] = [{ reference: 'Task/t1' }];

test('a Task that the bridge wrote opens its case, and the EHR is not asked for it', async () => {
  const one = sent({ writes: [row('task', 'Task/T1')] });
  expect(await begins({ tasks: byReference })).toBe(`cases/${one.id}`);
  expect(asked).toEqual([]);
});

test('the Task that told the end opens the same case', async () => {
  const one = sent({ state: 'ended', writes: [row('task', 'Task/t0'), row('closing-task', 'Task/t1')] });
  expect(await begins({ tasks: byReference })).toBe(`cases/${one.id}`);
});

test('the reference of a letter is no Task', async () => {
  sent({ writes: [row('document', 'Task/t1')] });
  expect(await begins({ tasks: byReference })).toBe('orders?unopened=task-unknown');
});

test.each([
  ['case', ''],
  ['closing-task', '-v1'],
])('a Task that the ledger does not know is read, and its identifier (%s) names the case', async (name, version) => {
  const one = sent();
  const identifier = [
    { system: 'https://other.example/ids', value: 'x' },
    { system: `http://localhost:8080/fhir/ns/${name}`, value: `${one.id}${version}` },
  ];
  chart['Task/t1'] = { resourceType: 'Task', id: 't1', for: { reference: patient }, identifier } as Resource;
  expect(await begins({ tasks: byReference })).toBe(`cases/${one.id}`);
  expect(asked).toEqual(['Task/t1']);
});

test('an identifier alone is enough where the EHR names the Task by it', async () => {
  const one = sent();
  const identifier = { system: 'http://localhost:8080/fhir/ns/case', value: one.id };
  expect(await begins({ tasks: [{ identifier }] })).toBe(`cases/${one.id}`);
});

test('the identifier of another patient’s case opens nothing', async () => {
  const other = sent({ patient: 'Patient/another' });
  const identifier = { system: 'http://localhost:8080/fhir/ns/case', value: other.id };
  expect(await begins({ tasks: [{ identifier }] })).toBe('orders?unopened=task-unknown');
});

test('a Task of another patient opens nothing, is told and audited, whatever its identifier says', async () => {
  const one = sent();
  const other = sent({ patient: 'Patient/another', writes: [row('task', 'Task/t1')] });
  for (const { id } of [one, other]) {
    const identifier = [{ system: 'http://localhost:8080/fhir/ns/case', value: id }];
    chart['Task/t1'] = { resourceType: 'Task', for: { reference: 'Patient/another' }, identifier } as Resource;
    expect(await begins({ tasks: byReference, orders: [`MedicationRequest/${scene.order}`] })).toBe(
      'orders?unopened=task-elsewhere',
    );
  }
  expect(audited).toContainEqual(
    expect.objectContaining({ action: 'launched', facts: { refused: 'task' }, outcome: 'failure' }),
  );
  const { body } = await scene.get(`${scene.home}/orders?unopened=task-elsewhere`);
  expect(body).toContain('role="status">The task that you opened is about another patient');
  expect(body).not.toContain('another"');
});

test('[E4] a Task that cannot be read says nothing of requests, and an order beside it is opened', async () => {
  for (const code of ['ehr_forbidden', 'ehr_error', 'ehr_not_fhir'] as const) {
    chart['Task/t1'] = new BridgeError(code, { http: 501, resource: 'Task' });
    expect(await begins({ tasks: byReference, orders: [] })).toBe('orders?unopened=task-unread');
    const orders = [`MedicationRequest/${scene.order}`];
    expect(await begins({ tasks: byReference, orders })).toBe(`orders/${scene.order}`);
  }
  const { body } = await scene.get(`${scene.home}/orders?unopened=task-unread`);
  expect(body).toContain('The task that you opened could not be read.');
});

test('a Task that is not there is told on the orders page', async () => {
  expect(await begins({ tasks: byReference })).toBe('orders?unopened=task-unknown');
  const { body } = await scene.get(`${scene.home}/orders?unopened=task-unknown`);
  expect(body).toContain('The task that you opened belongs to no request of this app.');
});

test('while the EHR cannot be asked for the Task, the page says so and offers to try again', async () => {
  chart['Task/t1'] = new BridgeError('ehr_unreachable');
  launched({ tasks: byReference });
  const { status, body } = await scene.get(scene.home);
  expect(status).toBe(502);
  expect(body).toContain('The EHR cannot be reached.');
  expect(body).toContain(`href="${scene.home}"`);
});

test('a Task of another system beside an order opens the order', async () => {
  chart['Task/t1'] = { resourceType: 'Task', for: { reference: patient } } as Resource;
  const order = `MedicationRequest/${scene.order}`;
  expect(await begins({ tasks: byReference, orders: [order] })).toBe(`orders/${scene.order}`);
});

test('a Task whose request has not left opens the review', async () => {
  sent({ state: 'refused', writes: [row('task', 'Task/t1')] });
  expect(await begins({ tasks: byReference })).toBe(`orders/${scene.order}`);
});

test('of several orders the first opens that can be read and is of the launched patient', async () => {
  chart['MedicationRequest/m1'] = new BridgeError('ehr_forbidden', { resource: 'MedicationRequest' });
  chart['MedicationRequest/m3'] = {
    resourceType: 'MedicationRequest',
    subject: { reference: 'Patient/x' },
  } as Resource;
  const subject = { reference: `http://127.0.0.1:8081/fhir/${patient}` };
  chart[`MedicationRequest/${scene.order}`] = { resourceType: 'MedicationRequest', subject } as Resource;
  const orders = ['m1', 'm2', 'm3', scene.order, 'm5'].map((id) => `MedicationRequest/${id}`);
  expect(await begins({ orders })).toBe(`orders/${scene.order}`);
  expect(asked).not.toContain('MedicationRequest/m5');
});

test('when none of several orders can be opened, the orders page says so', async () => {
  const orders = ['MedicationRequest/m1', 'MedicationRequest/m2'];
  expect(await begins({ orders })).toBe('orders?unopened=order-unknown');
  expect((await scene.get(`${scene.home}/orders?unopened=order-unknown`)).body).toContain(
    'The order that your EHR named cannot be opened in this chart.',
  );
});

test('the intent `worklist` opens the worklist for staff, whatever else was named', async () => {
  sent({ writes: [row('task', 'Task/t1')] });
  expect(await begins({ intent: 'worklist', tasks: byReference })).toBe('worklist');
});

test.each(['Patient/p1', 'RelatedPerson/r1', 'Person/p1', undefined])(
  'the intent `worklist` of %s opens what else was named',
  async (fhirUser) => {
    const { fhirUser: _, ...nobody } = scene.smart.launch;
    scene.smart.launch = fhirUser === undefined ? nobody : { ...nobody, fhirUser };
    expect(await begins({ intent: 'worklist', orders: [`MedicationRequest/${scene.order}`] })).toBe(
      `orders/${scene.order}`,
    );
  },
);

test('the intent `orders` opens the list, though an order was named', async () => {
  launched({ intent: 'orders', orders: [`MedicationRequest/${scene.order}`] });
  expect((await scene.get(scene.home)).body).toContain('Orders and requests');
});

test('the intent `enrollment` opens the enrollment of the order', async () => {
  const orders = [`MedicationRequest/${scene.order}`];
  expect(await begins({ intent: 'enrollment', orders })).toBe(`orders/${scene.order}/enrollment`);
  const { site } = scene.smart.launch;
  const without = { ...site, enrollment: { ...site.enrollment, programs: [] } };
  expect(await begins({ intent: 'enrollment', orders, site: without })).toBe(`orders/${scene.order}`);
});

test.each(['reconcile-medications', 'prior-auth', ''])(
  'an intent that means nothing here is ignored: %j',
  async (intent) => {
    const orders = [`MedicationRequest/${scene.order}`];
    expect(await begins({ intent, orders })).toBe(`orders/${scene.order}`);
  },
);

test('an address cannot put words of its own on the orders page', async () => {
  const { body } = await scene.get(`${scene.home}/orders?unopened=<b>x</b>`);
  expect(body).toContain('Orders and requests');
  expect(body).not.toContain('<b>x');
});

test('who comes back for a case of another patient is told, and gets nothing of it', async () => {
  const other = sent({ patient: 'Patient/another' });
  scene.smart.completeLaunch = async () => ({ launch: scene.smart.launch, sessionId: 'T'.repeat(43), back: other.id });
  const { headers } = await scene.get('/callback/valley?state=abc&code=c');
  expect(headers.location).toBe(`${scene.home}/orders?unopened=case-elsewhere`);
});

test.each([
  ['draft', (one: AnyCase) => `orders/${one.order.replace('MedicationRequest/', '')}`],
  ['open', (one: AnyCase) => `cases/${one.id}`],
] as const)('who comes back for a case that is %s gets the page where it is worked on', async (state, place) => {
  const one = sent({ state });
  scene.smart.completeLaunch = async () => ({ launch: scene.smart.launch, sessionId: 'T'.repeat(43), back: one.id });
  const { headers } = await scene.get('/callback/valley?state=abc&code=c');
  expect(headers.location).toBe(`${scene.home}/${place(one)}`);
});
