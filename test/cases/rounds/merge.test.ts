import { describe, expect, test } from 'vitest';
import { announcesOutcome, type ReceivedOutreach, withOutreach } from '../../../src/cases/rounds/merge.ts';
import type { Reply, Round } from '../../../src/cases/rounds/round.ts';

// Attempts of the service put into the rounds of a case, in any order and more than once.

const at = '2026-11-21T10:00:00.000Z';
const now = '2026-11-21T12:00:00.000Z';

const told = (more: Partial<ReceivedOutreach> = {}): ReceivedOutreach => ({
  id: 'a1',
  sequence: 's1',
  priorAuth: 'pa_1',
  over: false,
  fields: [{ name: 'message', text: 'When was the last visit?' }],
  files: [],
  isSigned: true,
  ...more,
});
const round = (more: Partial<Round> = {}): Round => ({
  number: 1,
  from: 'status',
  openedAt: at,
  openedBy: 'bridge',
  asked: [],
  replies: [],
  ...more,
});
const inOrder = (...all: readonly ReceivedOutreach[]) =>
  all.reduce<readonly Round[]>((rounds, one) => withOutreach(rounds, one, now), []);
const askedIn = (...all: readonly ReceivedOutreach[]) => inOrder(...all)[0]?.asked[0];

test('the first attempt is a round with all that was told', () => {
  const full = told({
    ...{ state: 'sent', channel: 'fax', purpose: 'request', at, until: '2026-12-01' },
    files: [{ name: 'Form.pdf', url: 'https://service.example/f' }],
  });
  expect(inOrder({ ...full, id: 'a/1 ü' })).toEqual([
    {
      number: 1,
      from: 'service',
      sequence: 's1',
      openedAt: now,
      openedBy: 'bridge',
      until: '2026-12-01',
      asked: [
        {
          id: 'a/1 ü',
          state: 'sent',
          channel: 'fax',
          purpose: 'request',
          at,
          seenAt: now,
          fields: full.fields,
          files: [{ id: 'a_1__-0', name: 'Form.pdf', url: 'https://service.example/f', state: 'due' }],
          isSigned: true,
        },
      ],
      replies: [],
    },
  ]);
  expect(Object.keys(inOrder(told())[0] ?? {})).not.toContain('until');
  expect(Object.keys(askedIn(told()) ?? {}).toSorted()).toEqual(['fields', 'files', 'id', 'isSigned', 'seenAt']);
});

describe('an attempt that is known', () => {
  test('changes nothing where it says the same', () => {
    const rounds = inOrder(told({ state: 'sent' }));
    expect(withOutreach(rounds, told({ state: 'sent' }), now)).toBe(rounds);
    expect(withOutreach(rounds, told(), now)).toBe(rounds);
  });

  test('takes state, channel, purpose and time of the later event alone', () => {
    const first = told({ state: 'sent', channel: 'fax', purpose: 'a', at });
    const second = told({ state: 'read', channel: 'mail', purpose: 'b', at: now });
    const after = { state: 'read', channel: 'mail', purpose: 'b', at: now };
    expect(askedIn(first, second)).toMatchObject(after);
    expect(askedIn(second, first)).toMatchObject(after);
    expect(askedIn(second, told({ at: now, state: 'seen' }))).toMatchObject({ ...after, state: 'seen' });
  });

  test.each([
    ['expired', 'sent', 'expired'],
    ['sent', 'expired', 'expired'],
    ['sent', 'delivered', 'delivered'],
    ['Canceled', 'closed', 'closed'],
    [undefined, 'sent', 'sent'],
  ])('without times: %s, then %s, is %s', (before, after, state) => {
    const said = (one: string | undefined) => told(one === undefined ? {} : { state: one });
    expect(askedIn(said(before), said(after))?.state).toBe(state);
  });

  test('keeps what it said, and takes text where it had none', () => {
    const silent = told({ fields: [], isSigned: false });
    expect(askedIn(told(), told({ fields: [{ name: 'message', text: 'Other' }], isSigned: false }))).toMatchObject({
      fields: told().fields,
      isSigned: true,
    });
    expect(askedIn(silent, told())).toMatchObject({ fields: told().fields, isSigned: true });
    expect(askedIn(silent, told({ isSigned: false }))).toMatchObject({ fields: told().fields, isSigned: false });
    expect(askedIn(silent, silent)?.isSigned).toBe(false);
    expect(askedIn(told({ fields: [] }), silent)?.isSigned).toBe(true);
  });

  test('takes a new link for a file that was gone, and no other', () => {
    const file = (url: string) => [{ name: 'Form.pdf', url }];
    const rounds = inOrder(told({ files: file('https://a.example/1') }));
    const withState = (state: string): readonly Round[] =>
      rounds.map((one) => ({
        ...one,
        asked: one.asked.map((each) => ({ ...each, files: each.files.map((had) => ({ ...had, state, tries: 4 })) })),
      }));
    const filesAfter = (before: readonly Round[], url: string) =>
      withOutreach(before, told({ files: file(url) }), now)[0]?.asked[0]?.files;
    expect(filesAfter(withState('gone'), 'https://a.example/2')).toMatchObject([
      { url: 'https://a.example/2', state: 'due', tries: 0 },
    ]);
    expect(filesAfter(withState('gone'), 'https://a.example/1')).toMatchObject([{ state: 'gone', tries: 4 }]);
    expect(filesAfter(withState('kept'), 'https://a.example/2')).toMatchObject([{ state: 'kept', tries: 4 }]);
    expect(withOutreach(withState('gone'), told(), now)[0]?.asked[0]?.files).toMatchObject([{ state: 'gone' }]);
    const late = inOrder(told(), told({ files: file('https://a.example/1') }));
    expect(late[0]?.asked[0]?.files).toMatchObject([{ name: 'Form.pdf', state: 'due' }]);
  });

  test('leaves the other attempts and rounds as they are', () => {
    const rounds = inOrder(told(), told({ id: 'a2' }), told({ id: 'b1', sequence: 's2' }));
    const after = withOutreach(rounds, told({ id: 'a2', state: 'read' }), now);
    expect(after[0]?.asked.map(({ state }) => state)).toEqual([undefined, 'read']);
    expect(after[0]?.asked[0]).toBe(rounds[0]?.asked[0]);
    expect(after[1]).toBe(rounds[1]);
  });
});

describe('another attempt', () => {
  test('belongs to the last round of its sequence', () => {
    expect(
      inOrder(told(), told({ id: 'a2' }), told({ id: 'b', sequence: 's2' })).map(({ asked }) => asked.length),
    ).toEqual([2, 1]);
  });

  test('ends the round where the whole sequence is over, once', () => {
    const [ended] = inOrder(told(), told({ id: 'a2', over: true }));
    expect(ended?.ended).toEqual({ at: now, by: 'bridge', how: 'service' });
    const before = round({ from: 'service', sequence: 's1', ended: { at, by: 'bridge', how: 'decided' } });
    expect(withOutreach([before], told({ over: true }), now)[0]?.ended).toEqual(before.ended);
    expect(inOrder(told({ over: true }))[0]?.ended?.how).toBe('service');
    expect(inOrder(told(), told({ over: true }))[0]?.ended?.how).toBe('service');
  });

  describe('after a round has ended is a new one', () => {
    const over = (how: string): Round => ({ ...inOrder(told())[0]!, ended: { at, by: 'bridge', how } });
    const next = (before: Round, more: Partial<ReceivedOutreach>) =>
      withOutreach([before], told({ id: 'a2', fields: [{ name: 'message', text: 'Which dose?' }], ...more }), now);

    test.each([
      ['with another text', over('all'), {}, 2],
      ['with another text that was sent afterwards', over('all'), { at: now }, 2],
      ['not with one that was sent before', over('all'), { at: '2026-11-21T09:00:00Z' }, 1],
      ['not with one that was sent at that time', over('all'), { at }, 1],
      ['not with the same text', over('all'), { fields: told().fields }, 1],
      ['not without a text', over('all'), { fields: [] }, 1],
      ['not after the decision', over('decided'), {}, 1],
      ['with a file of another name', over('closed'), { fields: [], files: [{ name: 'F.pdf', url: 'u' }] }, 2],
    ])('%s', (_, before, more, rounds) => {
      expect(next(before, more)).toHaveLength(rounds);
    });

    test('with the next number', () => {
      expect(next({ ...over('all'), number: 7 }, {})[1]).toMatchObject({ number: 8, sequence: 's1' });
    });
  });
});

describe('what the record alone had opened', () => {
  const before = round();

  test('is the round of the attempt that tells what is asked', () => {
    expect(
      withOutreach([round({ number: 4, from: 'person' }), before], told({ until: '2026-12-01' }), now),
    ).toMatchObject([
      { number: 4, from: 'person', asked: [] },
      { number: 1, from: 'service', sequence: 's1', openedAt: at, until: '2026-12-01', asked: [{ id: 'a1' }] },
    ]);
    const dated = round({ until: '2026-11-30' });
    expect(withOutreach([dated], told({ until: '2026-12-01' }), now)[0]?.until).toBe('2026-11-30');
    expect(withOutreach([before], told({ over: true }), now)[0]?.ended?.how).toBe('service');
  });

  test('also where it ended meanwhile and the event comes late', () => {
    const over = round({ ended: { at: now, by: 'bridge', how: 'service' } });
    expect(withOutreach([over], told({ at }), now)).toHaveLength(1);
    expect(withOutreach([over], told({ at: now }), now)).toHaveLength(1);
    expect(withOutreach([over], told({ at: '2026-11-21T13:00:00Z' }), now)).toHaveLength(2);
    expect(withOutreach([over], told(), now)).toHaveLength(2);
  });

  test('is not taken twice', () => {
    const rounds = withOutreach([before], told(), now);
    expect(withOutreach(rounds, told({ id: 'b', sequence: 's2' }), now)).toHaveLength(2);
  });
});

test.each([
  ['outcome_notification', true],
  ['Determination', true],
  ['decision letter', true],
  ['send results', true],
  ['approval', true],
  ['denial', true],
  ['denied', true],
  ['request_information', false],
  ['', false],
])('an attempt for %s tells an outcome: %s', (purpose, isOutcome) => {
  expect(announcesOutcome({ purpose })).toBe(isOutcome);
  expect(inOrder(told({ purpose }))).toHaveLength(isOutcome ? 0 : 1);
  expect(announcesOutcome({})).toBe(false);
});

// The service asks again while it takes the reply: before the bridge has noted that it did.
describe('a round without a text that a reply was to end', () => {
  const [askedFirst, left, askedAgain, noted] = [10, 31, 32, 33].map((second) => `2026-11-21T11:00:${second}.000Z`) as [
    string,
    string,
    string,
    string,
  ];
  const reply: Reply = {
    ...{ key: 'k1', state: 'accepted', at: '2026-11-21T11:00:30.000Z', leftAt: left, by: { name: 'Dana Whitfield' } },
    ...{ text: '40 mg', documents: [], title: 'Reply', date: '2026-11-21', completes: true },
  };
  const answered = round({ replies: [reply], ended: { at: noted, by: reply.by, how: 'all' } });
  const first = told({ at: askedFirst });
  const firstIsOver = told({ at: askedAgain, over: true });
  const second = told({ id: 'a2', sequence: 's2', at: askedAgain, fields: [{ name: 'message', text: 'Which dose?' }] });

  test.each([
    ['in the order of the service', [firstIsOver, second]],
    ['the other way round', [second, firstIsOver]],
    ['with the first one late', [second, first, firstIsOver]],
  ])('takes what was asked before it left; what is asked then is open, %s', (_order, all) => {
    const rounds = all.reduce<readonly Round[]>((before, one) => withOutreach(before, one, now), [answered]);
    expect(rounds).toMatchObject([
      { number: 1, sequence: 's1', ended: { how: 'all' } },
      { number: 2, sequence: 's2', asked: [{ id: 'a2' }] },
    ]);
    expect(rounds[1]).not.toHaveProperty('ended');
  });

  test('does not take the fax of a decision for its question', () => {
    const decision = told({ id: 'a9', sequence: 's9', at: now, purpose: 'determination', over: true });
    expect(withOutreach([answered], decision, now)).toEqual([answered]);
  });
});
