import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { caseOf } from '../../src/cases/assemble.ts';
import { caseStates, roundsOf } from '../../src/cases/case.ts';
import { casesDoc } from '../../src/cases/diagram.ts';
import { eventText } from '../../src/cases/events.ts';
import { type QuestionFile, type Reply, type Round, roundSeen } from '../../src/cases/rounds/round.ts';
import type { CaseHead } from '../../src/cases/sealed-parts.ts';
import type { NewReply, ReplyAnswer } from '../../src/cases/transitions/rounds.ts';
import { type TransitionFacts, type TransitionName, transition, transitions } from '../../src/cases/transitions.ts';
import { BridgeError } from '../../src/core/errors.ts';
import type { StoredCase } from '../../src/store/types.ts';
import { follows, type LedgerEntry, rowBefore } from '../../src/writeback/ledger.ts';
import { at, by, head, id, later, left, record, sealed, sent, stored } from './stored.ts';

const run = <Name extends TransitionName>(name: Name, one: StoredCase, facts: TransitionFacts<Name>) =>
  transition(name, one, facts, later);

const queuesOf = (write: ReturnType<typeof run>) => (write?.jobs ?? []).map(({ queue }) => queue);
const saysOf = (write: ReturnType<typeof run>) => (write?.events ?? []).map(({ type }) => type);

test('docs/develop/cases.md is drawn from the table as it is', () => {
  expect(readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'develop', 'cases.md'), 'utf8')).toBe(casesDoc());
});

test('every event can happen somewhere, and every state but the first is reached', () => {
  const rows = Object.values(transitions).map(({ from }) => Object.entries(from));
  expect(rows.filter((row) => row.length === 0)).toEqual([]);
  const reached = rows.flat().flatMap(([state, to]) => to.filter((next) => next !== state));
  expect(caseStates.filter((state) => state !== 'draft' && !reached.includes(state))).toEqual([]);
});

test('every type of event has its sentence, and an unknown one is only noted', () => {
  const about = { kind: 'prior-auth', cancellation: 'Sent by mistake' } as const;
  expect(eventText({ type: 'cancel_asked', facts: {} }, about)).toBe('Cancellation requested: Sent by mistake');
  expect(eventText({ type: 'status', facts: { status: 'awaiting_outcome' } }, about)).toBe('With the payer');
  expect(eventText({ type: 'of a later version', facts: {} }, about)).toBe('Noted by another version of this app');
});

describe('an answer names its attempt', () => {
  const second = stored({
    state: 'sending',
    attempt: 2,
    sentAt: at,
    submissions: [sent(1, 'refused'), sent(2, 'sending')],
  });

  test('the timer of the first request does not judge the second [S4]', () => {
    expect(run('lose', second, { attempt: 1 })).toBeUndefined();
    expect(run('lose', second, { attempt: 2 })).toMatchObject({ columns: { state: 'unknown' } });
  });

  test('neither does a late refusal of the first [S4]', () => {
    const error = new BridgeError('service_refused');
    expect(run('refuse', second, { attempt: 1, error })).toBeUndefined();
    expect(run('refuse', second, { attempt: 2, error })).toMatchObject({ columns: { state: 'refused', attempt: 2 } });
  });

  // The Task of one that did not arrive stands in the chart, and is delivered: what belongs to it goes on.
  test.each(['provenance', 'double'] as const)(
    'of one that did not arrive, a %s that was not tried is known to the next delivery [S4]',
    (what) => {
      const task: LedgerEntry = { what: 'task', version: 'v1', state: 'done', attempts: 1, at, reference: 'Task/1' };
      const row: LedgerEntry = { what, version: 'Task/1', state: 'planned', attempts: 0, at };
      const draft = stored({
        attempt: 1,
        notArrivedAt: at,
        submissions: [sent(1, 'not_arrived')],
        writes: [task, row],
      });
      const before = rowBefore(caseOf(draft).writes, row);
      expect(follows(draft.writes, { ...row, state: 'in_flight', attempts: 1 }, before)).toBe(true);
    },
  );

  test.each(['provenance', 'double'] as const)(
    'who says that a request did not arrive leaves a %s of what stands in the chart to the next delivery [S4]',
    (what) => {
      const task: LedgerEntry = { what: 'task', version: 'v1', state: 'done', attempts: 1, at, reference: 'Task/1' };
      const row: LedgerEntry = { what, version: 'Task/1', state: 'waiting', attempts: 0, at };
      const lost = stored({ state: 'unknown', attempt: 1, submissions: [sent(1, 'unclear')], writes: [task, row] });
      expect(run('not-arrived', lost, { by })?.writes ?? []).toEqual([]);
    },
  );

  test('who says that a request did not arrive takes back a letter that was not tried', () => {
    const row: LedgerEntry = { what: 'determination', version: 'v1', state: 'planned', attempts: 0, at };
    const lost = stored({ state: 'unknown', attempt: 1, submissions: [sent(1, 'unclear')], writes: [row] });
    expect(run('not-arrived', lost, { by })?.writes).toMatchObject([{ what: 'determination', state: 'skipped' }]);
  });

  test('of one that did not arrive, a letter that was not tried is not wanted', () => {
    const row: LedgerEntry = { what: 'determination', version: 'v1', state: 'planned', attempts: 0, at };
    const draft = stored({ attempt: 1, notArrivedAt: at, submissions: [sent(1, 'not_arrived')], writes: [row] });
    expect(caseOf(draft).writes).toEqual([]);
  });

  test('a late acceptance of a request said not to have arrived is looked up like a record that was found [S4]', () => {
    const draft = stored({ attempt: 1, notArrivedAt: at, submissions: [sent(1, 'not_arrived')] });
    const late = run('accept', draft, { attempt: 1, serviceId: 'pa_1', pollSeconds: 30 });
    expect(late).toMatchObject({
      columns: { state: 'draft' },
      submissions: [{ attempt: 1, state: 'accepted', serviceId: 'pa_1' }],
    });
    expect(queuesOf(late)).toEqual(['match']);
  });

  test('of an enrollment, which has no record, a late confirmation ends it as it had left [S4]', () => {
    const draft = stored({
      kind: 'enrollment',
      attempt: 1,
      submissions: [sent(1, 'not_arrived')],
      draft: sealed({ edits: { programId: 'another' }, answers: {} }),
    });
    const late = run('accept', draft, { attempt: 1, serviceId: 'enr_1', pollSeconds: 30 });
    expect(late).toMatchObject({
      columns: { state: 'ended', serviceId: 'enr_1', attempt: 1, sentAt: at },
      draft: null,
    });
    expect(saysOf(late)).toEqual(['accepted']);
  });

  test('a second enrollment that was confirmed is told, not passed over', () => {
    const open = stored({
      kind: 'enrollment',
      state: 'ended',
      attempt: 2,
      serviceId: 'enr_2',
      sentAt: at,
      endedAt: at,
      submissions: [sent(1, 'not_arrived'), sent(2, 'accepted', { serviceId: 'enr_2' })],
    });
    const late = run('accept', open, { attempt: 1, serviceId: 'enr_1', pollSeconds: 30 });
    expect(late).toMatchObject({ columns: { state: 'ended', problem: 'service_second_request' } });
  });
});

describe('a record that was found', () => {
  const facts = { record: record(), by: 'bridge', pollSeconds: 30 } as const;

  test('while a second request is under way is the first’s, and does not settle the second', () => {
    const second = stored({
      state: 'unknown',
      attempt: 2,
      sentAt: at,
      head: sealed({ ...head, problem: { code: 'service_unclear', text: '', at } }),
      problem: 'service_unclear',
      submissions: [sent(1, 'not_arrived'), sent(2, 'unclear')],
    });
    const found = run('find', second, facts);
    expect(found).toMatchObject({
      columns: { state: 'unknown', problem: 'service_unclear' },
      head: { others: ['pa_1'] },
    });
    expect(saysOf(found)).toEqual(['second_found']);
    // When the second did not arrive, the first is looked up again and followed.
    const draft = run('not-arrived', stored({ ...second, head: sealed(found?.head as CaseHead) }), { by });
    expect(queuesOf(draft)).toContain('match');
  });

  test('takes a draft back as it had left, with the entries of that request', () => {
    const draft = stored({
      attempt: 1,
      notArrivedAt: at,
      head: sealed({ ...head, title: 'etanercept', coverage: 'Coverage/other' }),
      submissions: [sent(1, 'not_arrived')],
    });
    const found = run('find', draft, facts);
    expect(found).toMatchObject({
      columns: { state: 'open', serviceId: 'pa_1', attempt: 1, sentAt: at },
      head: { title: 'adalimumab' },
      draft: null,
    });
    expect(found?.head).not.toHaveProperty('coverage');
    expect(saysOf(found)).toEqual(['found', 'status']);
    expect(queuesOf(found).toSorted()).toEqual(['deliver', 'follow', 'poll']);
  });

  test('takes a draft back with the signature under that request, not with one under the draft', () => {
    const signed = (digest: string) =>
      ({ state: 'signed', digest, settledBy: 'Practitioner/d1', isChanged: false }) as const;
    const draft = stored({
      attempt: 1,
      notArrivedAt: at,
      head: sealed({ ...head, signature: signed('draft') }),
      submissions: [sent(1, 'not_arrived', { sealed: sealed({ ...left, signature: signed('sent') }) })],
    });
    expect(run('find', draft, facts)?.head).toMatchObject({ signature: signed('sent') });
    const unsigned = stored({ ...draft, submissions: [sent(1, 'not_arrived')] });
    expect(run('find', unsigned, facts)?.head).not.toHaveProperty('signature');
  });

  test('beside the one that the case follows is a second request, and does not take its place', () => {
    const found = run('find', openCase(), { ...facts, record: record({ id: 'pa_9' }) });
    expect(found).toMatchObject({ columns: { state: 'open', serviceId: 'pa_1' }, head: { others: ['pa_9'] } });
    expect(saysOf(found)).toEqual(['second_found']);
    const facts9 = { service_id: 'pa_9', status: 'processing' };
    const told = { id: 1, at, type: 'second_found', actor: 'bridge' as const, facts: facts9 };
    const known = stored({ ...openCase(), head: sealed({ ...head, others: ['pa_9'] }), events: [told] });
    expect(run('find', known, { ...facts, record: record({ id: 'pa_9' }) })).toBeUndefined();
  });

  test('cancelled by somebody at the service settles its request, and the draft goes on', () => {
    const draft = stored({ attempt: 1, notArrivedAt: at, submissions: [sent(1, 'not_arrived')] });
    const found = run('find', draft, { ...facts, record: record({ status: 'cancelled' }) });
    expect(found).toMatchObject({
      columns: { state: 'draft' },
      submissions: [{ attempt: 1, state: 'accepted', serviceId: 'pa_1', settledAt: later }],
    });
    expect(saysOf(found)).toEqual(['arrived_cancelled']);
  });

  test('and says what several requests said answers the first that has no answer [E11]', () => {
    const asked = {
      patient: { internal_id: 'MRN-1' },
      provider: { npi: '1234567893' },
      drugs: [{ name: 'adalimumab', dosage: '40 mg', quantity: 2 }],
    };
    const content = sealed({ ...left, body: asked });
    const one = (attempt: number, state: string, more: object = {}) => ({
      ...sent(attempt, state, more),
      sealed: content,
    });
    const open = stored({
      kind: 'benefit-verification',
      state: 'open',
      attempt: 3,
      serviceId: 'bv_3',
      status: 'processing',
      sentAt: at,
      submissions: [one(1, 'not_arrived'), one(2, 'not_arrived'), one(3, 'accepted', { serviceId: 'bv_3' })],
    });
    const found = (serviceId: string) => ({ ...facts, record: { id: serviceId, status: 'processing', ...asked } });
    expect(run('find', open, found('bv_1'))?.submissions).toMatchObject([{ attempt: 1, serviceId: 'bv_1' }]);
    // The next one is the second's; a record that the case follows already is read again.
    const first = one(1, 'accepted', { serviceId: 'bv_1' });
    const second = stored({ ...open, submissions: [first, ...open.submissions.slice(1)] });
    expect(run('find', second, found('bv_2'))?.submissions).toMatchObject([{ attempt: 2, serviceId: 'bv_2' }]);
    expect(run('find', second, found('bv_3'))).toMatchObject({ jobs: [{ queue: 'look' }] });
  });

  test('that has finished names its letter to be fetched [S17]', () => {
    const lost = stored({ state: 'unknown', attempt: 1, sentAt: at, submissions: [sent(1, 'unclear')] });
    const fax = { id: 'f1', created_at: at, type: 'received_fax', details: { url: 'https://service.example/f1' } };
    const found = run('find', lost, {
      ...facts,
      record: record({ status: 'completed', outcome: { result: 'Approved' }, activity_log: [fax] }),
    });
    expect(found).toMatchObject({ columns: { state: 'ended', unwritten: true } });
    expect(queuesOf(found)).toContain('letter');
    // A link ends within the hour, and differs with each reading.
    expect(JSON.stringify(found?.record)).not.toContain('https://service.example/f1');
  });
});

describe('a request that did not arrive', () => {
  const lost = stored({ state: 'unknown', attempt: 1, sentAt: at, submissions: [sent(1, 'unclear')] });
  const task = { what: 'task', version: 'v1', attempts: 1, at } as const;

  test('is told in the chart where its Task may stand there', () => {
    const told = run('not-arrived', stored({ ...lost, writes: [{ ...task, state: 'done', reference: 'Task/1' }] }), {
      by,
    });
    expect(told?.columns).toMatchObject({ state: 'draft', notArrivedAt: later, unwritten: true });
    expect(queuesOf(told)).toEqual(['deliver']);
  });

  test.each([
    ['none was written', []],
    ['none was ever tried', [{ ...task, attempts: 0, state: 'planned' as const }]],
  ])('is no news for the chart where %s', (_, writes) => {
    const untold = run('not-arrived', stored({ ...lost, writes }), { by });
    expect(untold?.columns).not.toMatchObject({ unwritten: true });
    expect(queuesOf(untold)).toEqual([]);
  });
});

describe('a request that has ended [E11]', () => {
  const ended = stored({
    state: 'ended',
    attempt: 1,
    serviceId: 'pa_1',
    status: 'completed',
    sentAt: at,
    endedAt: at,
    record: sealed(record({ status: 'completed', outcome: { result: 'Denied' } })),
    submissions: [sent(1, 'accepted', { serviceId: 'pa_1' })],
  });

  test.each([
    ['as it was read before', record({ status: 'completed', outcome: { result: 'Denied' } })],
    ['with another outcome', record({ status: 'completed', outcome: { result: 'Approved' } })],
    ['as cancelled after the answer', record({ status: 'cancelled' })],
  ])('has ended when it did, when its record is read %s', (_, read) => {
    expect(run('read', ended, { record: read })?.columns).toMatchObject({ state: 'ended', endedAt: at, readAt: later });
    const found = run('find', ended, { record: read, by: 'bridge', pollSeconds: 30 });
    expect(found?.columns).toMatchObject({ state: 'ended', endedAt: at });
  });

  test('takes the deadline of an appeal when it was denied, and only then', () => {
    expect(saysOf(run('note-appeal', ended, { on: '2027-01-31', by }))).toEqual(['appeal_noted']);
    const noted = { id: 1, at, type: 'appeal_noted', actor: 'bridge' as const, facts: { on: '2027-01-31' } };
    expect(run('note-appeal', stored({ ...ended, events: [noted] }), { on: '2027-01-31', by })).toBeUndefined();
    expect(run('note-appeal', ended, { on: '', by })).toBeUndefined();
    const approved = sealed(record({ status: 'completed', outcome: { result: 'Approved' } }));
    expect(() => run('note-appeal', stored({ ...ended, record: approved }), { on: '2027-01-31', by })).toThrow(
      expect.objectContaining({ code: 'case_not_ready' }),
    );
  });

  test('takes what the letter approves otherwise when it was approved, and tells the Task', () => {
    const terms = { quantity: '15', days: '', strength: '' };
    expect(() => run('note-approved', ended, { terms, by })).toThrow(
      expect.objectContaining({ code: 'case_not_ready' }),
    );
    const approved = stored({
      ...ended,
      record: sealed(record({ status: 'completed', outcome: { result: 'Approved', detail_code: 'approval' } })),
    });
    const change = run('note-approved', approved, { terms, by });
    expect(saysOf(change)).toEqual(['approved_noted']);
    expect(change?.columns).toMatchObject({ unwritten: true });
    expect(run('note-approved', approved, { terms: { quantity: '', days: '', strength: '' }, by })).toBeUndefined();
  });

  test('ends when its end is read first', () => {
    const open = stored({ ...ended, state: 'open', status: 'processing', record: sealed(record()) });
    const { endedAt: _, ...unended } = open;
    const read = run('read', unended, { record: record({ status: 'completed', outcome: { result: 'Denied' } }) });
    expect(read?.columns).toMatchObject({ state: 'ended', endedAt: later });
  });
});

test('what a person sets of a draft stands in its head', () => {
  const edits = { prescriber: 'Practitioner/d2', coverage: 'Coverage/c2', title: 'etanercept' };
  expect(run('edit', stored(), { edits })?.head).toMatchObject(edits);
});

test('a note is kept with who wrote it, and a blank one is none', () => {
  const noted = run('add-note', stored(), { text: ' Called the plan. ', by });
  expect(noted?.head).toMatchObject({ notes: [{ at: later, by: 'Practitioner/d1', text: 'Called the plan.' }] });
  expect(saysOf(noted)).toEqual(['note_added']);
  expect(run('add-note', stored(), { text: ' \n ', by })).toBeUndefined();
});

describe('a letter that is not to be had', () => {
  const event = (type: string) => ({ id: 1, at, type, actor: 'bridge', facts: { letter: 'f1' } });
  const over = stored({ state: 'ended', attempt: 1, sentAt: at, endedAt: at, submissions: [sent(1, 'accepted')] });
  const missed = (types: readonly string[], days: number) =>
    saysOf(run('miss-letter', { ...over, events: types.map(event) }, { letter: 'f1', code: 'service_error', days }));

  test('is told once, and given up when its days are over', () => {
    expect(missed([], 1)).toEqual(['letter_missing']);
    expect(missed(['letter_missing'], 1)).toEqual([]);
    // It is looked for an hour after the first time.
    expect(missed(['letter_missing'], 1 / 24)).toEqual(['letter_given_up']);
  });

  test('is given up again at once, when a person asks for one that was given up', () => {
    expect(missed(['letter_given_up', 'letter_asked'], 1)).toEqual(['letter_given_up']);
  });
});

describe('cancelling', () => {
  const open = stored({
    state: 'open',
    attempt: 1,
    serviceId: 'pa_1',
    status: 'processing',
    sentAt: at,
    submissions: [sent(1, 'accepted', { serviceId: 'pa_1' })],
  });

  test('looks at the state in the transaction that notes the reason [S14]', () => {
    expect(run('cancel', open, { reason: 'Sent by mistake', by })).toMatchObject({
      head: { cancellation: 'Sent by mistake' },
    });
    const ended = stored({ ...open, state: 'ended', status: 'completed', endedAt: at, record: sealed(record()) });
    expect(() => run('cancel', ended, { reason: 'late', by })).toThrow(
      expect.objectContaining({ code: 'case_not_cancellable' }),
    );
  });
});

test('names of users stand in the head, and events hold references only', () => {
  const write = run('send', stored(), {
    attempt: 1,
    content: { body: left.body, provenance: [], gaps: [], mappedBy: { mapping: 'prior-auth', version: '1' }, by },
    launch: 'l2',
    beside: [],
    settleSeconds: 180,
    signed: { digest: 'd1', isRequired: false },
  });
  expect(write).toMatchObject({
    columns: { state: 'sending', attempt: 1, sentAt: later },
    head: { users: { 'Practitioner/d1': 'Dr. Deva Loper' }, launch: 'l2', sentBy: by },
    events: [{ type: 'sent', actor: 'Practitioner/d1', facts: { attempt: 1 } }],
    jobs: [{ queue: 'settle', key: `${id}|1`, afterSeconds: 180 }],
  });
  const unnamed = run('cancel', stored({ ...openCase() }), { reason: 'x', by: { name: 'Riley Okafor' } });
  expect(unnamed).toMatchObject({ head: { users: { 'user-1': 'Riley Okafor' } }, events: [{ actor: 'user-1' }] });
});

function openCase(): StoredCase {
  return stored({
    state: 'open',
    attempt: 1,
    serviceId: 'pa_1',
    status: 'processing',
    sentAt: at,
    submissions: [sent(1, 'accepted', { serviceId: 'pa_1' })],
  });
}

describe('earlier requests are looked at again', () => {
  const looks = (write: ReturnType<typeof run>) => queuesOf(write).includes('follow');
  const { serviceId: _, status: __, ...unanswered } = openCase();
  const lost = { ...unanswered, state: 'unknown', submissions: [sent(1, 'unclear')] };
  const second = { ...openCase(), head: sealed({ ...head, others: ['pa_9'] }) };
  const enrollment = stored({ ...lost, kind: 'enrollment' });

  test.each([
    ['the service confirmed it', run('accept', lost, { attempt: 1, serviceId: 'pa_1', pollSeconds: 30 })],
    ['it was found', run('find', lost, { record: record(), by: 'bridge', pollSeconds: 30 })],
    ['a person found the enrollment', run('arrive', enrollment, { by })],
    ['it ended', run('read', openCase(), { record: record({ status: 'cancelled' }) })],
    ['its other request is followed', run('read', second, { record: record({ status: 'cancelled' }) })],
  ])('once %s', (_, write) => {
    expect(looks(write)).toBe(true);
  });

  test.each([
    ['its answer is lost', run('lose', { ...lost, state: 'sending' }, { attempt: 1 })],
    ['it did not arrive', run('not-arrived', lost, { by })],
    ['the payer has it', run('read', openCase(), { record: record({ status: 'awaiting_outcome' }) })],
  ])('but not while %s', (_, write) => {
    expect(looks(write)).toBe(false);
  });
});

test('what a row does not say is refused when it happens', () => {
  const row = transitions.lose as { jobs: readonly string[] };
  const { jobs } = row;
  row.jobs = [];
  try {
    const sending = stored({ state: 'sending', attempt: 1, sentAt: at, submissions: [sent(1, 'sending')] });
    expect(() => run('lose', sending, { attempt: 1 })).toThrow(expect.objectContaining({ code: 'internal' }));
  } finally {
    row.jobs = jobs;
  }
});

describe('what the payer asks is written down by a person', () => {
  const open = openCase();
  const roundsIn = (write: ReturnType<typeof run>) => write?.rounds as readonly Round[] | undefined;
  const file: QuestionFile = { id: 'f', name: 'Fax', state: 'due', activity: 'rec_1' };

  test('with all that was said of it', () => {
    const asked = run('open-round', open, { by, text: ' Which dose? ', until: '2026-12-01', channel: 'phone' });
    expect(roundsIn(asked)).toEqual([
      {
        number: 1,
        from: 'person',
        openedAt: later,
        openedBy: by,
        until: '2026-12-01',
        asked: [
          {
            id: 'person',
            channel: 'phone',
            seenAt: later,
            fields: [{ name: 'text', text: 'Which dose?' }],
            files: [],
          },
        ],
        replies: [],
      },
    ]);
    expect([saysOf(asked), queuesOf(asked)]).toEqual([['asked'], ['deliver']]);
    expect(asked?.columns).toMatchObject({ unwritten: true });
    const plain = roundsIn(run('open-round', open, { by, text: 'Which dose?' }))?.[0];
    expect([Object.keys(plain ?? {}), Object.keys(plain?.asked[0] ?? {})].flat()).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/until|channel/)]),
    );
  });

  test('a fax is one round, and its file is to be fetched', () => {
    const fetched = run('open-round', open, { by, text: '', file });
    expect(roundsIn(fetched)).toMatchObject([{ from: 'fax', asked: [{ id: 'rec_1', fields: [], files: [file] }] }]);
    expect(queuesOf(fetched).toSorted()).toEqual(['deliver', 'round']);
    const known = stored({ ...open, rounds: sealed(roundsIn(fetched)) });
    expect(run('open-round', known, { by, text: 'again', file })).toBeUndefined();
    expect(roundsIn(run('open-round', known, { by, text: 'x', file: { ...file, activity: 'rec_2' } }))).toMatchObject([
      { number: 1 },
      { number: 2 },
    ]);
  });

  test('a scan that is kept already leaves nothing to fetch, and nothing at all is no question', () => {
    const scan: QuestionFile = { id: 's', name: 'Scan.jpg', state: 'kept', type: 'image/jpeg' };
    const noted = run('open-round', open, { by, text: ' ', file: scan });
    expect(roundsIn(noted)).toMatchObject([{ from: 'person', asked: [{ id: 'person', fields: [], files: [scan] }] }]);
    expect(queuesOf(noted)).toEqual(['deliver']);
    expect(() => run('open-round', open, { by, text: ' \n' })).toThrow(
      expect.objectContaining({ code: 'bad_request' }),
    );
  });
});

describe('a reply', () => {
  const made: NewReply['reply'] = {
    key: 'k1',
    state: 'queued',
    by,
    text: '40 mg.',
    documents: [],
    title: 'Reply 1',
    date: '2026-11-21',
    completes: false,
  };
  const round: Round = {
    number: 1,
    from: 'person',
    openedAt: at,
    openedBy: by,
    asked: [{ id: 'person', seenAt: at, fields: [{ name: 'text', text: 'Which dose?' }], files: [] }],
    replies: [],
  };
  const reply = (state: string, more: object = {}): Reply => ({ ...made, state, at, ...more });
  const withReplies = (replies: readonly Reply[], more: object = {}) =>
    stored({ ...openCase(), rounds: sealed([{ ...round, replies, ...more }]) });
  const repliesIn = (write: ReturnType<typeof run>) => (write?.rounds as readonly Round[] | undefined)?.[0]?.replies;
  const replied = (one: StoredCase, more: Partial<NewReply> = {}) => {
    const [now] = roundsOf(caseOf(one));
    return run('reply', one, { round: 1, seen: now === undefined ? '' : roundSeen(now), reply: made, ...more });
  };

  test('is stored with its time before it leaves, and a printed one is said to be made', () => {
    const kept = replied(withReplies([]));
    expect(repliesIn(kept)).toEqual([{ ...made, at: later }]);
    expect([saysOf(kept), queuesOf(kept)]).toEqual([['replied'], ['round', 'deliver']]);
    const printed = replied(withReplies([]), { reply: { ...made, state: 'printed' } });
    expect([saysOf(printed), queuesOf(printed)]).toEqual([['reply_made'], []]);
  });

  test.each(['queued', 'leaving', 'unclear', 'accepted', 'printed', 'sent'])('is one reply while it is %s', (state) => {
    expect(replied(withReplies([reply(state)]))).toBeUndefined();
  });

  test.each(['refused', 'not_sent', 'not_arrived'])('may be sent again where it was %s, in its place', (state) => {
    const before = [reply(state, { code: 'service_error' }), reply('accepted', { key: 'k0' })];
    expect(repliesIn(replied(withReplies(before)))?.map(({ key, state: now }) => [key, now])).toEqual([
      ['k0', 'accepted'],
      ['k1', 'queued'],
    ]);
  });

  const other = { reply: { ...made, key: 'k2' } };
  test.each<[string, StoredCase, Partial<NewReply>, string]>([
    ['another is queued', withReplies([reply('queued')]), other, 'reply_crossed'],
    ['another is leaving', withReplies([reply('leaving')]), other, 'reply_crossed'],
    ['another is unclear', withReplies([reply('unclear')]), other, 'reply_crossed'],
    ['the round was not seen as it stands', withReplies([]), { seen: '1.0.0..' }, 'reply_crossed'],
    ['the round is over', withReplies([], { ended: { at, by, how: 'all' } }), {}, 'round_over'],
    ['there is no such round', withReplies([]), { round: 2 }, 'bad_request'],
    [
      'the request was decided',
      stored({ ...withReplies([]), state: 'ended', status: 'completed', endedAt: at, record: sealed(record()) }),
      {},
      'reply_decided',
    ],
  ])('is refused where %s', (_, one, more, code) => {
    expect(() => replied(one, more)).toThrow(expect.objectContaining({ code }));
  });

  test('is taken beside one that has arrived, was printed or refused', () => {
    for (const state of ['accepted', 'printed', 'refused', 'sent'])
      expect(repliesIn(replied(withReplies([reply(state)]), other))?.map(({ key }) => key)).toEqual(['k1', 'k2']);
  });

  test('leaves once, and each time it leaves is counted', () => {
    const leave = (one: StoredCase) => repliesIn(run('leave-reply', one, { key: 'k1' }));
    expect(leave(withReplies([reply('queued')]))).toEqual([reply('leaving', { leftAt: later, tries: 1 })]);
    expect(leave(withReplies([reply('queued', { tries: 2 })]))).toMatchObject([{ tries: 3 }]);
    expect(leave(withReplies([reply('leaving')]))).toBeUndefined();
    expect(run('leave-reply', withReplies([reply('queued')]), { key: 'k9' })).toBeUndefined();
  });

  const settle = (state: string, answer: Partial<ReplyAnswer>, more: object = {}) =>
    run('settle-reply', withReplies([reply(state, more)]), { key: 'k1', state: 'accepted', by: 'bridge', ...answer });

  test.each<[ReplyAnswer['state'], string[], object]>([
    ['accepted', ['reply_accepted'], {}],
    ['unclear', ['reply_unclear'], {}],
    ['refused', ['reply_refused'], { code: 'service_refused', fields: ['evidence'] }],
    ['not_sent', ['reply_not_sent'], { code: 'service_unauthorized' }],
  ])('is answered: %s', (state, says, more) => {
    const settled = settle('leaving', { state, ...more });
    expect(repliesIn(settled)).toEqual([reply(state, { settledAt: later, settledBy: 'bridge', ...more })]);
    expect(saysOf(settled)).toEqual(says);
    const { code } = more as { code?: string };
    if (code !== undefined) expect(settled?.events?.[0]?.facts).toEqual({ round: 1, code });
    if (state === 'refused')
      expect(settle('leaving', { state })?.events?.[0]?.facts).toMatchObject({ code: 'internal' });
  });

  test('goes back to the queue where nothing of it has reached the service, with why', () => {
    const again = settle('leaving', { state: 'queued', code: 'service_error' }, { fields: ['old'], code: 'old' });
    expect(repliesIn(again)).toEqual([reply('queued', { code: 'service_error' })]);
    expect([saysOf(again), queuesOf(again)]).toEqual([[], []]);
  });

  test.each<[string, string, ReplyAnswer['state'], ReplyAnswer['by'], boolean]>([
    ['the record shows one that was lost', 'unclear', 'accepted', 'bridge', true],
    ['a person found it', 'unclear', 'accepted', by, true],
    ['a person did not find it', 'unclear', 'not_arrived', by, true],
    ['one that was lost is not refused', 'unclear', 'refused', 'bridge', false],
    ['one that was lost does not wait again', 'unclear', 'queued', 'bridge', false],
    ['the bridge does not say that it did not arrive', 'unclear', 'not_arrived', 'bridge', false],
    ['a person says nothing of one that is leaving', 'leaving', 'accepted', by, false],
    ['nobody says anything of one that waits', 'queued', 'accepted', 'bridge', false],
    ['nobody says anything of one that was answered', 'accepted', 'refused', 'bridge', false],
  ])('%s', (_, before, state, who, isTaken) => {
    expect(settle(before, { state, by: who }) !== undefined).toBe(isTaken);
  });

  test('ends its round where it arrived and is all, in the name of who wrote it', () => {
    const endOf = (write: ReturnType<typeof run>) => (write?.rounds as readonly Round[] | undefined)?.[0]?.ended;
    const done = settle('leaving', {}, { completes: true });
    // An hour later the record says whether the payer still asks.
    expect(done?.jobs).toMatchObject([{ queue: 'deliver' }, { queue: 'round', afterSeconds: 3600 }]);
    expect(endOf(done)).toEqual({ at: later, by, how: 'all' });
    expect(saysOf(done)).toEqual(['reply_accepted', 'round_ended']);
    expect(endOf(settle('leaving', { state: 'refused' }, { completes: true }))).toBeUndefined();
    expect(endOf(settle('leaving', {}))).toBeUndefined();
    const closed = { ended: { at, by, how: 'closed' } };
    const late = withReplies([reply('leaving', { completes: true })], closed);
    const settled = run('settle-reply', late, { key: 'k1', state: 'accepted', by: 'bridge' });
    expect(endOf(settled)).toEqual(closed.ended);
  });

  test('by hand says how and when it went, once it was printed', () => {
    const how = { key: 'k1', on: '2026-11-20', how: 'fax', completes: true, by };
    const gone = run('send-by-hand', withReplies([reply('printed')]), how);
    const facts = { on: '2026-11-20', how: 'fax', completes: true, settledAt: later, settledBy: by };
    expect(repliesIn(gone)).toEqual([reply('sent', facts)]);
    expect(saysOf(gone)).toEqual(['reply_sent', 'round_ended']);
    expect(saysOf(run('send-by-hand', withReplies([reply('printed')]), { ...how, completes: false }))).toEqual([
      'reply_sent',
    ]);
    expect(run('send-by-hand', withReplies([reply('queued')]), how)).toBeUndefined();
  });

  test('is not left behind by who closes the round', () => {
    const close = (one: StoredCase, number = 1) => run('close-round', one, { round: number, by });
    const closed = close(withReplies([reply('refused')]));
    expect(closed?.rounds).toMatchObject([{ ended: { at: later, by, how: 'closed' } }]);
    expect(saysOf(closed)).toEqual(['round_ended']);
    expect(close(withReplies([], { ended: { at, by, how: 'all' } }))).toBeUndefined();
    for (const state of ['queued', 'leaving', 'unclear'])
      expect(() => close(withReplies([reply(state)]))).toThrow(expect.objectContaining({ code: 'reply_crossed' }));
    for (const one of [() => close(withReplies([], { from: 'service' })), () => close(withReplies([]), 2)])
      expect(one).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });
});

describe('the signature of a draft', () => {
  const askedFor = { state: 'asked', digest: 'd1', askedBy: 'Practitioner/n1', askedAt: at, isChanged: false } as const;
  const draft = (signature?: CaseHead['signature']) =>
    stored({ head: sealed({ ...head, ...(signature === undefined ? {} : { signature }) }) });
  const returns = { digest: 'd1', note: 'Which dose?', by };

  test.each([
    ['was never asked for', undefined],
    ['is for something else', { ...askedFor, digest: 'd2' }],
    ['is for what the draft was before a change', { ...askedFor, isChanged: true }],
  ] as const)('that %s is neither given nor returned', (_, signature) => {
    for (const asked of [
      () => run('sign', draft(signature), { digest: 'd1', by }),
      () => run('return-signature', draft(signature), returns),
    ])
      expect(asked).toThrow(expect.objectContaining({ code: 'signature_changed' }));
  });

  test('is given once and returned once, and not given after it was returned', () => {
    const signed = { ...askedFor, state: 'signed' } as const;
    const returned = { ...askedFor, state: 'returned' } as const;
    expect(saysOf(run('sign', draft(askedFor), { digest: 'd1', by }))).toEqual(['signed']);
    expect(run('sign', draft(signed), { digest: 'd1', by })).toBeUndefined();
    expect(saysOf(run('return-signature', draft(signed), returns))).toEqual(['sign_returned']);
    expect(run('return-signature', draft(returned), returns)).toBeUndefined();
    expect(() => run('sign', draft(returned), { digest: 'd1', by })).toThrow(
      expect.objectContaining({ code: 'signature_changed' }),
    );
  });

  test('is asked for once for the same; again when it was returned, or the draft has changed since', () => {
    const ask = (signature?: CaseHead['signature']) => run('ask-signature', draft(signature), { digest: 'd1', by });
    expect(saysOf(ask())).toEqual(['sign_asked']);
    expect(ask(askedFor)).toBeUndefined();
    expect(ask({ ...askedFor, state: 'signed' })).toBeUndefined();
    for (const before of [
      { ...askedFor, state: 'returned' },
      { ...askedFor, isChanged: true },
      { ...askedFor, digest: 'd0' },
    ] as const)
      expect(ask(before)?.head).toMatchObject({ signature: { state: 'asked', digest: 'd1', isChanged: false } });
  });
});

describe('a request that leaves', () => {
  const content = { body: {}, provenance: [], gaps: [], mappedBy: { mapping: 'prior-auth', version: '1' }, by };
  const signed = { digest: 'd1', isRequired: false };
  const facts = { attempt: 1, content, launch: undefined, beside: [], settleSeconds: 60, signed };
  const contentOf = (more: Partial<CaseHead>) =>
    run('send', stored({ head: sealed({ ...head, ...more }) }), facts)?.submissions?.map((one) =>
      'content' in one ? one.content : undefined,
    )[0];

  test('keeps for whom, by whom and at which visit it was ordered, as far as that is known', () => {
    const known = { prescriber: 'Practitioner/d1', coverage: 'Coverage/c1', encounter: 'Encounter/e1' };
    expect(contentOf(known)).toMatchObject({ ...known, launch: 'l1', title: 'adalimumab' });
    expect(Object.keys(contentOf({}) ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/prescriber|coverage|encounter/)]),
    );
  });

  test('is asked for as soon after it was accepted as its time of sending says', () => {
    const waitOf = (one: StoredCase) =>
      run('accept', one, { attempt: 1, serviceId: 'pa_1', pollSeconds: 30 })?.jobs?.find(
        ({ queue }) => queue === 'poll',
      );
    const early = stored({ state: 'sending', attempt: 1, sentAt: at, submissions: [sent(1, 'sending')] });
    const now = stored({
      state: 'sending',
      attempt: 1,
      sentAt: later,
      submissions: [{ ...sent(1, 'sending'), sentAt: later }],
    });
    expect(waitOf(early)?.afterSeconds).toBeGreaterThan(waitOf(now)?.afterSeconds ?? 0);
  });
});

describe('what the service tells of its outreach', () => {
  const told = {
    id: 'o1',
    sequence: 1,
    channel: 'fax',
    status: 'pending',
    isSigned: true,
    fields: [{ name: 'question', text: 'Which dose?' }],
    files: [],
  } as unknown as TransitionFacts<'ask'>['outreach'][number];
  const roundsIn = (write: ReturnType<typeof run>) => write?.rounds as readonly Round[] | undefined;

  test('opens a round, and nothing happens when it tells the same again', () => {
    const open = openCase();
    const asked = run('ask', open, { outreach: [told] });
    expect(roundsIn(asked)).toMatchObject([{ number: 1 }]);
    expect(roundsIn(asked)?.[0]).not.toHaveProperty('ended');
    expect(run('ask', stored({ ...open, rounds: sealed(roundsIn(asked)) }), { outreach: [told] })).toBeUndefined();
  });

  test('leaves no round open of a request that is decided', () => {
    const decided = stored({ ...openCase(), state: 'ended', status: 'completed', endedAt: at });
    expect(roundsIn(run('ask', decided, { outreach: [told] }))).toMatchObject([
      { ended: { at: later, by: 'bridge', how: 'decided' } },
    ]);
  });
});

describe('the ledger of a delivery', () => {
  const row: LedgerEntry = { what: 'task', version: 'v1', state: 'done', attempts: 1, at, reference: 'Task/1' };
  const left = stored({ ...openCase(), unwritten: true });

  test('that continues leaves what is unwritten as it is; its end says what is left', () => {
    expect(run('write', left, { rows: [row] })?.columns).toMatchObject({ unwritten: true });
    expect(run('write', left, { rows: [row], delivered: { events: 0 } })?.columns).toMatchObject({ unwritten: false });
    const again = { afterSeconds: 30 };
    const retried = run('write', left, { rows: [row], delivered: { events: 0, again } });
    expect(retried?.columns).not.toMatchObject({ unwritten: false });
    expect(retried?.jobs).toMatchObject([{ queue: 'deliver', afterSeconds: 30 }]);
  });

  test('is planned again where a person asks for it: only the rows that change', () => {
    const failed: LedgerEntry = { ...row, what: 'document', state: 'failed', reason: 'no scope' };
    const { reference: _, ...bare } = failed;
    const asked = run('ask-write', stored({ ...openCase(), writes: [row, bare] }), { by });
    expect(asked?.writes).toMatchObject([{ what: 'document', state: 'planned' }]);
    expect([asked?.columns, saysOf(asked)]).toMatchObject([{ unwritten: true }, ['writeback_asked']]);
  });
});

describe('a file of a question', () => {
  const file = (more: object = {}) => ({
    id: 'f1',
    name: 'Form.pdf',
    state: 'due',
    url: 'https://a.example/f',
    ...more,
  });
  const other = file({ id: 'f2' });
  const asking = { id: 'a1', seenAt: at, fields: [], files: [file(), other] };
  const round = { number: 1, from: 'service', openedAt: at, openedBy: 'bridge', asked: [asking], replies: [] };
  const open = stored({ ...openCase(), rounds: sealed([round, { ...round, number: 2 }]) });
  const kept = (got: Parameters<typeof run<'keep-question'>>[2]['got']) =>
    run('keep-question', open, { round: 1, file: 'f1', got });
  const filesIn = (write: ReturnType<typeof run>) =>
    (write?.rounds as readonly Round[] | undefined)?.map(({ asked }) => asked[0]?.files);

  test('that is kept loses its address, and the others stay', () => {
    const { url: _, ...bare } = file();
    expect(filesIn(kept({ state: 'kept', type: 'application/pdf' }))).toEqual([
      [{ ...bare, state: 'kept', type: 'application/pdf' }, other],
      [file(), other],
    ]);
  });

  test('that is not to be had yet keeps it, and that is nothing to show', () => {
    const due = kept({ state: 'due', tries: 1, code: 'service_error' });
    expect(filesIn(due)?.[0]?.[0]).toEqual(file({ tries: 1, code: 'service_error' }));
    expect([due?.visible, kept({ state: 'gone', code: 'x' })?.visible]).toEqual([false, true]);
    expect(filesIn(kept({ state: 'gone', code: 'x' }))?.[0]?.[0]).toEqual(file({ state: 'gone', code: 'x' }));
  });
});
