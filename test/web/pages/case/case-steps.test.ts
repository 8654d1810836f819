import { describe, expect, test } from 'vitest';
import type { Case } from '../../../../src/cases/case.ts';
import { stepsOf } from '../../../../src/web/pages/case/case-steps.ts';
import { instantOf, timelineOf } from '../../../../src/web/pages/case/case-timeline.ts';
import { durationText } from '../../../../src/web/pages/case/words.ts';

const by = { fhirUser: 'Practitioner/d1', name: 'Dana Whitlock RN' };

/** A case whose events are these, each with its words. */
function caseWith(rows: readonly (readonly [type: string, at: string, facts?: object])[], more: object = {}): Case {
  return {
    kind: 'prior-auth',
    state: 'open',
    sentAt: '2026-11-19T16:06:00.000Z',
    updatedAt: '2026-11-19T16:06:00.000Z',
    events: rows.map(([type, at, facts = {}], id) => ({ id, type, at, actor: 'x', facts })),
    history: rows.map(([type, at]) => ({ at, what: type, by: type === 'sent' ? by : 'bridge' })),
    writes: [],
    ...more,
  } as unknown as Case;
}

const status = (name: string, at: string) => ['status', at, { status: name }] as const;
const way = [
  ['draft_opened', '2026-11-19T15:58:00.000Z'],
  ['sent', '2026-11-19T16:06:00.000Z', { attempt: 1 }],
  ['accepted', '2026-11-19T16:06:02.000Z'],
  status('processing', '2026-11-19T16:06:05.000Z'),
  status('awaiting_review', '2026-11-19T16:10:00.000Z'),
  status('awaiting_outcome', '2026-11-19T16:15:00.000Z'),
  status('validating_outcome', '2026-11-21T12:31:00.000Z'),
  status('completed', '2026-11-21T14:40:00.000Z'),
] as const;
const record = (name: string, more: object = {}) => ({ id: 'pa_1', status: name, ...more });
const shown = (one: Case) => stepsOf(one).map(({ label, state, at, took }) => [label, state, at ?? took]);

describe('the steps of a request', () => {
  test('that waits for the office is being prepared since it was sent', () => {
    expect(shown(caseWith(way.slice(0, 5), { record: record('awaiting_review') }))).toEqual([
      ['Sent', 'done', '2026-11-19T16:06:00.000Z'],
      ['Prepared', 'now', '2026-11-19T16:06:00.000Z'],
      ['With the payer', 'later', undefined],
      ['Decided', 'later', undefined],
    ]);
  });

  test('that is decided say how long each took', () => {
    const one = caseWith(way, { state: 'ended', endedAt: '2026-11-21T14:40:00.000Z', record: record('completed') });
    // 16:06 to 16:15 is 9 minutes; from there to 14:40 two days later it is 46 hours, which is 2 days.
    expect(shown(one)).toEqual([
      ['Sent', 'done', '2026-11-19T16:06:00.000Z'],
      ['Prepared', 'done', '9 minutes'],
      ['With the payer', 'done', '2 days'],
      ['Decided', 'done', '2026-11-21T14:40:00.000Z'],
    ]);
  });

  test('that the service never sent on did not reach the payer', () => {
    const rows = [...way.slice(0, 4), status('not_submitted', '2026-11-19T16:10:00.000Z')];
    const one = caseWith(rows, {
      state: 'ended',
      endedAt: '2026-11-19T16:10:00.000Z',
      record: record('not_submitted'),
    });
    expect(shown(one)).toEqual([
      ['Sent', 'done', '2026-11-19T16:06:00.000Z'],
      ['Prepared', 'done', '4 minutes'],
      ['With the payer', 'skipped', undefined],
      ['Not sent to the payer', 'done', '2026-11-19T16:10:00.000Z'],
    ]);
  });

  test('that was canceled at the payer says so', () => {
    const rows = [...way.slice(0, 6), status('cancelled', '2026-11-20T16:15:00.000Z')];
    const one = caseWith(rows, { state: 'ended', endedAt: '2026-11-20T16:15:00.000Z', record: record('cancelled') });
    expect(shown(one).slice(2)).toEqual([
      ['With the payer', 'done', '1 day'],
      ['Canceled', 'done', '2026-11-20T16:15:00.000Z'],
    ]);
  });

  test('of an answer that was lost stand at Sent', () => {
    const steps = stepsOf(caseWith(way.slice(0, 2), { state: 'unknown' }));
    expect(steps.map(({ state }) => state)).toEqual(['now', 'later', 'later', 'later']);
  });

  test('count from the request that left last', () => {
    const again = ['sent', '2026-11-22T10:00:00.000Z', { attempt: 2 }] as const;
    const one = caseWith([...way.slice(0, 6), again, status('processing', '2026-11-22T10:00:05.000Z')], {
      sentAt: '2026-11-22T10:00:00.000Z',
      record: record('processing'),
    });
    expect(shown(one)[1]).toEqual(['Prepared', 'now', '2026-11-22T10:00:00.000Z']);
  });

  test('do not exist before a request has left', () => {
    expect(stepsOf(caseWith([], { state: 'draft' }))).toEqual([]);
  });

  test('of an enrollment are two', () => {
    const one = caseWith(way.slice(0, 2), { kind: 'enrollment', state: 'ended', endedAt: '2026-11-19T16:06:02.000Z' });
    expect(shown(one).map(([label]) => label)).toEqual(['Sent', 'With the program']);
  });
});

describe('the timeline', () => {
  const log = [
    { id: 'a1', type: 'sent_fax', created_at: '2026-11-19T10:15:30.000000' },
    { id: 'a2', type: 'follow_up_call', created_at: 'soon' },
  ];
  const ended = caseWith(way, {
    state: 'ended',
    endedAt: '2026-11-21T14:40:00.000Z',
    record: record('completed', {
      outcome: { result: 'Approved', detail_code: 'approval', authorization_expiration: '2027-11-21' },
      activity_log: log,
    }),
  });

  test('has the milestones newest first, with durations, the decision by its name, and small things apart', () => {
    const { milestones, details } = timelineOf(ended, 'America/Chicago');
    expect(milestones.map(({ what, lasted }) => [what, lasted])).toEqual([
      // A time that is none comes first: nobody knows when it was.
      ['Call to the payer', undefined],
      ['Approved through Nov 21, 2027', undefined],
      ['status', '2 hours'],
      ['Fax sent to the payer', undefined],
      ['status', '2 days'],
      ['status', '5 minutes'],
      ['status', '3 minutes'],
      ['sent', undefined],
    ]);
    expect(milestones.at(-1)?.by).toEqual(by);
    expect(details.map(({ what }) => what)).toEqual(['accepted', 'draft_opened']);
  });

  test('says once that the payer asks, not again in the words of the status that came with the question', () => {
    const one = caseWith([
      ...way.slice(0, 2),
      status('awaiting_provider_response', '2026-11-20T10:00:00.000Z'),
      ['asked', '2026-11-20T10:00:01.000Z'],
    ]);
    const { milestones, details } = timelineOf(one, 'UTC');
    expect(milestones.map(({ what }) => what)).toEqual(['asked', 'sent']);
    expect(details.map(({ what }) => what)).toEqual(['status', 'draft_opened']);
  });

  test('puts the service’s times on the one clock, by the zone that the site gives', () => {
    expect(instantOf({ created_at: '2026-11-19T10:15:30.000000' }, 'America/Chicago')).toBe('2026-11-19T16:15:30.000Z');
    expect(instantOf({ created_at: '2026-11-19T10:15:30Z' }, 'America/Chicago')).toBe('2026-11-19T10:15:30.000Z');
    expect(instantOf({ created_at: '2026-11-19T10:15:30+02:00' }, 'UTC')).toBe('2026-11-19T08:15:30.000Z');
    expect(instantOf({ created_at: 'soon' }, 'UTC')).toBe('soon');
  });
});

test.each([
  [0, 'less than a minute'],
  [59_999, 'less than a minute'],
  [60_000, '1 minute'],
  [59 * 60_000, '59 minutes'],
  [3_600_000, '1 hour'],
  [23.9 * 3_600_000, '23 hours'],
  [24 * 3_600_000, '1 day'],
  [60 * 3_600_000, '3 days'],
])('%d milliseconds are %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});
