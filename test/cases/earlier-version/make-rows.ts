/**
 * Makes the cases of an earlier build whose cases are rows (schema 0003 and later), by hand and once for each version
 * that is to stay readable:
 *
 *   node --experimental-transform-types --disable-warning=ExperimentalWarning \
 * test/cases/earlier-version/make-rows.ts <checkout of that version> <build>
 * fixtures/data-folder-<build>/rows.json
 *
 * They are made by that build's own `Cases` with its own fakes of the EHR and the service; beside the rows of each
 * table stands what that build itself shows of each case.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , checkout = '', build = '', target = ''] = process.argv;
const earlier = async (path: string) => await import(pathToFileURL(resolve(checkout, path)).href);

const { openStore } = await earlier('src/store/open.ts');
const { steps } = await earlier('src/store/migrations/index.ts');
const { queues } = await earlier('src/work/queues.ts');
const { silentLog } = await earlier('src/log.ts');
const { aClinic, aRequest, aSubmission } = await earlier('test/cases/clinic.ts');

// A key that says what it is, so that nobody takes it for one that protects something.
const key = Buffer.from('prior-auth-bridge test key only!').toString('base64');
const folder = mkdtempSync(join(tmpdir(), 'bridge-rows-'));
const store = await openStore({ config: { keys: [key], dataDir: folder }, log: silentLog, queues });
const clinic = aClinic(store);
const { cases, service } = clinic;
const user = { fhirUser: 'Practitioner/d1', name: 'Dr. Deva Loper' };
const named: Record<string, string> = {};

async function draft(name: string, changes: object = {}) {
  const made = await cases.openDraft(aRequest(changes));
  named[name] = made.id;
  return made;
}

async function send(name: string, create: unknown[] = [], changes: object = {}) {
  const made = await draft(name, changes);
  if (made.kind === 'enrollment')
    await cases.saveDraft(made.id, {
      consent: { by: 'the patient', on: '2026-11-20', how: 'Signed form', recordedBy: user },
    });
  service.next.create.push(...create);
  return await cases.send(made.id, aSubmission(clinic, made));
}

async function ended(name: string, record: object) {
  const sent = await send(name);
  service.move(sent.serviceId, record);
  await cases.refresh(sent.id);
  return sent;
}

const edited = await draft('draft with entries');
await cases.saveDraft(edited.id, { edits: { 'prescription.quantity': 8 }, answers: { coverage: 'Coverage/1' } });
await send('open');
await send('unknown', ['lost-before']);
const lost = await send('not arrived', ['lost-before']);
await cases.markNotArrived(lost.id, user);
await cases.send(lost.id, aSubmission(clinic, await cases.get(lost.id)));
await send('ended: enrollment', [], { kind: 'enrollment' });
const outcome = { result: 'Denied', detail: 'Step Therapy Criteria Not Met', detail_code: 'step_therapy' };
const decided = await ended('ended: written to the chart', {
  status: 'completed',
  outcome,
  activity_log: [{ id: 'fax-1', created_at: '2026-11-20T10:00:00', type: 'received_fax', details: { url: 'x' } }],
});
await store.cases.putFile(decided.id, 'determination-fax-1', Buffer.from('%PDF-1.4 letter'));
await cases.retryWriteback(decided.id, user);
const waiting = await ended('ended: waits for a launch', { status: 'completed', outcome });
clinic.access = () => ({ waiting: 'next-launch' });
await cases.retryWriteback(waiting.id, user);
await cases.receiveWebhook('valley', { event_type: 'prior_authorization.updated', data: { id: decided.serviceId } });

const shown = Object.fromEntries(
  await Promise.all(
    Object.entries(named).map(async ([name, id]) => {
      const { state, kind, title, patient, requests, writes, history, ...one } = await cases.get(id);
      const said = history.map(({ what }: { readonly what: string }) => what);
      const bodies = requests.map(({ body }: { readonly body: unknown }) => body);
      const { edits, answers, record } = one;
      return [name, { id, state, kind, title, patient, bodies, writes, said, edits, answers, record }];
    }),
  ),
);
const rowsOf = async (table: string) => {
  const { rows } = await store.boss.getDb().executeSql(`select row_to_json(one) as row from bridge.${table} as one`);
  return rows.map(({ row }: { readonly row: unknown }) => row);
};
const tables = ['meta', 'cases', 'parts', 'submissions', 'events', 'writes', 'files', 'webhooks', 'launches'];
const dumped = [];
for (const table of [...tables, 'allowances', 'audit', 'audit_chains', 'erasures'])
  dumped.push([table, await rowsOf(table)]);
await store.close();
rmSync(folder, { recursive: true });
const dump = { build, key, migrations: Object.keys(steps), tables: Object.fromEntries(dumped), shown };
writeFileSync(target, `${JSON.stringify(dump, undefined, 1)}\n`);
