import { describe, expect, test } from 'vitest';
import { askedStanding, askedUntil } from '../../../src/cases/rounds/case-asked.ts';
import { showsReply, withReading } from '../../../src/cases/rounds/from-record.ts';
import { withStatus } from '../../../src/cases/rounds/merge.ts';
import {
  type Asking,
  isUnanswered,
  type QuestionFile,
  type Reply,
  type Round,
  roundSeen,
  roundStanding,
  roundWork,
} from '../../../src/cases/rounds/round.ts';

// Where a round stands, and what that means for its case. Rounds are values.

const at = '2026-11-21T10:00:00.000Z';
const later = '2026-11-21T11:00:00.000Z';
const by = { fhirUser: 'Practitioner/d1', name: 'Dr. Deva Loper' };

const reply = (state: string, more: Partial<Reply> = {}): Reply => ({
  key: 'k1',
  state,
  at,
  by,
  text: 'Nov 3, 2026.',
  documents: [],
  title: 'Reply 1',
  date: '2026-11-21',
  completes: false,
  ...more,
});
const asking = (text: string, more: Partial<Asking> = {}): Asking => ({
  id: 'a1',
  seenAt: at,
  fields: text === '' ? [] : [{ name: 'message', text }],
  files: [],
  ...more,
});
const round = (more: Partial<Round> = {}): Round => ({
  number: 1,
  from: 'service',
  openedAt: at,
  openedBy: 'bridge',
  asked: [],
  replies: [],
  ...more,
});
const replied = (state: string, more: Partial<Round> = {}) => round({ replies: [reply(state)], ...more });
const ended = round({ ended: { at, by, how: 'all' } });
const file = (state: string): QuestionFile => ({ id: state, name: `${state}.pdf`, state });

describe('a round stands', () => {
  test.each([
    ['open', round(), true],
    ['sending', replied('queued'), false],
    ['sending', replied('leaving'), false],
    ['unclear', replied('unclear'), true],
    ['printed', replied('printed'), true],
    ['answered', replied('accepted'), false],
    ['answered', replied('sent'), false],
    ['open', replied('not_arrived'), true],
    ['open', replied('refused'), true],
    ['open', replied('not_sent'), true],
    ['unknown', replied('beamed'), false],
    ['unknown', replied('toString'), false],
    ['ended', { ...replied('unclear'), ended: ended.ended }, false],
    ['answered', round({ replies: [reply('refused'), reply('accepted')] }), false],
  ] as const)('%s: %j', (standing, one, waits) => {
    expect([roundStanding(one as Round), isUnanswered(one as Round)]).toEqual([standing, waits]);
  });

  test.each([
    ['another text came since', [asking('When?'), asking('Which dose?', { seenAt: later })], 'open'],
    ['a file came since', [asking('When?'), asking('', { seenAt: later, files: [file('due')] })], 'open'],
    ['the same text came once more', [asking('When?'), asking('When?', { seenAt: later })], 'answered'],
    ['nothing was said since', [asking('When?'), asking('', { seenAt: later })], 'answered'],
    ['it was asked before', [asking('When?'), asking('Which dose?')], 'answered'],
  ])('answered, or open again where %s', (_, asked, standing) => {
    expect(roundStanding(round({ asked, replies: [reply('accepted')] }))).toBe(standing);
  });

  test('open again only by what came after its answer was known', () => {
    const asked = [asking('When?'), asking('Which dose?', { seenAt: '2026-11-21T10:30:00.000Z' })];
    expect(roundStanding(round({ asked, replies: [reply('accepted', { settledAt: later })] }))).toBe('answered');
  });
});

test('what a person saw of a round is named by all that can change on the page', () => {
  expect(roundSeen(round())).toBe('1.0.0..');
  expect(roundSeen(round({ number: 2, asked: [asking('a'), asking('b')] }))).toBe('2.2.0..');
  expect(roundSeen(round({ replies: [reply('refused'), reply('queued')] }))).toBe('1.0.2.queued.');
  expect(roundSeen({ ...replied('sent'), ended: ended.ended! })).toBe('1.0.1.sent.ended');
});

test('files to fetch and replies to send are what is left to do', () => {
  const files = ['due', 'kept', 'gone', 'due'].map(file);
  const replies = ['queued', 'leaving', 'accepted', 'unclear', 'printed'].map((state) => reply(state));
  expect(roundWork([round({ asked: [asking('', { files }), asking('')] }), round({ replies })])).toBe(4);
  expect(roundWork([])).toBe(0);
});

describe('the rounds of a case', () => {
  test.each([
    [undefined, []],
    ['unclear', [round(), replied('unclear'), replied('queued')]],
    ['asked', [replied('queued'), round()]],
    ['printed', [replied('accepted'), replied('printed')]],
    ['replying', [replied('accepted'), replied('leaving')]],
    ['answered', [ended, replied('accepted')]],
    [undefined, [ended]],
    [undefined, [replied('beamed')]],
  ])('say %s: %#', (standing, rounds) => {
    expect(askedStanding(rounds, 'awaiting_outcome')).toBe(standing);
  });

  test('say that all is answered while the record still says that the practice is asked', () => {
    expect(askedStanding([ended], 'awaiting_provider_response')).toBe('answered');
    expect(askedStanding([], 'awaiting_provider_response')).toBeUndefined();
  });

  test('wait until the first day that one of them names which is still to be answered', () => {
    const until = (day: string, one = round()) => ({ ...one, until: day });
    expect(askedUntil([until('2026-12-03'), until('2026-12-01'), until('2026-12-02')])).toBe('2026-12-01');
    expect(askedUntil([until('2026-12-01', replied('accepted')), until('2026-12-02', replied('unclear'))])).toBe(
      '2026-12-02',
    );
    expect(askedUntil([until('2026-12-02T10:00:00+02:00'), until('2026-12-02T09:00:00Z')])).toBe(
      '2026-12-02T10:00:00+02:00',
    );
    expect(askedUntil([until('soon', replied('printed')), until('2026-12-09')])).toBe('2026-12-09');
    expect(askedUntil([round(), until('2026-12-01', ended)])).toBeUndefined();
  });
});

describe('what a reading of the record says', () => {
  const stored = { status: 'awaiting_outcome', changedAt: at, createdAt: at };
  const record = (more: object = {}) => ({ id: 'pa_1', status: 'awaiting_outcome', ...more });
  const evidence = [{ title: 'Note' }, { title: 'Reply 1' }];
  const read = (rounds: readonly Round[], more: object = {}) =>
    withReading(rounds, record(more), { stored, at: later });

  test('a reply whose answer was lost is accepted where the record shows its title', () => {
    expect(showsReply(record(), { title: 'Reply 1' })).toBe(false);
    expect(showsReply(record({ evidence }), { title: 'Reply 1' })).toBe(true);
    const lost = replied('unclear');
    expect(read([lost]).rounds).toEqual([lost]);
    const { rounds, accepted } = read([replied('refused', { number: 1 }), { ...lost, number: 2 }], { evidence });
    expect(accepted).toEqual([2]);
    expect(rounds[0]?.replies[0]).toEqual(reply('refused'));
    expect(rounds[1]).toMatchObject({ replies: [{ state: 'accepted', settledAt: later, settledBy: 'bridge' }] });
    expect(rounds[1]).not.toHaveProperty('ended');
  });

  test('a round ends by it where that reply was all, in the name of who replied', () => {
    const all = round({ replies: [reply('unclear', { completes: true })] });
    expect(read([all], { evidence }).rounds[0]?.ended).toEqual({ at: later, by, how: 'all' });
    const over = { ...all, ended: { at, by, how: 'closed' } };
    expect(read([over], { evidence }).rounds[0]?.ended).toEqual(over.ended);
    const before = round({ replies: [reply('accepted', { completes: true }), reply('unclear', { title: 'Reply 2' })] });
    expect(read([before], { evidence: [{ title: 'Reply 2' }] }).rounds[0]).not.toHaveProperty('ended');
  });

  test('the practice is asked where the record says so and no round tells it', () => {
    const asked = { status: 'awaiting_provider_response' };
    expect(read([], asked).rounds).toEqual([
      { number: 1, from: 'status', openedAt: later, openedBy: 'bridge', asked: [], replies: [] },
    ]);
    expect(read([round({ number: 3, from: 'person' })], asked).rounds[1]?.number).toBe(4);
    expect(read([round()], asked).rounds).toEqual([round()]);
    expect(read([round({ from: 'status' })], asked).rounds).toHaveLength(1);
    // One that ended before the status changed is no answer to it.
    const over = round({ openedAt: '2026-11-20T10:00:00.000Z', ended: { at, by, how: 'all' } });
    expect(read([over], asked).rounds).toHaveLength(2);
    expect(read([{ ...over, openedAt: at }], asked).rounds).toHaveLength(1);
  });

  test('is not said anew while the status stays, and counts from the start where it never changed', () => {
    const asked = record({ status: 'awaiting_provider_response' });
    const still = { ...stored, status: 'awaiting_provider_response' };
    expect(withReading([], asked, { stored: still, at: later }).rounds).toEqual([]);
    const over = round({ openedAt: '2026-11-20T10:00:00.000Z', ended: { at, by, how: 'all' } });
    const { changedAt: _, ...never } = stored;
    const since = (createdAt: string) =>
      withReading([over], asked, { stored: { ...never, createdAt }, at: later }).rounds.length;
    expect([since('2026-11-19T10:00:00.000Z'), since(at)]).toEqual([1, 2]);
  });

  test('what the record alone had opened ends with its status, and what others opened does not', () => {
    const rounds = [round({ from: 'status' }), round({ number: 2 }), round({ number: 3, from: 'person' })];
    expect(read(rounds).rounds.map((one) => one.ended?.how)).toEqual(['service', undefined, undefined]);
    expect(read(rounds).rounds[0]?.ended).toEqual({ at: later, by: 'bridge', how: 'service' });
  });

  test('a decision ends every round, and what has not left does not leave', () => {
    const rounds = [replied('queued'), replied('leaving'), ended];
    const { rounds: after } = read(rounds, { status: 'completed', outcome: { result: 'Approved' } });
    expect(after.map((one) => one.ended?.how)).toEqual(['decided', 'decided', 'all']);
    expect(after.map((one) => one.replies[0]?.state)).toEqual(['not_sent', 'leaving', undefined]);
    expect(after[0]?.replies[0]?.code).toBe('reply_decided');
    const unchanged = [ended];
    const status = { status: 'completed', before: 'completed', since: at, hasEnded: true };
    expect(withStatus(unchanged, status, later)).toBe(unchanged);
  });
});
