import { describe, expect, test } from 'vitest';
import { caseOf } from '../../src/cases/assemble.ts';
import { factsOf } from '../../src/cases/facts-of-case.ts';
import type { StoredCase } from '../../src/store/types.ts';
import { at, by, head, id, later, left, record, sealed, sent, stored } from './stored.ts';

// The case as write-back sees it: all that stands in the Task and the letters comes from here.

const facts = (one: StoredCase) => factsOf(caseOf(one));
const always = {
  id,
  kind: 'prior-auth',
  patient: 'Patient/p1',
  order: 'MedicationRequest/m1',
  banner: { name: 'Canary Testperson' },
  title: 'adalimumab',
  writes: [],
};
const open = stored({
  state: 'open',
  attempt: 1,
  serviceId: 'pa_1',
  status: 'processing',
  sentAt: at,
  changedAt: later,
  head: sealed({ ...head, sentBy: by }),
  record: sealed(record()),
  submissions: [sent(1, 'accepted', { serviceId: 'pa_1' })],
});

test('a draft says what it is about, and no more', () => {
  expect(facts(stored())).toEqual({ ...always, state: 'draft', body: undefined });
});

test('a request that was sent says who sent it when, and what the service has', () => {
  expect(facts(open)).toEqual({
    ...always,
    state: 'open',
    serviceId: 'pa_1',
    sentAt: at,
    sentBy: by,
    changedAt: later,
    record: record(),
    body: left.body,
  });
});

test('references of the case go along where it has them', () => {
  const references = { encounter: 'Encounter/e1', prescriber: 'Practitioner/d1', coverage: 'Coverage/c1' };
  expect(facts(stored({ ...open, head: sealed({ ...head, ...references }) }))).toMatchObject(references);
  const rows = [{ what: 'task', version: 'v1', state: 'done', attempts: 1, at }] as const;
  expect(factsOf(caseOf(open), rows).writes).toBe(rows);
});

test('a request that has ended says when, and why it was to be cancelled', () => {
  const ended = {
    state: 'ended',
    status: 'cancelled',
    endedAt: later,
    record: sealed(record({ status: 'cancelled' })),
  };
  expect(facts(stored({ ...open, ...ended }))).toMatchObject({ state: 'ended', endedAt: later });
  expect(facts(stored({ ...open, ...ended }))).not.toHaveProperty('cancellation');
  const asked = stored({ ...open, head: sealed({ ...head, cancellation: 'Sent by mistake' }) });
  expect(facts(asked)).toMatchObject({ cancellation: 'Sent by mistake' });
  expect(facts(asked)).not.toHaveProperty('endedAt');
});

test('one under way has no id at the service', () => {
  const sending = stored({ state: 'sending', attempt: 1, sentAt: at, submissions: [sent(1, 'sending')] });
  expect(facts(sending)).toMatchObject({ state: 'sending', sentAt: at, sentBy: 'bridge', body: left.body });
  expect(facts(sending)).not.toHaveProperty('serviceId');
});

describe('a request that did not arrive', () => {
  const back = stored({
    attempt: 2,
    submissions: [sent(1, 'not_arrived', { sentAt: '2026-11-20T10:00:00.000Z' }), sent(2, 'not_arrived')],
  });

  test('is named by when the last one left, and its body', () => {
    expect(facts(back)).toMatchObject({ state: 'draft', notArrived: { left: { sentAt: at } } });
    expect(facts(back).body).toMatchObject({ prescription: { extra: { submission_id: `${id}/2` } } });
    expect(facts(back)).not.toHaveProperty('sentAt');
  });

  test('still counts for its Task when another one was sent', () => {
    const event = { id: 1, at, type: 'not_arrived', actor: 'Practitioner/d1', facts: { attempt: 1 } };
    expect(facts(stored({ ...open, events: [event] })).notArrived).toEqual({ left: { sentAt: at } });
    expect(facts(stored({ ...open, events: [{ ...event, type: 'accepted' }] }))).not.toHaveProperty('notArrived');
    expect(facts(stored({ events: [event] })).notArrived).toEqual({ left: { sentAt: at } });
  });
});

describe('what the payer asks', () => {
  const asks = { number: 1, from: 'person', openedAt: at, openedBy: by, asked: [], replies: [] };
  const rounds = (...more: readonly object[]) => sealed(more.map((one) => ({ ...asks, ...one })));

  test('is said of an open request, with the day until which it waits', () => {
    expect(facts(stored({ ...open, rounds: rounds({ until: '2026-12-01' }) })).asked).toEqual({
      standing: 'asked',
      until: '2026-12-01',
    });
    expect(facts(stored({ ...open, rounds: rounds({}) })).asked).toEqual({ standing: 'asked' });
  });

  test('is not said once it has ended, and where nothing is asked', () => {
    const over = { ended: { at, by, how: 'all' } };
    expect(facts(stored({ ...open, rounds: rounds(over) }))).not.toHaveProperty('asked');
    const ended = { state: 'ended', status: 'completed', endedAt: later, record: sealed(record()) };
    expect(facts(stored({ ...open, ...ended, rounds: rounds({}) }))).not.toHaveProperty('asked');
  });
});
