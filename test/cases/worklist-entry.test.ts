import { describe, expect, test } from 'vitest';
import type { CaseHead } from '../../src/cases/sealed-parts.ts';
import { worklistRules } from '../../src/cases/worklist-entry.ts';
import type { Sealed, StoredCase } from '../../src/store/types.ts';
import type { LedgerEntry } from '../../src/writeback/ledger.ts';
import { approval } from '../writeback/support.ts';

// In which part of the worklist a case stands, what it waits for, and since when.

const created = '2026-11-20T08:00:00.000Z';
const sentAt = '2026-11-21T10:00:00.000Z';
const changedAt = '2026-11-22T09:00:00.000Z';

function sealed<T>(content: T): Sealed<T> {
  return { hash: JSON.stringify(content), value: () => content };
}

const head: CaseHead = {
  patient: 'Patient/p1',
  order: 'MedicationRequest/m1',
  launch: 'l1',
  banner: { name: 'Canary Testperson' },
  title: 'adalimumab',
  users: { 'Practitioner/d1': 'Dr. Deva Loper', 'Practitioner/n1': 'Nurse Noor', 'Practitioner/x': 'Somebody Else' },
};
const submission = {
  attempt: 1,
  state: 'accepted',
  sentAt,
  serviceId: 'pa_1',
  sealed: sealed({ body: {}, provenance: [], gaps: [], by: 'bridge', launch: 'l1', title: 'adalimumab' }),
};

function entry(changes: Partial<StoredCase>, more: Partial<CaseHead> = {}) {
  return worklistRules.entryOf({
    id: '11111111-2222-4333-8444-555555555555',
    site: 'valley',
    kind: 'prior-auth',
    state: 'draft',
    attempt: 0,
    version: 1,
    unwritten: false,
    waiting: false,
    createdAt: created,
    updatedAt: created,
    head: sealed({ ...head, ...more }),
    draft: sealed({ edits: {}, answers: {} }),
    submissions: [],
    events: [],
    writes: [],
    ...changes,
  });
}

const sent = { attempt: 1, sentAt, serviceId: 'pa_1', submissions: [submission] };
const unsaved: LedgerEntry = { what: 'task', version: 'x', state: 'failed', attempts: 3, at: changedAt };
const ended = (record: object): Partial<StoredCase> => ({
  ...sent,
  state: 'ended',
  status: 'completed',
  changedAt,
  endedAt: changedAt,
  record: sealed({ id: 'pa_1', status: 'completed', ...record }),
});

describe('a case stands in the worklist', () => {
  test.each<[string, Partial<StoredCase>, object]>([
    ['as a draft', {}, { part: 'needs', waits: 'draft', since: created }],
    [
      'as a draft to send again, since its request did not arrive',
      {
        attempt: 1,
        notArrivedAt: changedAt,
        submissions: [{ ...submission, state: 'not_arrived', settledAt: changedAt }],
      },
      { part: 'needs', waits: 'send_again', since: changedAt },
    ],
    ['as refused', { ...sent, state: 'refused', changedAt }, { part: 'needs', waits: 'refused', since: changedAt }],
    ['as under way', { ...sent, state: 'sending' }, { part: 'payer', waits: 'sending', since: sentAt }],
    ['as unclear', { ...sent, state: 'unknown', changedAt }, { part: 'needs', waits: 'unclear', since: changedAt }],
    [
      'with the payer',
      { ...sent, state: 'open', status: 'awaiting_outcome', changedAt },
      { part: 'payer', waits: 'awaiting_outcome', since: changedAt },
    ],
    [
      'under a word that the service has made up since',
      { ...sent, state: 'open', status: 'approved', changedAt },
      { part: 'payer', waits: 'unknown_status' },
    ],
    [
      'as approved until a day',
      ended(approval),
      { part: 'decided', waits: 'approved', approvalEnd: '2027-11-20', since: changedAt },
    ],
    [
      'as approved until a day that is none',
      ended({ outcome: { ...approval.outcome, authorization_expiration: '2027-13-40' } }),
      { part: 'decided', waits: 'approved', approvalEnd: undefined },
    ],
    ['as denied', ended({ outcome: { result: 'Denied' } }), { part: 'needs', waits: 'denied' }],
  ])('%s', (_, changes, expected) => {
    const { approvalEnd, ...others } = entry(changes);
    expect({ approvalEnd, ...others }).toMatchObject(expected);
  });

  test('as a draft whose order the chart has ended, until a person marks it as done', () => {
    expect(entry({}, { orderEnded: true })).toMatchObject({ part: 'needs', waits: 'order_ended' });
    expect(entry({}, { orderEnded: true, done: true })).toMatchObject({ part: 'decided', waits: 'order_ended' });
  });

  test('as what could not be saved in the chart, where nothing else is to be done', () => {
    expect(entry({ ...ended(approval), writes: [unsaved] })).toMatchObject({ part: 'needs', waits: 'unwritten' });
  });

  test('as what else is to be done, also where something could not be saved in the chart', () => {
    const denied = { ...ended({ outcome: { result: 'Denied' } }), writes: [unsaved] };
    expect(entry(denied)).toMatchObject({ part: 'needs', waits: 'denied' });
    expect(entry(denied, { done: true })).toMatchObject({ part: 'needs', waits: 'unwritten' });
  });

  test('no more among what needs somebody, once a person has said that it is done', () => {
    const denied = ended({ outcome: { result: 'Denied' } });
    expect(entry(denied, { done: true })).toMatchObject({ part: 'decided', waits: 'denied' });
  });
});

describe('a line of the worklist belongs to', () => {
  test('its owner; without one to nobody', () => {
    expect(entry({}, { owner: 'Practitioner/d1' })).toMatchObject({ owner: 'Practitioner/d1' });
    expect(entry({})).not.toHaveProperty('owner');
  });

  test('and names nobody but its people', () => {
    const { line } = entry({}, { owner: 'Practitioner/d1', assigned: 'Practitioner/n1' });
    expect(line.people).toEqual({ 'Practitioner/d1': 'Dr. Deva Loper', 'Practitioner/n1': 'Nurse Noor' });
  });
});
