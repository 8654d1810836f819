import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DocumentReference, Task } from 'fhir/r4.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { documentReference } from '../../../mappings/document-reference.ts';
import { task } from '../../../mappings/task.ts';
import { silentLog } from '../../../src/base/log.ts';
import { newKey } from '../../../src/base/vault.ts';
import type { Case, Open } from '../../../src/cases/case.ts';
import { type Cases, createCases } from '../../../src/cases/cases.ts';
import { createContext } from '../../../src/cases/context.ts';
import { factsOf } from '../../../src/cases/facts-of-case.ts';
import { queues } from '../../../src/cases/work/queues.ts';
import { createWork, type Work } from '../../../src/cases/work/work.ts';
import { makeConfig, Site } from '../../../src/config/config.ts';
import { type SandboxEhr, startSandboxEhr } from '../../../src/dev/sandbox/ehr/index.ts';
import { type SandboxService, startSandboxService } from '../../../src/dev/sandbox/service/index.ts';
import { generateKeys } from '../../../src/ehr/smart/keys.ts';
import { createSmart, type Smart } from '../../../src/ehr/smart/smart.ts';
import { createServiceClient } from '../../../src/service/client.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/types.ts';
import { outstanding } from '../../../src/writeback/outstanding.ts';
import { body, mappedBy } from '../../cases/clinic.ts';
import { putDatabase } from '../../support/embedded.ts';
import { eventually } from '../../support/eventually.ts';
import { fhirProblems } from '../../support/fhir-validate.ts';
import { tempFolder } from '../../support/temp.ts';

// The whole way back over real HTTP: a record that moves at the service becomes Task and letter in an EHR that
// validates what it takes.

const token = 'sandbox-token';
const clock = () => new Date();
const folder = tempFolder('writeback');
let keyServer: Server;
let ehr: SandboxEhr;
let service: SandboxService;
let store: Store;
let smart: Smart;
let cases: Cases;
let work: Work;
let site: Site;

beforeAll(async () => {
  const keys = await generateKeys();
  keyServer = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(smart.jwks())),
  );
  await new Promise<void>((resolve) => keyServer.listen(0, '127.0.0.1', resolve));
  const jwksUri = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/jwks.json`;
  ehr = await startSandboxEhr({
    host: '127.0.0.1',
    port: 0,
    launchUrl: 'http://localhost:9/launch',
    clock,
    log: silentLog,
    clients: [{ auth: 'private_key_jwt', id: 'system', jwksUri, redirectUris: [], system: true }],
  });
  service = await startSandboxService({
    host: '127.0.0.1',
    port: 0,
    sites: [{ id: 'valley', token }],
    clock,
    log: silentLog,
    speed: 0,
  });
  site = Site.parse({
    id: 'valley',
    name: 'Valley',
    iss: ehr.fhirBase,
    client: { auth: 'public', id: 'public' },
    service: { url: service.url, tokenEnv: 'SERVICE_TOKEN', readsPerMinute: 6000 },
    writeback: {
      tokens: ['system'],
      system: { id: 'system', scopes: 'system/Task.crus system/DocumentReference.crus system/Patient.r' },
    },
  });
  const environment = {
    BRIDGE_URL: 'http://localhost:9',
    BRIDGE_KEYS: newKey(),
    BRIDGE_JWKS: JSON.stringify(keys),
    BRIDGE_DATA: folder.path,
    BRIDGE_POLL_SECONDS: '0.3',
  };
  const config = makeConfig(environment, [site], { SERVICE_TOKEN: token });
  await putDatabase(folder.path);
  store = await openStore({ config, log: silentLog, queues });
  smart = createSmart({ config, store: store.launches, clock, log: silentLog });
  const client = createServiceClient({ url: service.url, token: () => token, clock, log: silentLog });
  const context = createContext({
    store,
    config,
    services: () => client,
    access: (request) => smart.accessFor(request),
    mappings: { task, documentReference },
    clock,
    log: silentLog,
  });
  cases = createCases(context);
  work = createWork(context, { limits: config.jobs });
  await work.prepare();
  work.start();
});

beforeEach(() => {
  ehr.switches.clear();
});

afterAll(async () => {
  await work?.stop();
  await store?.close();
  await service?.close();
  await ehr?.close();
  keyServer?.close();
  folder.remove();
});

async function send(drug: string): Promise<Open> {
  const patient = 'Patient/complete-patient';
  const draft = await cases.openDraft({
    mappedBy,
    site: 'valley',
    patient,
    order: 'MedicationRequest/complete-order',
    kind: 'prior-auth',
    launch: 'none',
    banner: { name: 'Sandbox Person' },
    title: drug,
    encounter: 'Encounter/complete-encounter',
    prescriber: 'Practitioner/prac-osei',
    anew: true,
  });
  const submission = { ...body, prescription: { ...body.prescription, drug_name: drug } };
  const sent = await cases.send(draft.id, {
    duplicatesSeen: (await cases.duplicates(draft.id, submission)).map((other) => other.id),
    body: submission,
    provenance: [],
    gaps: [],
    mappedBy,
    by: { fhirUser: 'Practitioner/prac-osei' },
    expectedPatient: cases.patientMark('valley', patient),
  });
  if (sent.state !== 'open') throw new Error(`${sent.state} ${sent.problem?.text}`);
  return sent;
}

/** Steps the record at the service until it has ended, and waits until the chart says so. */
async function finish(sent: Open): Promise<Case> {
  for (
    let steps = 0;
    steps < 12 &&
    !['completed', 'failed', 'not_submitted', 'cancelled'].includes((await service.step(sent.serviceId)) ?? '');
    steps += 1
  );
  return await settled(sent.id, (current) => current.state === 'ended');
}

async function settled(id: string, when: (current: Case) => boolean): Promise<Case> {
  return await eventually(async () => {
    const current = await cases.get(id);
    // Outstanding writes go first: they say more when this times out.
    expect(outstanding(site, factsOf(current))).toEqual([]);
    expect(current.unwritten).toBe(false);
    expect(when(current), `${current.state} ${current.problem?.code}`).toBe(true);
    return current;
  });
}

function taskOf(current: Case): Task | undefined {
  const row = current.writes.find((each) => each.what === 'task');
  return row?.reference === undefined ? undefined : (ehr.peek(row.reference) as Task);
}

describe('the way back into the sandbox EHR', () => {
  test('a denial: Task from sending on, letter and payer’s letter at the end, everything valid FHIR R4', async () => {
    const sent = await send('adalimumab');
    const first = await settled(sent.id, (current) => current.writes.length > 0);
    expect(taskOf(first)).toMatchObject({ status: 'received', for: { reference: 'Patient/complete-patient' } });
    const ended = await finish(sent);
    const written = ended.writes.flatMap((row) => (row.reference === undefined ? [] : [ehr.peek(row.reference)]));
    expect(written.length).toBeGreaterThanOrEqual(2);
    for (const resource of written) expect(fhirProblems(resource)).toEqual([]);
    expect(taskOf(ended)?.status).toBe('completed');
    expect(taskOf(ended)?.meta?.versionId).not.toBe('1');
    const letter = written.find((resource) => resource?.resourceType === 'DocumentReference') as DocumentReference;
    expect(
      Buffer.from(letter.content[0]?.attachment.data ?? '', 'base64')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  test('201 without a body is success [G03]', async () => {
    ehr.switches.set({ switch: 'empty-created', value: 'body' });
    const ended = await finish(await send('adalimumab'));
    expect(ended.writes.every((row) => row.state === 'done')).toBe(true);
    expect(taskOf(ended)?.status).toBe('completed');
  });

  test.each([
    { etag: 'strong', versionId: false, takes: 'strong', required: true },
    { etag: 'weak', takes: 'strong', required: true },
    { etag: 'bare', versionId: false, takes: 'bare', required: true },
  ] as const)('one Task, at its end, where versions are %j [E1]', async (value) => {
    ehr.switches.set({ switch: 'versions', value });
    const ended = await finish(await send('adalimumab'));
    expect(ended.writes.filter(({ what }) => what === 'closing-task')).toEqual([]);
    expect(ended.writes.find(({ what }) => what === 'task')).toMatchObject({ state: 'done' });
    expect(taskOf(ended)?.status).toBe('completed');
  });

  test('an EHR that refuses the letter still has the Task, and the person who tries again gets it in', async () => {
    ehr.switches.set({ switch: 'refuse-create', value: { type: 'DocumentReference', status: 422 } });
    const ended = await finish(await send('adalimumab'));
    expect(ended.writes.find((row) => row.what === 'document')).toMatchObject({
      state: 'failed',
      reason: 'The EHR refused to store the document or task (HTTP 422)',
    });
    expect(taskOf(ended)?.output?.some((output) => output.type.text === 'Letter')).toBe(false);
    ehr.switches.clear();
    const again = await cases.retryWriteback(ended.id, 'bridge');
    expect(again.writes.every((row) => row.state === 'done')).toBe(true);
    expect(taskOf(again)?.output?.some((output) => output.type.text === 'Letter')).toBe(true);
  });

  test('a create whose answer was lost is found again when the service reports its first change', async () => {
    const before = await idsAtService();
    service.switches.set({ switch: 'drop', value: 'after', path: '/prior-authorization', times: 1 });
    const draft = await cases.openDraft({
      mappedBy,
      site: 'valley',
      patient: 'Patient/complete-patient',
      order: 'MedicationRequest/lost',
      kind: 'prior-auth',
      launch: 'none',
      banner: { name: 'Sandbox Person' },
      title: 'adalimumab',
    });
    const sent = await cases.send(draft.id, {
      body,
      provenance: [],
      gaps: [],
      mappedBy,
      by: 'bridge',
      expectedPatient: cases.patientMark('valley', 'complete-patient'),
    });
    expect(sent.state).toBe('unknown');
    const [id] = (await idsAtService()).filter((each) => !before.includes(each));
    await service.step(id!);
    expect(
      await cases.receiveWebhook('valley', { event_type: 'prior_authorization.status_change', data: { id: id! } }),
    ).toBe('accepted');
    const found = await settled(sent.id, (current) => current.state === 'open');
    expect(found).toMatchObject({ serviceId: id });
    expect(taskOf(found)?.status).not.toBe('received');
  });

  test('an EHR without Task takes the letter [G01]', async () => {
    ehr.switches.set({ switch: 'hide-type', value: 'Task' });
    const sent = await send('adalimumab');
    const ended = await finish(sent);
    expect(ended.writes.find((row) => row.what === 'task')).toMatchObject({ state: 'skipped' });
    expect(ended.writes.find((row) => row.what === 'document')).toMatchObject({ state: 'done' });
  });
});

async function idsAtService(): Promise<string[]> {
  const page = await (await fetch(service.url)).text();
  return [...new Set([...page.matchAll(/\/prior-authorizations\/([\w-]+)/g)].map((match) => match[1]!))];
}
