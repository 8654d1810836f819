import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { type Sandbox, startSandbox } from '../../../src/dev/sandbox/index.ts';
import { putDatabase } from '../../support/embedded.ts';
import { eventually } from '../../support/eventually.ts';
import { createVisitor, type Visitor } from '../../support/visitor.ts';

let sandbox: Sandbox;
let folder: string;
/** Address of the case that was sent, below the launch. */
let place: string;
/** Id of the Task that the bridge wrote for it. */
let task: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridge-begin-'));
  await putDatabase(join(folder, 'bridge'));
  sandbox = await startSandbox({ dataDir: folder, port: 0, speed: 0, clock: () => new Date(), log: silentLog });
  const visitor = await launched({ patient: 'complete-patient', order: 'complete-order' });
  await visitor.submit('f.provider.fax', { action: 'check' });
  await visitor.submit('digest', { action: 'send' });
  place = /\/cases\/[\w-]+$/.exec(visitor.address)?.[0] ?? '';
  expect(place).not.toBe('');
  task = await eventually(async () => {
    const [, id] = /\/launch\?task=([\w-]+)/.exec(await chart()) ?? [];
    if (id === undefined) throw new Error('no Task in the chart yet');
    return id;
  });
});

afterAll(async () => {
  await sandbox?.close();
  await rm(folder, { recursive: true, force: true });
});

async function chart(): Promise<string> {
  return await (await fetch(`${sandbox.ehr.url}/patients/complete-patient`)).text();
}

async function launched(choice: object): Promise<Visitor> {
  const reply = await fetch(`${sandbox.ehr.url}/sandbox/launches`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(choice),
  });
  const { address } = (await reply.json()) as { address: string };
  return await createVisitor().go(address);
}

test('a story has the criteria of its invented payer: first what is documented as not met', async () => {
  const visitor = await launched({ patient: 'steptx-patient', order: 'steptx-order' });
  const { body } = await visitor.go(`${visitor.address}?answers=1`);
  expect(body.match(/Invented: (?:hemoglobin|metformin|an adult)/g)).toEqual([
    'Invented: hemoglobin',
    'Invented: metformin',
    'Invented: an adult',
  ]);
});

test('the button beside the Task in the chart opens the request that it stands for', async () => {
  const page = `${sandbox.ehr.url}/patients/complete-patient`;
  const reply = await fetch(`${page}/launch?task=${task}`, { method: 'POST', redirect: 'manual' });
  const visitor = await createVisitor().go(reply.headers.get('location') ?? '');
  expect(visitor.address.endsWith(place)).toBe(true);
});

test('an absolute reference of the Task does the same', async () => {
  const fhirContext = [{ reference: `${sandbox.ehr.fhirBase}/Task/${task}`, type: 'Task' }];
  const visitor = await launched({ patient: 'complete-patient', fhirContext });
  expect(visitor.address.endsWith(place)).toBe(true);
});

test('its identifier does the same', async () => {
  const { identifier } = sandbox.ehr.peek(`Task/${task}`) as { identifier?: readonly unknown[] };
  const fhirContext = (identifier ?? []).map((one) => ({ type: 'Task', identifier: one }));
  expect((await launched({ patient: 'complete-patient', fhirContext })).address.endsWith(place)).toBe(true);
});

test('the Task beside another patient’s chart opens nothing, and the page says why', async () => {
  const visitor = await launched({ patient: 'taper-patient', fhirContext: [{ reference: `Task/${task}` }] });
  // This EHR does not tell one patient's app of another's Task.
  expect(visitor.body).toContain('The task that you opened could not be read.');
  expect(visitor.body).not.toContain('adalimumab');
});

test('a Task that the EHR does not have is told', async () => {
  const visitor = await launched({ patient: 'taper-patient', fhirContext: [{ reference: 'Task/none' }] });
  expect(visitor.body).toContain('The task that you opened belongs to no request of this app.');
});

test('of several orders the first of this patient opens', async () => {
  const fhirContext = ['complete-order', 'none', 'taper-order'].map((id) => ({ reference: `MedicationRequest/${id}` }));
  const visitor = await launched({ patient: 'taper-patient', fhirContext });
  expect(visitor.address).toMatch(/\/orders\/taper-order$/);
});

test('an order whose request was sent opens the request', async () => {
  const visitor = await launched({ patient: 'complete-patient', order: 'complete-order' });
  expect(visitor.address.endsWith(place)).toBe(true);
});

test('the chart’s buttons for the worklist and all orders open these', async () => {
  const page = `${sandbox.ehr.url}/patients/complete-patient`;
  const go = async (intent: string) => {
    expect(await chart()).toContain(`/launch?intent=${intent}"`);
    const reply = await fetch(`${page}/launch?intent=${intent}`, { method: 'POST', redirect: 'manual' });
    return (await createVisitor().go(reply.headers.get('location') ?? '')).body;
  };
  expect(await go('worklist')).toContain('Needs you');
  expect(await go('orders')).toContain('Orders and requests');
});
