import type { CaseKind } from '../../../src/cases/case.ts';
import type { Cases } from '../../../src/cases/cases.ts';
import { readIcd10File } from '../../../src/config/read-icd10-file.ts';
import type { Store } from '../../../src/store/types.ts';
import { aClinic, aRequest, aSubmission, busy, type Clinic } from '../../cases/clinic.ts';
import { orderLine } from '../../config/order-lines.ts';
import { testSite } from '../../support/site.ts';

/** What a release shows of one case of its own: a later one shows the same. */
export interface Shown {
  readonly id: string;
  readonly patient: string;
  readonly bodies: readonly unknown[];
  readonly events: readonly string[];
  readonly [part: string]: unknown;
}

export async function shownOf(cases: Cases, id: string): Promise<Shown> {
  // The parts that not every state has are left out where they are absent.
  const one = { edits: undefined, answers: undefined, record: undefined, ...(await cases.get(id)) };
  const { kind, state, title, patient, attempt, writes, edits, answers, record } = one;
  const bodies = one.requests.map(({ body }) => body);
  const events = one.events.map(({ type }) => type);
  return { id, kind, state, title, patient, attempt, bodies, writes, events, edits, answers, record };
}

/** Two sites of one practice: their services have one profile each. */
export function clinicOf(store: Store): Clinic {
  const current = testSite({ id: 'hill', iss: 'https://hill.example/fhir', service: { ...busy, profile: 'current' } });
  return aClinic(store, { sites: [testSite({ service: busy }), current] });
}

const user = { fhirUser: 'Practitioner/d1', name: 'Dr. Deva Loper' };
const nurse = { fhirUser: 'Practitioner/n1', name: 'Nurse Noor' };
const denied = { result: 'Denied', detail: 'Step Therapy Criteria Not Met', detail_code: 'step_therapy' };

/** Puts rows into every table, by way of what a practice does; the cases by what became of them. */
export async function playStory(store: Store): Promise<Readonly<Record<string, Shown>>> {
  const clinic = clinicOf(store);
  const { cases, service } = clinic;
  const named: Record<string, string> = {};

  const draft = async (name: string, kind: CaseKind = 'prior-auth') => {
    const site = kind === 'benefit-verification' ? 'hill' : 'valley';
    const made = await cases.openDraft(aRequest({ kind, site, by: user }));
    named[name] = made.id;
    return made;
  };
  const send = async (name: string, kind: CaseKind = 'prior-auth') => {
    const made = await draft(name, kind);
    const consent = { by: 'the patient', on: '2026-11-20', how: 'Signed form', recordedBy: user };
    if (kind === 'enrollment') await cases.saveDraft(made.id, { consent });
    return await cases.send(made.id, aSubmission(clinic, made));
  };
  const lost = async (name: string) => {
    service.next.create.push('lost-before');
    return await send(name);
  };
  const ended = async (name: string, record: object) => {
    const sent = await send(name);
    if (!('serviceId' in sent)) throw new Error(`${name} has no id at the service`);
    service.move(sent.serviceId, { status: 'completed', outcome: denied, ...record });
    await cases.refresh(sent.id);
    return { id: sent.id, serviceId: sent.serviceId ?? '' };
  };

  const edited = await draft('draft with entries');
  await cases.saveDraft(edited.id, { edits: { 'prescription.quantity': 8 }, answers: { coverage: 'Coverage/1' } });
  await cases.assign(edited.id, { to: nurse, by: user });
  await cases.addNote(edited.id, { text: 'Ask for the card.', by: user });
  await store.effort.note(edited.id);
  await send('open');
  await send('open: benefit verification', 'benefit-verification');
  await lost('unknown');
  const { id: again } = await lost('sent again');
  await cases.markNotArrived(again, user);
  await cases.send(again, aSubmission(clinic, await cases.get(again)));
  await send('ended: enrollment', 'enrollment');
  const fax = { id: 'fax-1', created_at: '2026-11-20T10:00:00', type: 'received_fax', details: { url: 'x' } };
  const decided = await ended('ended: written to the chart', { activity_log: [fax] });
  await store.cases.putFile(decided.id, 'determination-fax-1', Buffer.from('%PDF-1.4 letter'));
  await cases.retryWriteback(decided.id, user);
  const waiting = await ended('ended: waits for a launch', {});
  clinic.access = () => ({ waiting: 'next-launch' });
  await cases.retryWriteback(waiting.id, user);
  await cases.receiveWebhook('valley', { event_type: 'prior_authorization.updated', data: { id: decided.serviceId } });
  await playBeside(store);
  return Object.fromEntries(
    await Promise.all(Object.entries(named).map(async ([name, id]) => [name, await shownOf(cases, id)] as const)),
  );
}

/** What stands beside cases: a launch, staff, a code file, what was used, a pace, and a patient who was erased. */
async function playBeside(store: Store): Promise<void> {
  await store.launches.put({
    id: 'launch-of-0-1-0',
    site: 'valley',
    stateHash: 'state',
    sessionHash: 'session',
    phase: 'open',
    createdAt: '2026-11-20T09:00:00.000Z',
    lastUsedAt: '2026-11-20T09:05:00.000Z',
    dueAt: '2126-11-20T09:05:00.000Z',
    tokens: { accessToken: 'token', accessExpiresAt: '2026-11-20T10:00:00.000Z', refreshToken: 'refresh' },
    context: { patient: 'p1', userName: 'Dr. Deva Loper', orders: [], needPatientBanner: true, scopes: ['launch'] },
  });
  await store.worklist.signedIn('valley', user);
  const read = readIcd10File(orderLine(1, 'I10', 1, 'Essential (primary) hypertension'));
  if ('problems' in read) throw new Error('the story’s own code file is wrong');
  await store.codes.load('icd-10-cm', { source: 'story.txt', year: '2027', codes: read.codes });
  await store.used.note('valley', 'pharmacy', [{ key: 'one', content: { name: 'Main Street Pharmacy' } }]);
  await store.allowance.reserve('valley', 60);
  const { patient } = await clinicOf(store).cases.openDraft(aRequest({ patient: 'Patient/erased' }));
  await store.maintenance.erase('valley', patient);
}
