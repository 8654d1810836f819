import type { DocumentReference, Resource, Task } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { BridgeError } from '../../src/core/errors.ts';
import { holdUp } from '../../src/writeback/attempt.ts';
import { deliver } from '../../src/writeback/deliver.ts';
import { askedAgain, type LedgerEntry, rowOf } from '../../src/writeback/ledger.ts';
import { outstanding } from '../../src/writeback/outstanding.ts';
import { documentHash } from '../../src/writeback/resources/document-reference.ts';
import { type Behaviour, fakeEhr } from '../support/fake-ehr.ts';
import { aChart, type Chart } from './chart.ts';
import { aCase, approval, at, denial } from './support.ts';

const done = at('completed', denial);
const conflict = new BridgeError('ehr_conflict', { http: 409 });
const busy = new BridgeError('ehr_error', { http: 429 });
const unreachable = new BridgeError('ehr_unreachable');

/** The letter of a case that has ended, whose first POST goes as told. */
function aLetter(...behaviours: readonly Behaviour[]): Chart {
  const chart = aChart(aCase(done));
  chart.ehr.next.set('create DocumentReference', [...behaviours]);
  return chart;
}

const posts = (chart: Chart, type: string) => chart.ehr.calls.filter((call) => call === `create ${type}`).length;
const letters = (chart: Chart) => chart.ehr.live<DocumentReference>('DocumentReference');
const row = (chart: Chart): LedgerEntry | undefined => rowOf(chart.rows, 'document');

describe('a create whose answer was lost [S2]', () => {
  test('and that came is known by its identifier, beside the same letter that somebody else has filed', async () => {
    const bytes = new TextEncoder().encode('%PDF-1.7 the payer’s letter');
    const chart = aChart(aCase(done), { searchParams: ['patient'] }, undefined, [bytes]);
    chart.ehr.next.set('create DocumentReference', ['ok', { lateBy: 10 }]);
    await chart.deliver();
    const attachment = { contentType: 'application/pdf', hash: documentHash(bytes) };
    const subject = { reference: 'Patient/p1' };
    const clinics = { resourceType: 'DocumentReference', id: 'a-clinic', status: 'current', subject };
    chart.ehr.resources.set('DocumentReference/a-clinic', { ...clinics, content: [{ attachment }] } as Resource);
    chart.clock.forward(30);
    await chart.settle();
    const ours = letters(chart).find(
      ({ id, content }) => id !== 'a-clinic' && content[0]?.attachment.hash === attachment.hash,
    );
    expect(rowOf(chart.rows, 'determination')).toMatchObject({
      state: 'done',
      reference: `DocumentReference/${ours?.id}`,
    });
  });

  test('nothing is sent again within the delivery', async () => {
    const chart = aLetter('lost-before');
    await chart.deliver();
    expect(posts(chart, 'DocumentReference')).toBe(1);
    expect(row(chart)).toMatchObject({ state: 'unknown', looks: 0 });
  });

  test('the chart is looked at after 30 s, 2 min and 10 min, and only then it is written once more [G05]', async () => {
    const chart = aLetter('lost-before');
    const start = chart.clock().getTime();
    const looks: (readonly [number, number])[] = [];
    for (let { again } = await chart.deliver(); again !== undefined && looks.length < 3; ) {
      chart.clock.forward(again.seconds);
      ({ again } = await chart.deliver());
      looks.push([(chart.clock().getTime() - start) / 1000, posts(chart, 'DocumentReference')]);
    }
    expect(looks).toEqual([
      [30, 1],
      [120, 1],
      [600, 2],
    ]);
    expect(row(chart)).toMatchObject({ state: 'done', attempts: 2 });
    expect(letters(chart)).toHaveLength(1);
  });

  test('the same for a Task', async () => {
    const chart = aChart(aCase());
    chart.ehr.next.set('create Task', ['lost-before']);
    await chart.deliver();
    expect(posts(chart, 'Task')).toBe(1);
    await chart.until(599);
    expect(posts(chart, 'Task')).toBe(1);
    await chart.until(601);
    expect(posts(chart, 'Task')).toBe(2);
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'done' });
  });

  test('writes that the EHR refused do not count: one that is lost after them is written once more', async () => {
    const chart = aLetter(busy, busy, busy, busy, 'lost-before');
    await chart.settle();
    expect(row(chart)).toMatchObject({ state: 'done' });
    expect(letters(chart)).toHaveLength(1);
  });

  test('an EHR that is late by half a minute has the letter once', async () => {
    const chart = aLetter({ lateBy: 35 });
    await chart.settle();
    expect(posts(chart, 'DocumentReference')).toBe(1);
    expect(letters(chart)).toHaveLength(1);
    expect(row(chart)).toMatchObject({ state: 'done', reference: 'DocumentReference/2' });
  });

  test('a search that lags behind by minutes makes no second letter', async () => {
    const chart = aChart(aCase(done), { searchLag: 400 });
    chart.ehr.next.set('create DocumentReference', ['lost-after']);
    await chart.settle();
    expect(posts(chart, 'DocumentReference')).toBe(1);
    expect(letters(chart)).toHaveLength(1);
  });

  test.each([
    ['a Task', 'Task', aCase(), ['task+document', 'worklist']],
    ['a letter', 'DocumentReference', aCase(done), ['task+document', 'worklist']],
    ['a message', 'Communication', aCase(done), ['communication', 'worklist']],
  ] as const)(
    '%s is not written again where a search shows a part only: a person looks [E11]',
    async (_, type, facts, channels) => {
      const chart = aChart(facts, {}, undefined, [], channels);
      chart.ehr.next.set(`create ${type}`, ['lost-after']);
      // The page that holds it is not among those that the EHR shows.
      chart.ehr.search = async () => ({ resources: [], truncated: true, warnings: [] });
      await chart.settle();
      expect(posts(chart, type)).toBe(1);
      const { what } = chart.rows.find(({ state }) => state === 'failed') ?? {};
      expect(what).toBe({ Task: 'task', DocumentReference: 'document', Communication: 'communication' }[type]);
    },
  );

  test.each([
    ['a duplicate that it does not show', conflict],
    ['an answer that cannot be read', new BridgeError('ehr_not_fhir', { http: 201 })],
    ['a failure of its own', new BridgeError('ehr_write_unclear', { http: 503 })],
  ])('%s counts as a lost answer', async (_name, error) => {
    const chart = aLetter(error);
    await chart.deliver();
    expect(row(chart)).toMatchObject({ state: 'unknown' });
    await chart.settle();
    expect(letters(chart)).toHaveLength(1);
  });

  test.each<[string, Partial<LedgerEntry>, string]>([
    ['was never sent', { state: 'waiting', attempts: 0 }, 'skipped'],
    ['was looked for in vain', { state: 'planned', looks: 3 }, 'skipped'],
    ['may still come', { state: 'unknown', looks: 3 }, 'unknown'],
  ])('once the outcome has changed, the letter of the earlier one that %s', async (_name, known, state) => {
    const chart = aChart(aCase(done));
    const earlier: LedgerEntry = {
      what: 'document',
      version: 'earlier',
      state: 'waiting',
      attempts: 1,
      at: chart.clock().toISOString(),
      ...known,
    };
    await chart.deliver([earlier]);
    expect(rowOf(chart.rows, 'document', 'earlier')).toMatchObject({ state });
    expect(rowOf(chart.rows, 'document', chart.version())).toMatchObject({ state: 'done' });
  });

  test.each([
    ['asks to slow down', busy],
    ['was never reached', unreachable],
  ])('an EHR that %s has stored nothing: tried again without looks', async (_name, error) => {
    const chart = aLetter(error);
    expect(await chart.deliver()).toMatchObject({ again: { seconds: 30 } });
    expect(row(chart)).toMatchObject({ state: 'planned' });
    await chart.until(31);
    expect(row(chart)).toMatchObject({ state: 'done' });
  });

  test('an answer that is lost four times is left to a person, who is told to look first', async () => {
    const chart = aLetter('lost-before', 'lost-before', 'lost-before', 'lost-before');
    await chart.settle();
    expect(posts(chart, 'DocumentReference')).toBe(4);
    expect(row(chart)).toMatchObject({ state: 'failed', reason: expect.stringContaining('look for it in the chart') });
    expect(outstanding(chart.request().site, chart.facts())).toEqual([]);
  });

  test('a restart keeps the schedule: what counts stands in the row', async () => {
    const chart = aLetter('lost-before');
    await chart.deliver();
    chart.clock.forward(40);
    await chart.deliver();
    const stored = JSON.parse(JSON.stringify(chart.rows));
    expect(rowOf(stored, 'document')).toMatchObject({ looks: 1, at: '2026-11-21T10:00:40.000Z' });
    chart.clock.forward(50);
    const { again } = await chart.deliver(stored);
    // 90 seconds lie between the first look and the second.
    expect(again).toEqual({ seconds: 40 });
    expect(posts(chart, 'DocumentReference')).toBe(1);
  });

  test('an EHR that cannot be searched meanwhile gets no second letter: the look is made up for', async () => {
    const chart = aLetter({ lateBy: 3_000 });
    await chart.deliver();
    chart.ehr.next.set(
      'search DocumentReference',
      Array.from({ length: 7 }, () => unreachable),
    );
    await chart.until(4_000);
    expect(letters(chart)).toHaveLength(1);
    expect(posts(chart, 'DocumentReference')).toBe(1);
  });

  test('nobody reaches the EHR for a day: a person is told', async () => {
    const chart = aLetter(unreachable);
    chart.ehr.next.set('search DocumentReference', ['ok', ...Array.from({ length: 200 }, () => unreachable)]);
    await chart.until(25 * 3600);
    expect(row(chart)).toMatchObject({ state: 'failed', reason: 'The EHR cannot be reached' });
  });

  test('the token ends while it is unclear: it stays unclear, and goes on at the next launch', async () => {
    const chart = aLetter('lost-after');
    chart.ehr.next.set('search DocumentReference', ['ok', unreachable]);
    await chart.deliver();
    chart.ehr.next.set('search DocumentReference', [new BridgeError('relaunch_required')]);
    chart.clock.forward(30);
    expect(await chart.deliver()).not.toHaveProperty('again');
    expect(row(chart)).toMatchObject({ state: 'unknown', reason: 'Your session has ended' });
    chart.clock.forward(30 * 24 * 3600);
    await chart.deliver();
    expect(row(chart)).toMatchObject({ state: 'done' });
    expect(letters(chart)).toHaveLength(1);
  });

  test('a person who asks to write it now does not bring a second one', async () => {
    const chart = aLetter({ lateBy: 100 });
    await chart.deliver();
    chart.clock.forward(10);
    await chart.deliver(askedAgain(chart.rows, chart.clock().toISOString()));
    expect(posts(chart, 'DocumentReference')).toBe(1);
    await chart.settle();
    expect(letters(chart)).toHaveLength(1);
  });

  test.each([
    ['cannot be searched', { offers: { DocumentReference: ['create'] } }, ['lost-before']],
    ['lost it again and again', {}, ['lost-before', 'lost-before', 'lost-before', 'lost-before']],
  ] as const)('a person who has looked, and asks again: an EHR that %s gets it', async (_name, options, behaviours) => {
    const chart = aChart(aCase(done), options);
    chart.ehr.next.set('create DocumentReference', [...behaviours]);
    await chart.settle();
    expect(row(chart)).toMatchObject({ state: 'failed' });
    await chart.deliver(askedAgain(chart.rows, chart.clock().toISOString()));
    expect(row(chart)).toMatchObject({ state: 'done' });
    expect(letters(chart)).toHaveLength(1);
  });

  test.each([404, 405, 501])(
    'an EHR that answers a search with %i gets no second one: a person looks',
    async (http) => {
      const chart = aLetter('lost-after');
      chart.ehr.next.set('search DocumentReference', [
        ...Array.from({ length: 9 }, () => new BridgeError('ehr_error', { http })),
      ]);
      await chart.settle();
      expect(row(chart)).toMatchObject({
        state: 'failed',
        reason: expect.stringMatching(/^sent, but its answer was lost/),
      });
      expect(letters(chart)).toHaveLength(1);
    },
  );

  test('the outcome changes, the first letter is never found, a person asks again: nothing stays open', async () => {
    const chart = aLetter('lost-before');
    await chart.deliver();
    chart.change(at('completed', { outcome: { result: 'Approved', detail_code: 'approval' } }));
    await chart.settle();
    const ended = chart.rows.map(({ what, state }) => `${what} ${state}`).sort();
    expect(ended).toEqual(['document done', 'document skipped', 'task done']);
    await chart.deliver(askedAgain(chart.rows, chart.clock().toISOString()));
    expect(chart.rows.map(({ what, state }) => `${what} ${state}`).sort()).toEqual(ended);
    expect(outstanding(chart.request().site, chart.facts())).toEqual([]);
    expect(posts(chart, 'DocumentReference')).toBe(2);
  });

  test('the outcome changes while the letter is unclear: both letters stand in the chart, each once', async () => {
    const chart = aLetter({ lateBy: 60 });
    await chart.deliver();
    chart.change(at('completed', { outcome: { result: 'Approved', detail_code: 'approval' } }));
    await chart.settle();
    expect(letters(chart)).toHaveLength(2);
    expect(posts(chart, 'DocumentReference')).toBe(2);
    expect(chart.rows.map(({ what, state }) => `${what} ${state}`).sort()).toEqual([
      'document done',
      'document done',
      'task done',
    ]);
    const [task] = chart.ehr.all<Task>('Task');
    const current = rowOf(chart.rows, 'document', chart.version());
    expect(task?.output).toContainEqual({
      type: { text: 'Letter' },
      valueReference: { reference: current?.reference },
    });
  });

  test('an EHR without search, and a Task that goes on: left to a person, not written at every state', async () => {
    const chart = aChart(aCase(), { offers: { Task: ['create'] } });
    chart.ehr.next.set('create Task', ['lost-after']);
    await chart.deliver();
    for (const status of ['awaiting_review', 'awaiting_outcome']) {
      chart.change(at(status));
      await chart.settle();
    }
    expect(posts(chart, 'Task')).toBe(1);
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'failed' });
  });
});

describe('a bridge that stops', () => {
  test('after it found the Task and before it brought it up to date: the next delivery does that', async () => {
    const chart = aChart(aCase());
    chart.ehr.next.set('create Task', [{ lateBy: 20 }]);
    await chart.deliver();
    chart.change(at('awaiting_outcome'));
    chart.clock.forward(30);
    const stopped = chart.request();
    const update = async () => {
      throw new Error('stopped');
    };
    let alive = true;
    const save: typeof stopped.save = async (entry, before) => {
      if (!alive) throw new Error('stopped');
      alive = entry.state !== 'in_flight';
      await stopped.save(entry, before);
    };
    await expect(deliver({ ...stopped, save, api: { ...chart.ehr, update } })).rejects.toThrow('stopped');
    chart.change({ writes: stopped.ledger() });
    await chart.settle();
    expect(chart.ehr.all<Task>('Task')).toMatchObject([{ id: '1', status: 'in-progress' }]);
    expect(posts(chart, 'Task')).toBe(1);
  });

  test('a row that cannot be stored ends the delivery: nothing more leaves', async () => {
    const chart = aChart(aCase(done));
    const save = async (entry: LedgerEntry) => {
      if (entry.state === 'done') throw new BridgeError('store_unavailable');
    };
    await expect(deliver({ ...chart.request(), save })).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(chart.ehr.calls).toEqual(['search DocumentReference', 'create DocumentReference']);
  });
});

describe('what holds up all rows', () => {
  test('no token: they wait for the next launch, and what is unclear stays so', async () => {
    const chart = aLetter('lost-before');
    await chart.deliver();
    chart.change(at('completed', { outcome: { result: 'Approved', detail_code: 'approval' } }));
    const request = chart.request();
    const held = await holdUp(request, { verdict: 'wait', reason: 'next launch' });
    expect(held).not.toHaveProperty('again');
    expect(held.rows.map(({ what, state }) => `${what} ${state}`).sort()).toEqual([
      'document unknown',
      'document waiting',
      'task waiting',
    ]);
  });

  test('an EHR that does not describe itself: tried again, ever less often, for a day', async () => {
    const chart = aChart(aCase());
    chart.ehr.next.set(
      'capabilities',
      Array.from({ length: 500 }, () => unreachable),
    );
    const waits: number[] = [];
    let last = await chart.deliver();
    for (; last.again !== undefined; last = await chart.deliver()) {
      waits.push(last.again.seconds);
      chart.clock.forward(last.again.seconds);
    }
    expect(waits.slice(0, 5)).toEqual([30, 120, 600, 1200, 2400]);
    expect(Math.max(...waits)).toBe(7_200);
    expect(last.rows).toMatchObject([{ what: 'task', state: 'failed', reason: 'The EHR cannot be reached' }]);
  });
});

describe('[E10] a wait counts from the last try, not from the first that failed', () => {
  const unreachableFor = (chart: ReturnType<typeof aChart>, call: string) =>
    chart.ehr.next.set(
      call,
      Array.from({ length: 500 }, () => unreachable),
    );

  test('a process that stood still for half an hour goes on with the next wait', async () => {
    const chart = aChart(aCase());
    unreachableFor(chart, 'capabilities');
    expect((await chart.deliver()).again).toEqual({ seconds: 30 });
    chart.clock.forward(1800);
    expect((await chart.deliver()).again).toEqual({ seconds: 120 });
    chart.clock.forward(7200);
    expect((await chart.deliver()).again).toEqual({ seconds: 600 });
  });

  test('what is tried before its time, since something new happened, waits no longer for it', async () => {
    const chart = aChart(aCase());
    unreachableFor(chart, 'capabilities');
    await chart.deliver();
    for (let times = 0; times < 5; times += 1) {
      chart.clock.forward(2);
      expect((await chart.deliver()).again).toEqual({ seconds: 30 });
    }
  });

  test('of a weekend in which nothing was tried nobody is told that it failed', async () => {
    const chart = aChart(aCase());
    unreachableFor(chart, 'capabilities');
    await chart.deliver();
    chart.clock.forward(60 * 3600);
    expect(await chart.deliver()).toMatchObject({ again: { seconds: 120 }, rows: [{ state: 'planned' }] });
  });

  test('a look into the chart that failed is made again after its own wait', async () => {
    const chart = aChart(aCase());
    chart.ehr.next.set('create Task', ['lost-before']);
    await chart.deliver();
    expect(chart.rows).toMatchObject([{ what: 'task', state: 'unknown' }]);
    unreachableFor(chart, 'search Task');
    chart.clock.forward(1800);
    expect((await chart.deliver()).again).toEqual({ seconds: 30 });
    chart.clock.forward(1800);
    expect((await chart.deliver()).again).toEqual({ seconds: 120 });
  });
});

describe('answers that are none of the usual', () => {
  test('stored, but not said where: found by its identifier, never written again', async () => {
    const chart = aChart(aCase(done), { searchLag: 60 });
    chart.ehr.next.set('create DocumentReference', ['no-id']);
    chart.ehr.next.set('create Task', ['no-id']);
    await chart.deliver();
    expect(chart.rows.map(({ state }) => state)).toEqual(['stored', 'stored']);
    await chart.settle();
    expect(chart.ehr.calls.filter((call) => call.startsWith('create'))).toHaveLength(2);
    expect(rowOf(chart.rows, 'document')).toMatchObject({ state: 'done', reference: 'DocumentReference/1' });
    expect(chart.ehr.all<Task>('Task')[0]?.output?.map(({ type }) => type.text)).toContain('Letter');
  });

  test('a Task stored without an id and shown after more than 20 minutes is brought up to date', async () => {
    const chart = aChart(aCase(), { searchLag: 1500 });
    chart.ehr.next.set('create Task', ['no-id']);
    await chart.deliver();
    chart.change(at('completed', denial));
    await chart.settle();
    expect(posts(chart, 'Task')).toBe(1);
    expect(chart.ehr.all<Task>('Task')).toMatchObject([{ status: 'completed' }]);
  });

  test('what was stored without an id is looked for again when a person asks, and not written again', async () => {
    const chart = aChart(aCase(), { searchLag: 10_000 });
    chart.ehr.next.set('create Task', ['no-id']);
    await chart.settle();
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'stored' });
    chart.clock.forward(10_000);
    await chart.deliver(askedAgain(chart.rows, chart.clock().toISOString()));
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'done', reference: 'Task/1' });
    expect(posts(chart, 'Task')).toBe(1);
  });

  test('stored, not said where, and not to be searched for: it counts as written, and a Task as stale', async () => {
    const chart = aChart(aCase(), { offers: { Task: ['create', 'read', 'update'] } });
    chart.ehr.next.set('create Task', ['no-id']);
    await chart.settle();
    chart.change(at('awaiting_outcome'));
    const { stale, again } = await chart.deliver();
    expect(posts(chart, 'Task')).toBe(1);
    expect(again).toBeUndefined();
    expect(stale).toBe('the EHR stored it and did not say under which id');
  });

  test('a conditional create that finds the Task: it is brought to what it should say', async () => {
    const ehr = fakeEhr({ conditionalCreate: true });
    const chart = aChart(aCase(), {}, ehr);
    await chart.deliver();
    chart.change(at('awaiting_outcome'));
    // The ledger was lost, and the search does not show the Task yet.
    const blind = { ...ehr, search: async () => ({ resources: [], truncated: false, warnings: [] }) };
    await deliver({ ...chart.request([]), api: blind });
    expect(ehr.all<Task>('Task')).toMatchObject([{ id: '1', status: 'in-progress' }]);
  });

  test('412 for a conditional create that matches several: one is kept, the others are retracted', async () => {
    const ehr = fakeEhr({ conditionalCreate: true });
    const chart = aChart(aCase(), {}, ehr);
    await chart.deliver();
    const [task] = ehr.all<Task>('Task');
    ehr.resources.set('Task/99', { ...task!, id: '99' } as Task);
    // Both were stored by deliveries of which the ledger knows nothing, and come into the index after the first search.
    const nothing = { resources: [], truncated: false, warnings: [] };
    const late: typeof ehr.search = async (...asked) => {
      const isFirst = !ehr.calls.includes('search Task');
      const answer = await ehr.search(...asked);
      return isFirst ? nothing : answer;
    };
    ehr.calls.length = 0;
    const { rows } = await deliver({ ...chart.request([]), api: { ...ehr, search: late } });
    expect(ehr.live('Task')).toHaveLength(1);
    expect(rows).toMatchObject([
      { what: 'task', state: 'done', reference: 'Task/1' },
      { what: 'double', state: 'retracted', reference: 'Task/99' },
    ]);
  });

  test('an id that comes back in another case is the same resource, not a second one', async () => {
    const chart = aLetter('lost-before', 'ok');
    await chart.until(601);
    const [letter] = letters(chart);
    const shouted = { ...chart.ehr, search: chart.ehr.search };
    shouted.search = async (type, params) => {
      const { resources, ...rest } = await chart.ehr.search(type, params);
      return { ...rest, resources: resources.map((each) => ({ ...each, id: each.id?.toUpperCase() ?? '' })) };
    };
    chart.ehr.resources.delete(`DocumentReference/${letter?.id}`);
    chart.ehr.resources.set('DocumentReference/abc', { ...letter!, id: 'abc' });
    const rows = chart.rows.map((each) =>
      each.what === 'document' ? { ...each, reference: 'DocumentReference/abc' } : each,
    );
    chart.clock.forward(1_201);
    await deliver({ ...chart.request(rows), api: shouted });
    expect(letters(chart)).toHaveLength(1);
  });
});

test('a letter of an earlier outcome that was looked for in vain is not planned anew when a person asks', async () => {
  const approved = at('completed', approval);
  const chart = aChart(aCase(approved), { scopes: ['patient/Task.cruds', 'patient/DocumentReference.cruds'] });
  chart.ehr.next.set('create DocumentReference', ['lost-before']);
  await chart.deliver();
  expect(rowOf(chart.rows, 'document', chart.version())).toMatchObject({ state: 'unknown' });
  const old = chart.version();
  chart.change(at('completed', denial));
  const refused = new BridgeError('ehr_forbidden', { http: 403 });
  chart.ehr.next.set(
    'create DocumentReference',
    Array.from({ length: 9 }, () => refused),
  );
  await chart.settle();
  expect(rowOf(chart.rows, 'document', old)).toMatchObject({ state: 'skipped', looks: 3 });
  for (let times = 0; times < 2; times += 1) {
    await chart.deliver(askedAgain(chart.rows, chart.clock().toISOString()));
    await chart.settle();
    expect(rowOf(chart.rows, 'document', old)).toMatchObject({ state: 'skipped' });
    expect(rowOf(chart.rows, 'document', chart.version())).toMatchObject({ state: 'skipped' });
  }
  expect(outstanding(chart.request().site, chart.facts())).toEqual([]);
});

test('an EHR that names a resource as there already and cannot show it is asked again, not written to', async () => {
  const chart = aChart(aCase(at('processing')));
  const { create } = chart.ehr;
  // As after an answer whose status was changed on its way: what it names comes later.
  chart.ehr.next.set('create Task', [{ shownAfter: 300 }]);
  chart.ehr.create = async (resource, condition) => ({ ...(await create(resource, condition)), existed: true });
  chart.ehr.next.set('read Task', [new BridgeError('ehr_not_fhir', { http: 200 })]);
  await chart.deliver();
  expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'unknown', looks: 0, attempts: 1 });
  chart.ehr.create = create;
  await chart.settle();
  expect(posts(chart, 'Task')).toBe(1);
  expect(chart.ehr.all<Task>('Task')).toHaveLength(1);
});

test('a letter that was looked for in vain, and then lacked a token, is written at the next launch', async () => {
  const chart = aLetter('lost-before', busy);
  await chart.until(610);
  expect(row(chart)).toMatchObject({ state: 'planned', looks: 3 });
  const request = chart.request();
  await holdUp(request, { verdict: 'wait', reason: 'next launch' });
  chart.change({ writes: request.ledger() });
  expect(row(chart)).toMatchObject({ state: 'waiting', looks: 3 });
  await chart.settle();
  expect(letters(chart)).toHaveLength(1);
  expect(row(chart)).toMatchObject({ state: 'done' });
});
