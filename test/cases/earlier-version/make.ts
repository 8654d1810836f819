/**
 * Makes the dump of a data folder with an earlier build, by hand and once for each version that is to stay readable:
 *
 *   node_modules/.bin/node --experimental-transform-types --disable-warning=ExperimentalWarning \
 *     test/cases/earlier-version/make.ts <checkout of that version, built> <build> fixtures/data-folder-<build>
 *
 * What a person does at the pages is done at the pages of that build, in its own sandbox. What no page leads to (a
 * process
 * that ends while it sends, an edit of a list item, an EHR without a token) is done by the same build's own `Cases`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { silentLog } from '../../../src/log.ts';
import type { Sandbox, startSandbox as startSandboxNow } from '../../../src/sandbox/index.ts';
import type { Secrets } from '../../../src/sandbox/secrets.ts';
import type { ServiceClient } from '../../../src/service/client.ts';
import { testSite } from '../../support/site.ts';
import { createVisitor, type Visitor } from '../../support/visitor.ts';
import type { EarlierBuild, EarlierCase, EarlierCases, EarlierJob, EarlierStore } from './ca2e819.ts';
import type { Dump } from './dump.ts';

const [, , checkout = '', build = '', target = ''] = process.argv;
const clock = () => new Date();

/** The sandbox of the earlier build: its faults were fields and a queue, in place of switches. */
interface EarlierSandbox extends Omit<Sandbox, 'ehr' | 'service'> {
  readonly ehr: Sandbox['ehr'] & {
    readonly faults: { refuseDocumentCreate: number | undefined; hideTask: boolean };
  };
  readonly service: Sandbox['service'] & {
    readonly faults: { next(operation: 'create', fault: Readonly<Record<string, unknown>>): void };
  };
}
interface EarlierSandboxModule {
  readonly startSandbox: (...options: Parameters<typeof startSandboxNow>) => Promise<EarlierSandbox>;
}

/** A module of the earlier build, by the types of the present one: the parts used here are the same in both. */
async function earlier<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(resolve(checkout, 'dist', 'src', path)).href)) as Module;
}

const { startSandbox } = await earlier<EarlierSandboxModule>('sandbox/index.js');
const { loadSecrets } = await earlier<typeof import('../../../src/sandbox/secrets.ts')>('sandbox/secrets.js');
const { openStore } = await earlier<Pick<EarlierBuild, 'openStore'>>('cases/store.js');
const { createCases } = await earlier<Pick<EarlierBuild, 'createCases'>>('cases/cases.js');
const { migrations } = await earlier<Pick<EarlierBuild, 'migrations'>>('cases/schema.js');

const folder = mkdtempSync(join(tmpdir(), 'bridge-earlier-'));
const sessions: Record<string, Dump['sessions'][string]> = {};

const consent = {
  'consent.by': 'the patient',
  'consent.how': 'Signed form',
  'f.programId': 'sandbox-copay',
  'o.programId': '',
};

const secrets = await testSecrets();
const sandbox = await startSandbox({ dataDir: folder, port: 0, speed: 0, review: 'wait', clock, log: silentLog });
const iss = sandbox.ehr.fhirBase;
await atThePages(sandbox);
await sandbox.close();
const store = await openStore({
  config: { keys: [secrets.bridgeKey], dataDir: join(folder, 'bridge') },
  log: silentLog,
});
await withoutPages(store);
const dump = await dumpOf(store);
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'store.json'), `${JSON.stringify(dump, undefined, 1)}\n`);
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${Object.keys(dump.cases).length} cases, ${dump.jobs.length} jobs\n`);
process.exit(0);

// A key that says what it is, so that nobody takes it for one that protects something.
async function testSecrets(): Promise<Secrets> {
  const path = join(folder, 'secrets.json');
  const made = await loadSecrets(path);
  const fixed = { ...made, bridgeKey: Buffer.from('prior-auth-bridge test key only!').toString('base64') };
  writeFileSync(path, JSON.stringify(fixed));
  return fixed;
}

async function atThePages(running: EarlierSandbox): Promise<void> {
  const { ehr, service } = running;

  // Unsent, with entries and choices: a fax cleared, a member number for a coverage that was chosen, a quantity, a
  // priority.
  const draft = await launch('twocov');
  await save(draft, { coverage: 'Coverage/twocov-coverage-old', 'f.insurance_content.member_number': 'ENTERED-77' });
  await save(draft, {
    'f.provider.fax': '',
    'f.prescription.quantity': '8',
    'f.priority': '1',
    'o.priority': '',
    'diagnosis-codes': 'M45.9',
  });

  // Unsent and complete: one press away from being sent.
  const ready = await launch('snomed');
  await save(ready, { 'diagnosis-codes': 'E66.01' });

  const refused = await launch('taper');
  await save(refused, { 'f.insurance_content.rx_bin': '12345' });
  await send(refused);

  const notSent = await launch('steptx');
  const evidence = [...notSent.body.matchAll(/name="evidence" value="([^"]+)"/g)].map(
    ([, reference = '']) => reference,
  );
  await save(notSent, { evidence: evidence[0] ?? '' });
  service.faults.next('create', { kind: 'status', status: 503, retryAfter: 1 });
  await send(notSent);

  const unknown = await launch('external');
  await save(unknown, { 'diagnosis-codes': 'L40.50', 'f.prescription.dispense_unit': 'each' });
  service.faults.next('create', { kind: 'drop', when: 'before' });
  await send(unknown);

  const notArrived = await launch('contained');
  service.faults.next('create', { kind: 'drop', when: 'before' });
  await send(notArrived);
  await notArrived.submit('serviceId', { action: 'not-arrived' });

  const approved = await launch('complete');
  await send(approved);
  await step(approved, 'completed', 6);
  await ended(approved);
  await again(approved, 'complete', {});
  await step(approved, 'awaiting_outcome', 2);

  // Denied, and the EHR took no document.
  ehr.faults.refuseDocumentCreate = 422;
  const denied = await launch('norx');
  await send(denied);
  await step(denied, 'completed', 4);
  await ended(denied);
  ehr.faults.refuseDocumentCreate = undefined;

  const program = await launch('complete');
  await program.go(`${homeOf(program)}/orders/complete-order/enrollment`);
  await send(program, { ...consent, 'consent.on': today() });
  await ended(program);
  const entry = await launch('norx');
  await entry.go(`${homeOf(entry)}/orders/norx-order/enrollment`);
  await entry.submit('patient', { ...consent, action: 'save' });

  // Ended in each way, one after the other for one order, then open in the middle. Last, since the bridge remembers
  // that the EHR takes no Task.
  const other = await launch('selfrep');
  await send(other);
  await step(other, 'awaiting_review', 1);
  await other.submit('reason', { reason: 'Sent by mistake', action: 'cancel' });
  await ended(other);
  await again(other, 'selfrep', { 'f.prescription.drug_name': 'teriparatide' });
  await step(other, 'failed', 4);
  await ended(other);
  await again(other, 'selfrep', {
    'f.insurance_content.payer_name': 'Medicare',
    'f.prescription.drug_name': 'insulin',
  });
  await step(other, 'not_submitted', 1);
  await ended(other);
  ehr.faults.hideTask = true;
  await again(other, 'selfrep', { 'f.insurance_content.payer_name': '' });
  await step(other, 'completed', 4);
  await ended(other);
  ehr.faults.hideTask = false;
  await again(other, 'selfrep', { 'f.prescription.drug_name': 'dupilumab' });
  await step(other, 'awaiting_provider_response', 2);
}

async function withoutPages(opened: EarlierStore): Promise<void> {
  const before = namesOf(await allCases(opened));
  const idOf = (name: string) => before[name] ?? '';
  const none = casesOf(opened, { createPriorAuthorization: () => new Promise(() => {}) });
  // No page has a field for an item of a list; an earlier mapping may have had one for what no request has now.
  const { edits } = await none.get(idOf('twocov prior-auth draft'));
  await none.saveDraft(idOf('twocov prior-auth draft'), {
    edits: { ...edits, 'diagnoses[1].code': 'M45.6', 'prescription.refills': 3 },
  });
  // The process ends while the request is under way.
  const denied = await none.get(idOf('norx prior-auth completed'));
  const draft = await none.openDraft(requestOf(denied, denied.order));
  void none.send(draft.id, submissionOf(none, denied)).catch(() => {});
  await until(async () => (await none.get(draft.id)).state === 'sending');
  // Sent, and no token to write it to the chart with.
  const late = casesOf(opened, { createPriorAuthorization: async () => ({ id: 'pa_waiting' }) });
  const approved = await late.get(idOf('complete prior-auth completed'));
  const waiting = await late.openDraft(requestOf(approved, 'MedicationRequest/waiting-order'));
  await late.send(waiting.id, submissionOf(late, approved));
  await late.retryWriteback(waiting.id, 'bridge');
}

// The version before kept no version of its mappings.
function requestOf({ site, patient, kind, launch, banner, title }: EarlierCase, order: string): object {
  return { site, patient, kind, launch, banner, title, order };
}

function submissionOf(from: EarlierCases, sent: EarlierCase): object {
  const { body, provenance = [], gaps = [], sentBy = 'bridge', site, patient } = sent;
  return {
    body: withoutOwn(body),
    provenance,
    gaps,
    by: sentBy,
    expectedPatient: from.patientMark(site, patient),
  };
}

// The bridge's own mark is put on anew.
function withoutOwn(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value) => (key === 'submission_id' ? undefined : value));
}

function casesOf(opened: EarlierStore, service: Partial<ServiceClient>): EarlierCases {
  return createCases({
    store: opened,
    config: { url: sandbox.url, sites: [testSite({ iss })], pollSeconds: 2, letterDays: 30 },
    services: () => service as ServiceClient, // only what is asked of it here
    access: async () => ({ waiting: 'next-launch' }),
    // Nothing can be written while no token is there.
    mappings: {},
    clock,
    log: silentLog,
  });
}

async function launch(story: string): Promise<Visitor> {
  const visitor = createVisitor();
  await visitor.go(sandbox.ehr.launch({ patient: `${story}-patient`, order: `${story}-order` }).address);
  const opened = /\/app\/([\w-]+)/.exec(visitor.address)?.[1] ?? '';
  sessions[story] ??= { launch: opened, cookie: visitor.cookie(`__Host-bridge-${opened}`) ?? '' };
  return visitor;
}

async function save(visitor: Visitor, changes: Record<string, string>): Promise<void> {
  await visitor.submit('f.provider.fax', { ...changes, action: 'save' });
  if (!visitor.body.includes('Saved.')) throw new Error(`not saved: ${visitor.address} ${visitor.status}`);
}

async function send(visitor: Visitor, changes: Record<string, string> = {}): Promise<void> {
  await visitor.submit('patient', { ...changes, action: 'check' });
  if (!visitor.address.endsWith('/confirm')) throw new Error(`not complete: ${visitor.address}`);
  await visitor.submit('digest', { action: 'send' });
}

/** A new request for an order whose last one has ended. */
async function again(visitor: Visitor, story: string, changes: Record<string, string>): Promise<void> {
  await visitor.go(`${homeOf(visitor)}/orders/${story}-order`);
  await save(visitor, changes);
  await send(visitor);
}

function homeOf(visitor: Visitor): string {
  return /^.*\/app\/[\w-]+/.exec(visitor.address)?.[0] ?? '';
}

/** Moves the case's record on at the service and waits until the case has followed. */
async function step(visitor: Visitor, status: string, times: number): Promise<void> {
  const id = /<dd>(pa_[^<]+)<\/dd>/.exec(visitor.body)?.[1] ?? '';
  for (let nth = 0; nth < times; nth += 1) await sandbox.service.step(id);
  const records: { id: string; status: string }[] = await (
    await fetch(`${sandbox.service.url}/sandbox/prior-authorization`)
  ).json();
  const reached = records.find((record) => record.id === id)?.status;
  if (reached !== status) throw new Error(`${id} is ${reached}, not ${status}`);
}

/** Waits until the outcome has been written to the chart, or was given up. */
async function ended(visitor: Visitor): Promise<void> {
  await until(async () => !(await visitor.go(visitor.address)).body.includes('hx-get='));
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    if (await isTrue()) return;
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new Error('waited for a minute');
}

/** YYYY-MM-DD */
function today(): string {
  return clock().toISOString().slice(0, 10);
}

async function dumpOf(opened: EarlierStore): Promise<Dump> {
  const tables: Dump['tables'] = {
    cases: await opened.read((db) => db.selectFrom('cases').selectAll().execute()),
    files: await opened.read((db) => db.selectFrom('files').selectAll().execute()),
    webhooks: await opened.read((db) => db.selectFrom('webhooks').selectAll().execute()),
    launches: await opened.read((db) => db.selectFrom('launches').selectAll().execute()),
    allowances: await opened.read((db) => db.selectFrom('allowances').selectAll().execute()),
  };
  const jobs = await opened.read((db) =>
    sql<{
      name: string;
      data: unknown;
    }>`select name, data from bridge_jobs.job where state in ('created', 'retry')`.execute(db),
  );
  return {
    build,
    at: clock().toISOString(),
    key: secrets.bridgeKey,
    iss,
    migrations: Object.keys(migrations),
    tables,
    jobs: jobs.rows.map(({ name, data }) => ({ queue: name, data })) as EarlierJob[],
    cases: namesOf(await allCases(opened)),
    sessions,
  };
}

async function allCases({ read, vault }: EarlierStore): Promise<EarlierCase[]> {
  const rows = await read((db) => db.selectFrom('cases').selectAll().execute());
  return rows.map(({ id, sealed }) => JSON.parse(vault.open(sealed, `case|${id}`)) as EarlierCase);
}

/** `selfrep prior-auth cancelled`: the story, the kind, and where it stands. */
function namesOf(all: readonly EarlierCase[]): Record<string, string> {
  const named = all.map((one) => [nameOf(one), one.id] as const);
  if (new Set(named.map(([name]) => name)).size < named.length) throw new Error('two cases have one name');
  return Object.fromEntries(named.sort());
}

function nameOf({ order, kind, state, status }: EarlierCase): string {
  return (
    `${order.replace(/^MedicationRequest\/|-order/g, '')} ${kind} ` +
    `${state === 'open' || state === 'ended' ? (status ?? state) : state}`
  );
}
