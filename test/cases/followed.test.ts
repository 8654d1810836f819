import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Case } from '../../src/cases/case.ts';
import { job } from '../../src/cases/jobs.ts';
import { queues } from '../../src/cases/work/queues.ts';
import { worklistRules } from '../../src/cases/worklist-entry.ts';
import { BridgeError } from '../../src/core/errors.ts';
import type { Store } from '../../src/store/types.ts';
import { type Backend, pgliteBackend, sqlOf } from '../store/backends.ts';
import { eventually } from '../support/eventually.ts';
import { createRandom } from '../torture/random.ts';
import { aClinic, aRequest, aSubmission, body, type Clinic, working } from './clinic.ts';
import { liveOn } from './followed-lives.ts';

// A denied request that is sent again leaves what needs somebody, however the service came to have the new one.

const denied = { status: 'completed', outcome: { result: 'Denied', detail_code: 'unknown' } };
const by = { fhirUser: 'Practitioner/d1' };
const other = { ...body, prescription: { ...body.prescription, drug_name: 'etanercept' } };

let backend: Backend;
let store: Store;
beforeAll(async () => {
  backend = await pgliteBackend();
  store = await backend.open({ queues, worklist: worklistRules });
});
afterAll(async () => {
  await store?.close();
  await backend?.close();
});

const serviceIdOf = (one: Case) => ('serviceId' in one ? (one.serviceId ?? '') : '');

async function aDenied(clinic: Clinic): Promise<Case> {
  const draft = await clinic.cases.openDraft(aRequest());
  return await moved(clinic, await clinic.cases.send(draft.id, aSubmission(clinic, draft)), denied);
}

async function moved(clinic: Clinic, sent: Case, to: object): Promise<Case> {
  clinic.service.move(serviceIdOf(sent), to);
  return await clinic.cases.refresh(sent.id);
}

const anew = ({ patient, order }: Case, changes: object = {}) => aRequest({ patient, order, anew: true, ...changes });

async function sentAnew(clinic: Clinic, old: Case, changes: object = {}): Promise<Case> {
  const draft = await clinic.cases.openDraft(anew(old, changes));
  return await clinic.cases.send(draft.id, aSubmission(clinic, draft));
}

const followerOf = async ({ cases }: Clinic, { id }: Case) => (await cases.get(id)).followed?.case;
const partOf = async ({ id }: Case) => (await store.worklist.find(id))?.part;
const noJobIsLeft = () =>
  eventually(async () => {
    const sql = `select 1 from ${backend.schema}_jobs.job where name = 'follow' and state < 'completed'`;
    expect(await sqlOf(store)(sql)).toEqual([]);
  });
const arrives = ({ cases }: Clinic, id: string) =>
  cases.receiveWebhook(
    'valley',
    { event_type: 'prior_authorization.status_change', event_id: `e-${id}`, data: { id } },
    { isSigned: true },
  );

describe('a denied request', () => {
  test('is followed by a new one once that was sent, and says so once', async () => {
    const clinic = aClinic(store);
    const old = await aDenied(clinic);
    expect(await partOf(old)).toBe('needs');
    const newer = await sentAnew(clinic, old);
    await working(clinic, async () => {
      await eventually(async () => expect(await partOf(old)).toBe('decided'));
      await moved(clinic, newer, denied);
      await noJobIsLeft();
    });
    const { followed, events } = await clinic.cases.get(old.id);
    expect(followed).toEqual({ case: newer.id, at: 'sentAt' in newer ? newer.sentAt : '' });
    expect(events.filter(({ type }) => type === 'followed').map(({ facts }) => facts)).toEqual([{ case: newer.id }]);
  });

  test('is followed once the request whose answer was lost is found', async () => {
    const clinic = aClinic(store);
    const old = await aDenied(clinic);
    clinic.service.next.create.push('lost-after');
    const newer = await sentAnew(clinic, old);
    await working(clinic, async () => {
      expect(newer.state).toBe('unknown');
      expect(await followerOf(clinic, old)).toBeUndefined();
      await arrives(clinic, clinic.service.id(2));
      await eventually(async () => expect(await followerOf(clinic, old)).toBe(newer.id));
    });
    expect(await partOf(old)).toBe('decided');
  });

  test('is followed also when the process was killed as soon as the answer was stored', async () => {
    const clinic = aClinic(store);
    const old = await aDenied(clinic);
    const change: Store['cases']['change'] = async (...args) => {
      const changed = await store.cases.change(...args);
      return changed.state === 'open' ? await new Promise(() => {}) : changed;
    };
    const killed = aClinic({ ...store, cases: { ...store.cases, change } }, { service: clinic.service });
    const draft = await killed.cases.openDraft(anew(old));
    void killed.cases.send(draft.id, aSubmission(killed, draft));
    await eventually(async () => expect((await clinic.cases.get(draft.id)).state).toBe('open'));
    await working(clinic, () => eventually(async () => expect(await followerOf(clinic, old)).toBe(draft.id)));
  });

  test('needs somebody while nobody knows whether the new one arrived, and when it did not', async () => {
    const clinic = aClinic(store);
    const old = await aDenied(clinic);
    clinic.service.next.create.push('lost-before');
    const newer = await sentAnew(clinic, old);
    await clinic.cases.markNotArrived(newer.id, by);
    await working(clinic, noJobIsLeft);
    expect(await partOf(old)).toBe('needs');
  });

  test('is followed by the one that is left when another is canceled, and by none when all are', async () => {
    const clinic = aClinic(store);
    const old = await aDenied(clinic);
    const first = await sentAnew(clinic, old);
    const draft = await clinic.cases.openDraft(aRequest({ patient: old.patient }));
    const second = await clinic.cases.send(draft.id, aSubmission(clinic, draft, { duplicatesSeen: [first.id] }));
    await working(clinic, async () => {
      await eventually(async () => expect(await followerOf(clinic, old)).toBe(first.id));
      await moved(clinic, first, { status: 'cancelled' });
      await eventually(async () => expect(await followerOf(clinic, old)).toBe(second.id));
      await moved(clinic, second, { status: 'cancelled' });
      await eventually(async () => expect(await followerOf(clinic, old)).toBeUndefined());
    });
    expect(await partOf(old)).toBe('needs');
  });

  test('stays with the one that follows it when an earlier one is found', async () => {
    const clinic = aClinic(store);
    const old = await aDenied(clinic);
    clinic.service.next.create.push('lost-after');
    const lost = await sentAnew(clinic, old);
    const draft = await clinic.cases.openDraft(aRequest({ patient: old.patient }));
    const second = await clinic.cases.send(draft.id, aSubmission(clinic, draft, { duplicatesSeen: [lost.id] }));
    await working(clinic, async () => {
      await eventually(async () => expect(await followerOf(clinic, old)).toBe(second.id));
      await arrives(clinic, clinic.service.id(2));
      await eventually(async () => expect((await clinic.cases.get(lost.id)).state).toBe('open'));
      await noJobIsLeft();
    });
    expect(await followerOf(clinic, old)).toBe(second.id);
  });

  test('is not followed by what was sent before its end, nor for another drug, nor by what was refused', async () => {
    const clinic = aClinic(store);
    const draft = await clinic.cases.openDraft(aRequest());
    const old = await clinic.cases.send(draft.id, aSubmission(clinic, draft));
    const beside = await clinic.cases.openDraft(aRequest({ patient: old.patient }));
    await clinic.cases.send(beside.id, aSubmission(clinic, beside, { duplicatesSeen: [old.id] }));
    await moved(clinic, old, denied);
    const another = await clinic.cases.openDraft(aRequest({ patient: old.patient }));
    await clinic.cases.send(another.id, aSubmission(clinic, another, { body: other }));
    clinic.service.next.create.push(new BridgeError('service_refused'));
    const again = await clinic.cases.openDraft(anew(old));
    await clinic.cases.send(again.id, aSubmission(clinic, again, { duplicatesSeen: [beside.id] }));
    await working(clinic, noJobIsLeft);
    expect(await followerOf(clinic, old)).toBeUndefined();
  });

  test('that is erased before the mark leaves nothing to do', async () => {
    const clinic = aClinic(store);
    const old = await aDenied(clinic);
    const isWritten = async ({ id }: Case) => expect((await clinic.cases.get(id)).unwritten).toBe(false);
    await working(clinic, () => eventually(() => isWritten(old)));
    const newer = await moved(clinic, await sentAnew(clinic, old), denied);
    await working(clinic, () => eventually(() => isWritten(newer)));
    await store.maintenance.erase('valley', old.patient);
    await store.enqueue([job('follow', 'valley', { case: newer.id })]);
    await working(clinic, noJobIsLeft);
    expect(clinic.logged.filter(({ message }) => message === 'job failed')).toEqual([]);
  });
});

describe('in any order of events', () => {
  let followed = 0;
  test.each(Array.from({ length: 24 }, (_, seed) => seed))(
    'an ended request is followed exactly when the service has a newer one: %i',
    async (seed) => {
      const { ended, atService, life } = await liveOn(store, createRandom(seed));
      for (const { one, order, drug } of ended) {
        const ids = atService
          .filter((other) => other.one.id !== one.id && (other.order === order || other.drug === drug))
          .flatMap((other) => (other.one.sentAt >= one.endedAt ? [other.one.id] : []));
        if (ids.length === 0) expect(one.followed, life.join(', ')).toBeUndefined();
        else expect(ids, life.join(', ')).toContain(one.followed?.case);
        followed += ids.length > 0 ? 1 : 0;
      }
    },
    60_000,
  );

  test('which the lives above have brought about', () => {
    expect(followed).toBeGreaterThan(40);
  });
});
