import { describe, expect, test, vi } from 'vitest';
import { isReadAgain, isReadDue } from '../../src/cases/after-end.ts';
import { appealNote, isDenied } from '../../src/cases/appeal.ts';
import { caseOf, listedOf } from '../../src/cases/assemble.ts';
import type { CaseContext } from '../../src/cases/context.ts';
import { letterIsDue, letterStanding } from '../../src/cases/letter-state.ts';
import { isOffered } from '../../src/cases/offered.ts';
import { pollDelay } from '../../src/cases/poll-delay.ts';
import { problemOf, problemOfOthers } from '../../src/cases/problem.ts';
import { createQueuedJobs, withJobNotifications } from '../../src/cases/queued.ts';
import { countsSent } from '../../src/cases/value-counts.ts';
import { waitingFor } from '../../src/cases/waiting-for.ts';
import { BridgeError } from '../../src/core/errors.ts';
import type { Job, Store, StoredEvent } from '../../src/store/types.ts';
import { testSite } from '../support/site.ts';
import { at, later, record, sealed, sent, stored } from './stored.ts';

// What a case is asked by others: each question alone, without a store.

const event = (type: string, facts: StoredEvent['facts'] = {}, when = at): StoredEvent => {
  return { id: 1, at: when, type, actor: 'bridge', facts };
};

test('a case of a list has nothing of what was sent', () => {
  const one = stored({
    state: 'open',
    attempt: 1,
    serviceId: 'pa_1',
    status: 'processing',
    submissions: [sent(1, 'accepted')],
  });
  const content = ['body', 'provenance', 'gaps', 'mappedBy', 'codeTitles', 'consent', 'entries'];
  expect(Object.keys(listedOf(one)).filter((key) => content.includes(key))).toEqual([]);
  expect(listedOf(one).requests).toEqual([{ attempt: 1, state: 'accepted', sentAt: at }]);
  expect(Object.keys(caseOf(one)).filter((key) => content.includes(key))).toEqual(content);
});

describe('the payer’s letter', () => {
  const fax = (id: string) => ({ id, created_at: at, type: 'received_fax', details: {} });
  const done = record({ status: 'completed', activity_log: [fax('f0'), fax('f1')] });
  const about = (type: string, letter = 'f1', more: object = {}) => event(type, { letter, ...more });

  test.each([
    ['none', undefined, []],
    ['none', record({ status: 'completed' }), []],
    ['none', record({ activity_log: [fax('f1')] }), []],
    ['due', done, []],
    ['due', done, [about('letter_kept', 'f0')]],
    ['kept', done, [about('letter_kept')]],
    ['kept', done, [about('letter_given_up'), about('letter_kept')]],
    ['due', done, [about('letter_missing')]],
    ['due', done, [about('letter_given_up'), about('letter_asked')]],
    ['due', done, [about('letter_given_up', 'f0')]],
  ])('is %s: %#', (is, read, events) => {
    expect(letterStanding(read, events)).toEqual({ is });
    expect(letterIsDue(read, events)).toBe(is === 'due');
  });

  test('is given up with the last answer, again after a person asked', () => {
    const given = event('letter_given_up', { letter: 'f1', code: 'service_error' }, later);
    const up = { is: 'given-up', at: later, code: 'service_error' };
    expect(letterStanding(done, [given])).toEqual(up);
    expect(letterStanding(done, [about('letter_given_up'), about('letter_asked'), given])).toEqual(up);
    expect(letterIsDue(done, [given])).toBe(false);
  });
});

test('a case has each of its requests with what was entered for it', () => {
  const { requests } = caseOf(stored({ submissions: [sent(1, 'not_arrived')] }));
  expect(requests.map(({ entries }) => entries)).toEqual([{ edits: { 'prescription.quantity': 3 }, answers: {} }]);
});

describe('an appeal', () => {
  const ended = (more: object) =>
    caseOf(
      stored({
        state: 'ended',
        attempt: 1,
        sentAt: at,
        endedAt: at,
        submissions: [sent(1, 'accepted')],
        record: sealed({ ...record({ status: 'completed' }), ...more }),
      }),
    );

  test('is for a request that the payer has denied', () => {
    expect(isDenied(ended({ outcome: { result: 'Denied' } }))).toBe(true);
    expect(isDenied(ended({ outcome: { result: 'Approved' } }))).toBe(false);
    expect(isDenied(ended({ status: 'cancelled' }))).toBe(false);
    expect(isDenied(caseOf(stored()))).toBe(false);
  });

  test('has the deadline that a person entered last, unless it was taken back', () => {
    expect(appealNote([])).toBeUndefined();
    const noted = event('appeal_noted', { on: '2026-12-01' }, later);
    expect(appealNote([event('appeal_noted', { on: '2026-11-30' }), noted, event('asked')])).toEqual({
      on: '2026-12-01',
      at: later,
    });
    expect(appealNote([noted, event('appeal_noted', { on: '' })])).toBeUndefined();
    expect(appealNote([event('appeal_noted', { on: 7 })])).toBeUndefined();
  });
});

describe('what stands in the way', () => {
  test('is said with what to do next, and the fields that the service named', () => {
    expect(problemOf(new BridgeError('service_refused', { fields: ['a'], http: 422 }), at)).toMatchObject({
      code: 'service_refused',
      text: expect.stringMatching(/^\S.*\. \S/),
      facts: { fields: ['a'], http: 422 },
      fields: ['a'],
      at,
    });
    expect(problemOf(new BridgeError('service_error'), at)).not.toHaveProperty('fields');
  });

  test('is a second record of ours as long as there is one, with the time at which it was first told', () => {
    expect(problemOfOthers([], undefined, at)).toBeUndefined();
    const first = problemOfOthers(['pa_2', 'pa_3'], undefined, at);
    expect(first).toMatchObject({ code: 'service_second_request', facts: { service_ids: ['pa_2', 'pa_3'] }, at });
    expect(first?.text).toContain('(pa_2, pa_3). ');
    expect(first?.text).not.toContain('. (');
    expect(problemOfOthers(['pa_2', 'pa_3'], first, later)).toBe(first);
    expect(problemOfOthers(['pa_2'], first, later)?.at).toBe(later);
  });
});

describe('a record is read again after its end', () => {
  const hours = (count: number) => new Date(Date.parse(at) + count * 3_600_000);
  const due = (read: number | undefined, now: number) =>
    isReadDue({ changedAt: at, ...(read === undefined ? {} : { readAt: hours(read).toISOString() }) }, hours(now));

  test.each([
    ['an hour after the change', undefined, 1, true],
    ['not before', undefined, 0.99, false],
    ['not twice for one time', 1, 1.5, false],
    ['a day after it', 1, 24, true],
    ['not between', 2, 23, false],
    ['a week after it', 24, 168, true],
    ['once for two times that have passed', 0.5, 30, true],
    ['not after that', 30, 100, false],
    ['not for ever', 100, 192, false],
    ['just before that', 100, 191.9, true],
  ])('%s', (_, read, now, isDue) => {
    expect(due(read, now)).toBe(isDue);
  });

  test('counting from its end where nothing changed, and never without either', () => {
    expect(isReadDue({ endedAt: at, readAt: at }, hours(1))).toBe(true);
    expect(isReadDue({ endedAt: at, changedAt: later, readAt: at }, hours(1.5))).toBe(false);
    expect(isReadDue({}, hours(1))).toBe(false);
  });

  test('once more within the days that it is looked at', () => {
    expect(isReadAgain({ changedAt: at }, hours(190.9))).toBe(true);
    expect(isReadAgain({ changedAt: at }, hours(191))).toBe(false);
    expect(isReadAgain({}, hours(0))).toBe(false);
  });
});

describe('the record of an open case is read', () => {
  const delay = (more: object, base = 30) => pollDelay({ kind: 'prior-auth', ...more }, base, new Date(at));
  const ago = (hours: number) => new Date(Date.parse(at) - hours * 3_600_000).toISOString();

  test('at once where nobody knows when it was sent, and as the first status where none is known', () => {
    expect(delay({})).toBe(30);
    expect(delay({ status: 'awaiting_outcome' })).toBe(120);
    expect(delay({ kind: 'benefit-verification' })).toBe(
      pollDelay({ kind: 'benefit-verification', status: 'pending' }, 30, new Date(at)),
    );
  });

  test.each([
    [0.9, 30],
    [1, 120],
    [23.9, 120],
    [24, 300],
    [71.9, 300],
    [72, 600],
  ])('%s hours after it was sent: in %s seconds', (hours, seconds) => {
    expect(delay({ status: 'processing', sentAt: ago(hours) })).toBe(seconds);
  });

  test('no later for a second request, and never later than in four hours', () => {
    expect(delay({ status: 'processing', problem: 'service_second_request' })).toBe(30);
    expect(delay({ status: 'processing', problem: 'service_error' })).toBe(240);
    expect(delay({ status: 'processing', problem: 'service_error' }, 5000)).toBe(4 * 3600);
  });
});

test('values of the last request that left are counted, where it counted them', () => {
  const one = (...events: StoredEvent[]) => ({ events });
  expect(countsSent(one())).toBeUndefined();
  expect(countsSent(one(event('sent', { attempt: 1 })))).toBeUndefined();
  const counted = (attempt: number) => event('sent', { attempt, chart: attempt, typed: 2, changed: 3 });
  expect(countsSent(one(counted(1), counted(2), event('accepted', { attempt: 2 })))).toEqual({
    chart: 2,
    typed: 2,
    changed: 3,
  });
});

test('a record without a case may belong to any that was lost, or not believed within a month', async () => {
  const asked: object[] = [];
  const ids = async (filter: object) => {
    asked.push(filter);
    return 'states' in filter ? ['a', 'b'] : ['b', 'c'];
  };
  const context = { store: { cases: { ids } }, clock: () => new Date(at) } as unknown as CaseContext;
  expect(await waitingFor(context, { site: 'valley', kind: 'prior-auth' })).toEqual(['a', 'b', 'c']);
  expect(asked).toEqual([
    { site: 'valley', kind: 'prior-auth', states: ['sending', 'unknown'] },
    { site: 'valley', kind: 'prior-auth', notArrivedSince: '2026-10-22T10:00:00.000Z' },
  ]);
});

test('a site offers enrollments where it has a program, and benefits where its service verifies them', () => {
  const service = { url: 'https://service.example', tokenEnv: 'SERVICE_TOKEN' };
  const [documented, current] = (['documented', 'current'] as const).map((profile) =>
    testSite({ service: { ...service, profile } }),
  ) as [ReturnType<typeof testSite>, ReturnType<typeof testSite>];
  const program = {
    ...documented,
    enrollment: { ...documented.enrollment, programs: [{ programId: 'p', name: 'P' }] },
  };
  const none = { ...documented, enrollment: { ...documented.enrollment, programs: [] } };
  const kinds = ['prior-auth', 'enrollment', 'benefit-verification'] as const;
  const offered = (site: Parameters<typeof isOffered>[1]) => kinds.filter((kind) => isOffered(kind, site));
  expect(offered(none)).toEqual(['prior-auth']);
  expect(offered(program as typeof documented)).toEqual(['prior-auth', 'enrollment']);
  expect(offered({ ...none, service: current.service })).toEqual(['prior-auth', 'benefit-verification']);
});

describe('the workers of this process hear of a job', () => {
  const job = (queue: string, afterSeconds?: number): Job =>
    ({ queue, data: {}, ...(afterSeconds === undefined ? {} : { afterSeconds }) }) as Job;
  const heard = (jobs: readonly Job[]) => {
    const queued = createQueuedJobs();
    const [first, second] = [vi.fn(), vi.fn()];
    queued.listen(first);
    queued.listen(second);
    queued.notify(jobs);
    expect(second.mock.calls).toEqual(first.mock.calls);
    return first.mock.calls.map(([queue]) => queue);
  };

  test('that is due now, each queue once', () => {
    expect(heard([job('poll'), job('deliver', 0), job('poll'), job('look', 1), job('match', -5)])).toEqual([
      'poll',
      'deliver',
      'match',
    ]);
    expect(heard([])).toEqual([]);
  });

  test('once it is committed, by a change, a webhook and by itself', async () => {
    const told: string[][] = [];
    const order: string[] = [];
    const tell = (jobs: readonly Job[]) => {
      told.push(jobs.map(({ queue }) => queue));
      order.push('told');
    };
    const store = {
      cases: {
        change: async (_: string, transition: (current: unknown, now: string) => unknown) => {
          transition({}, at);
          order.push('stored');
          return 'changed';
        },
        find: async () => 'found',
      },
      webhooks: {
        receive: async ({ key }: { key: string }) => {
          order.push('stored');
          return key;
        },
        lastClaim: async () => 'claim',
      },
      enqueue: async () => void order.push('stored'),
      mark: () => 'mark',
    } as unknown as Store;
    const store_ = withJobNotifications(store, { notify: tell });
    expect(await store_.cases.change('a', (() => ({ jobs: [job('poll')] })) as never)).toBe('changed');
    expect(await store_.cases.change('a', (() => undefined) as never)).toBe('changed');
    expect(await store_.cases.change('a', (() => ({})) as never)).toBe('changed');
    expect(await store_.webhooks.receive({ key: 'accepted' } as never, [job('look')])).toBe('accepted');
    expect(await store_.webhooks.receive({ key: 'duplicate' } as never, [job('look')])).toBe('duplicate');
    await store_.enqueue([job('match')]);
    expect(told).toEqual([['poll'], [], [], ['look'], ['match']]);
    expect(order.join(' ')).toBe('stored told stored told stored told stored told stored stored told');
    expect([await store_.cases.find('a'), store_.mark('x')]).toEqual(['found', 'mark']);
  });
});
