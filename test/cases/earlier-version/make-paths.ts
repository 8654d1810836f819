/**
 * Makes the cases of an earlier build in every state and by every path that leads there, by hand and once for each
 * version that is to stay readable:
 *
 *   node_modules/.bin/node --experimental-transform-types --disable-warning=ExperimentalWarning \
 * test/cases/earlier-version/make-paths.ts <checkout of that version> <build>
 * fixtures/data-folder-<build>/paths.json
 *
 * The cases are made by that build's own `Cases` with its own fake of the service; nothing here knows how it
 * stores them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , checkout = '', build = '', target = ''] = process.argv;
const earlier = async (path: string) => await import(pathToFileURL(resolve(checkout, path)).href);

const { openStore } = await earlier('src/cases/store.ts');
const { migrations } = await earlier('src/cases/schema.ts');
const { BridgeError } = await earlier('src/errors.ts');
const { silentLog } = await earlier('src/log.ts');
const { aClinic, aRequest, aSubmission } = await earlier('test/cases/clinic.ts');

// A key that says what it is, so that nobody takes it for one that protects something.
const key = Buffer.from('prior-auth-bridge test key only!').toString('base64');
const folder = mkdtempSync(join(tmpdir(), 'bridge-paths-'));
const store = await openStore({ config: { keys: [key], dataDir: folder }, log: silentLog });
const clinic = aClinic(store);
const { cases, service } = clinic;
const user = { fhirUser: 'Practitioner/d1', name: 'Dr. Deva Loper' };
const named: Record<string, string> = {};

type Made = { readonly id: string; readonly serviceId: string };

async function draft(name: string, changes: object = {}): Promise<Made> {
  const made = await cases.openDraft(aRequest(changes));
  named[name] = made.id;
  return made;
}

async function send(made: Made, create: unknown[] = [], changes: object = {}): Promise<Made> {
  service.next.create.push(...create);
  return await cases.send(made.id, aSubmission(clinic, made, changes));
}

async function read({ id, serviceId }: Made, record: object): Promise<void> {
  service.move(serviceId, record);
  await cases.refresh(id);
}

/** The id of the record that a create just left at the service. */
const lastId = () => [...service.records.keys()].at(-1) ?? '';

const edited = await draft('draft with entries');
await cases.saveDraft(edited.id, { edits: { 'prescription.quantity': 8 }, answers: { coverage: 'Coverage/1' } });
const plain = await draft('draft of an enrollment', { kind: 'enrollment' });
await cases.saveDraft(plain.id, { consentEntry: { by: 'the patient', on: '', how: '' } });

void (await send(await draft('not sent'), [new BridgeError('service_unreachable')]));
void (await send(await draft('refused'), [new BridgeError('service_refused', { fields: ['insurance.rx_bin'] })]));
const again = await send(await draft('refused, then accepted'), [new BridgeError('service_refused')]);
await send(again);
void (await send(await draft('by a user without a reference'), [], { by: { name: 'A. Nurse' } }));

const lost = await send(await draft('unclear'), ['lost-before']);
void lost;
const notArrived = await send(await draft('not arrived'), ['lost-before']);
await cases.markNotArrived(notArrived.id, user);
const resent = await send(await draft('not arrived, sent again'), ['lost-before']);
await cases.markNotArrived(resent.id, user);
await cases.saveDraft(resent.id, { edits: { 'prescription.quantity': 9 } });
await send(resent);
const found = await send(await draft('found by a person'), ['lost-after']);
await cases.markArrived(found.id, { serviceId: lastId(), by: user });

// A request that a person said had not arrived did arrive: by a webhook, before and after it was sent again.
await cases.start();
const webhook = async (id: string) => {
  await cases.receiveWebhook('valley', { event_type: 'prior_authorization.updated', data: { id } });
};
const late = await send(await draft('not arrived, found later'), ['lost-after']);
const lateId = lastId();
await cases.markNotArrived(late.id, user);
await webhook(lateId);
await until(late.id, (one) => one.state === 'open');
const second = await send(await draft('a second request found'), ['lost-after']);
const secondId = lastId();
await cases.markNotArrived(second.id, user);
await send(second);
await webhook(secondId);
await until(second.id, (one) => (one.others ?? []).includes(secondId));
const followed = await send(await draft('the other request followed'), ['lost-after']);
const otherId = lastId();
await cases.markNotArrived(followed.id, user);
const followedSent = await send(followed);
await webhook(otherId);
await until(followed.id, (one) => (one.others ?? []).includes(otherId));
service.move(followedSent.serviceId, { status: 'cancelled' });
await webhook(followedSent.serviceId);
await until(followed.id, (one) => one.serviceId === otherId);
const gone = await send(await draft('arrived and cancelled there'), ['lost-after']);
const goneId = lastId();
await cases.markNotArrived(gone.id, user);
service.move(goneId, { status: 'cancelled' });
await webhook(goneId);
await until(gone.id, (one) => one.history.some(({ what }) => what.includes(goneId)));

for (const status of ['awaiting_review', 'awaiting_outcome', 'awaiting_provider_response', 'validating_outcome'])
  await read(await send(await draft(`open: ${status}`)), { status });
const ends: Record<string, object> = {
  completed: { status: 'completed', outcome: { result: 'approved' } },
  failed: { status: 'failed' },
  not_submitted: { status: 'not_submitted' },
};
for (const [name, record] of Object.entries(ends)) await read(await send(await draft(`ended: ${name}`)), record);
const reported = await send(await draft('reported after its end'));
await read(reported, ends.completed ?? {});
await read(reported, { status: 'awaiting_outcome' });
const cancelled = await send(await draft('cancelled'));
await cases.cancel(cancelled.id, { reason: 'Sent by mistake', by: user });
await cases.refresh(cancelled.id);
const unread = await send(await draft('a record that cannot be read'));
service.next.read.push(new BridgeError('service_unreachable'));
await cases.refresh(unread.id).catch(() => {});
const written = await send(await draft('write-back asked for'));
await cases.retryWriteback(written.id, user);
const program = await draft('ended: enrollment', { kind: 'enrollment' });
await cases.saveDraft(program.id, {
  consent: { by: 'the patient', on: '2026-11-20', how: 'Signed form', recordedBy: user },
});
await send(program);
await cases.stop();

// The process ends while the request is under way.
const sending = await draft('sending');
service.createPriorAuthorization = () => new Promise(() => {});
void send(sending);
await until(sending.id, (one) => one.state === 'sending');

const tables: Record<string, unknown[]> = {};
for (const table of ['cases', 'files', 'webhooks', 'launches', 'allowances'])
  tables[table] = await store.read((db: { selectFrom(name: string): Rows }) =>
    db.selectFrom(table).selectAll().execute(),
  );
const dump = { build, at: new Date().toISOString(), key, iss: '', migrations: Object.keys(migrations), tables };
writeFileSync(target, `${JSON.stringify({ ...dump, jobs: [], cases: named, sessions: {} }, undefined, 1)}\n`);
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${Object.keys(named).length} cases\n`);
process.exit(0);

interface Seen {
  readonly state: string;
  readonly serviceId?: string;
  readonly others?: readonly string[];
  readonly history: readonly { readonly what: string }[];
}

async function until(id: string, isTrue: (one: Seen) => boolean): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (isTrue(await cases.get(id))) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`waited for ${JSON.stringify(await cases.get(id))}`);
}

interface Rows {
  selectAll(): { execute(): Promise<unknown[]> };
}
