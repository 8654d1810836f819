import type { DocumentReference, Task } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { documentReference as rightDocument } from '../../mappings/document-reference.ts';
import { task as rightTask } from '../../mappings/task.ts';
import { BridgeError } from '../../src/core/errors.ts';
import { overlay } from '../../src/core/mapping/words/define.ts';
import { constant } from '../../src/core/mapping/words/rules.ts';
import { createRefusals } from '../../src/writeback/create-refusals.ts';
import { deliver } from '../../src/writeback/deliver.ts';
import { rowOf } from '../../src/writeback/ledger.ts';
import { outstanding } from '../../src/writeback/outstanding.ts';
import { fakeEhr } from '../support/fake-ehr.ts';
import { testSite } from '../support/site.ts';
import { aCase, approval, aRequest, at, denial, type TestRequest, testClock } from './support.ts';

const done = at('completed', denial);
const every = ['create', 'read', 'search-type', 'update'];

/** The same case later, with the ledger that the first delivery left. */
function later(request: TestRequest, changes: Parameters<typeof aCase>[0] = {}): TestRequest {
  const { api, site, clock, refusals } = request;
  return aRequest({ ...request.facts, ...changes, writes: request.ledger() }, { api, site, clock, refusals });
}

function fails(
  code: 'ehr_forbidden' | 'ehr_write_refused' | 'ehr_unreachable' | 'ehr_error' | 'relaunch_required' | 'ehr_conflict',
  http?: number,
): BridgeError {
  return new BridgeError(code, http === undefined ? {} : { http });
}

describe('one Task follows the case', () => {
  test('it is created once and updated in place through every state', async () => {
    let request = aRequest(aCase());
    await deliver(request);
    for (const status of ['awaiting_review', 'awaiting_outcome', 'validating_outcome', 'awaiting_outcome']) {
      request = later(request, at(status));
      await deliver(request);
    }
    await deliver(later(request, done));
    expect(request.api.all<Task>('Task').map((task) => task.status)).toEqual(['completed']);
    expect(request.api.calls.filter((call) => call === 'create Task')).toHaveLength(1);
  });

  test('delivering the same five times writes once [G07]', async () => {
    let request = aRequest(aCase(done));
    for (let i = 0; i < 5; i += 1) {
      await deliver(request);
      request = later(request, {});
    }
    expect(request.api.calls.filter((call) => /^(create|update)/.test(call))).toEqual([
      'create DocumentReference',
      'create Task',
    ]);
  });

  test('the ledger row is stored as in_flight before the request leaves', async () => {
    const request = aRequest(aCase());
    const order: string[] = [];
    const api = { ...request.api, create: request.api.create };
    api.create = async (...args) => {
      order.push('POST');
      return await request.api.create(...args);
    };
    await deliver({ ...request, api, save: async (entry) => void order.push(entry.state) });
    expect(order).toEqual(['in_flight', 'POST', 'done']);
  });

  test('what others added to the Task stays, and their elements come back unchanged [G09]', async () => {
    const request = aRequest(aCase());
    await deliver(request);
    const [task] = request.api.all<Task>('Task');
    const theirs = {
      ...task!,
      note: [{ text: 'called the pharmacy' }],
      priority: 'urgent' as const,
      identifier: [...task!.identifier!, { system: 'urn:ehr', value: '77' }],
      output: [{ type: { text: 'Ours at the practice' }, valueString: 'x' }],
    };
    request.api.resources.set('Task/1', {
      ...theirs,
      extension: [{ url: 'https://ehr.example/inbox', valueString: 'A' }],
    } as Task);
    await deliver(later(request, done));
    const [after] = request.api.all<Task>('Task');
    expect(after).toMatchObject({
      note: [{ text: 'called the pharmacy' }],
      priority: 'urgent',
      extension: [{ url: 'https://ehr.example/inbox' }],
      status: 'completed',
    });
    expect(after?.identifier).toContainEqual({ system: 'urn:ehr', value: '77' });
    expect(after?.output?.map((output) => output.type.text)).toEqual(
      expect.arrayContaining(['Ours at the practice', 'Outcome', 'Letter']),
    );
  });

  test('somebody else’s change in between is read again and merged, at most three times [G08]', async () => {
    const request = aRequest(aCase());
    await deliver(request);
    // Each version is sent in two spellings.
    request.api.next.set(
      'update Task',
      Array.from({ length: 4 }, () => fails('ehr_conflict')),
    );
    const twice = later(request, at('awaiting_outcome'));
    await deliver(twice);
    expect(rowOf(twice.ledger(), 'task')).toMatchObject({ state: 'done', versionId: '2' });

    request.api.next.set(
      'update Task',
      Array.from({ length: 6 }, () => fails('ehr_conflict')),
    );
    const thrice = later(twice, at('awaiting_review'));
    expect(await deliver(thrice)).toMatchObject({ again: { seconds: 30 } });
    expect(rowOf(thrice.ledger(), 'task')).toMatchObject({
      state: 'planned',
      reason: 'The resource in the EHR was changed by someone else',
    });
  });

  test('a Task that the practice has finished is not opened again [F09]', async () => {
    const request = aRequest(aCase());
    await deliver(request);
    const [task] = request.api.all<Task>('Task');
    request.api.resources.set('Task/1', { ...task!, status: 'completed' } as Task);
    await deliver(later(request, at('awaiting_outcome')));
    expect(request.api.all<Task>('Task')[0]?.status).toBe('completed');
  });

  test('a Task deleted in the EHR is written anew', async () => {
    const clock = testClock();
    const request = aRequest(aCase(), { clock });
    await deliver(request);
    request.api.resources.clear();
    clock.forward(600);
    const next = later(request, at('awaiting_outcome'));
    await deliver(next);
    expect(rowOf(next.ledger(), 'task')).toMatchObject({ state: 'done' });
    expect(request.api.all<Task>('Task')).toHaveLength(1);
  });

  test('a Task that the EHR does not find right after it stored it is not written again', async () => {
    const clock = testClock();
    const request = aRequest(aCase(), { clock });
    await deliver(request);
    const stored = new Map(request.api.resources);
    request.api.resources.clear();
    clock.forward(5);
    const soon = later(request, at('awaiting_outcome'));
    expect(await deliver(soon)).toMatchObject({ again: { seconds: 30 } });
    for (const [key, resource] of stored) request.api.resources.set(key, resource);
    await deliver(later(soon));
    expect(request.api.all<Task>('Task')).toMatchObject([{ id: '1', status: 'in-progress' }]);
  });

  test('a Task of the same identifier about another patient is neither taken nor changed', async () => {
    const request = aRequest(aCase());
    await deliver(request);
    const [task] = request.api.all<Task>('Task');
    request.api.resources.set('Task/1', { ...task!, for: { reference: 'Patient/other' } } as Task);
    const next = later(request, at('awaiting_outcome'));
    await deliver(next);
    expect(rowOf(next.ledger(), 'task')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('another patient'),
    });
    expect(request.api.calls).not.toContain('update Task');
  });
});

test('a resource about another patient than the case’s does not leave [E12, G14]', async () => {
  const request = aRequest(aCase(done));
  const stranger = { reference: constant('Patient/somebody-else', 'a mistake') };
  const task = overlay(rightTask, 'task@wrong', { for: stranger });
  const documentReference = overlay(rightDocument, 'document-reference@wrong', { subject: stranger });
  await deliver({ ...request, mappings: { task, documentReference } });
  expect(request.api.calls.filter((call) => call.startsWith('create'))).toEqual([]);
  expect(request.ledger()).toMatchObject([
    { what: 'document', state: 'failed', reason: expect.stringContaining('another patient') },
    { what: 'task', state: 'failed', reason: expect.stringContaining('another patient') },
  ]);
});

describe('a request of which nobody knows whether it arrived', () => {
  // As the cases give it: sent, no id at the service, no record.
  const { serviceId: _, ...lost } = aCase({ state: 'unknown' });
  const backAsDraft = {
    state: 'draft',
    notArrived: { left: { sentAt: '2026-11-20T10:00:00.000Z' } },
    changedAt: '2026-11-20T11:00:00.000Z',
  };

  /** The Task of the lost request, ended as the person said. */
  async function takenBack(): Promise<TestRequest> {
    const request = aRequest(lost);
    await deliver(request);
    const { sentAt: __, sentBy: ___, ...draft } = lost;
    const ended = aRequest({ ...draft, ...backAsDraft, writes: request.ledger() }, { api: request.api });
    await deliver(ended);
    return ended;
  }

  test('has its Task, which says so and nothing else', async () => {
    const request = aRequest(lost);
    expect(outstanding(request.site, request.facts)).toMatchObject([{ what: 'task', state: 'planned' }]);
    await deliver(request);
    expect(request.api.all<Task>('Task')).toMatchObject([
      {
        status: 'requested',
        businessStatus: { coding: [{ code: 'arrival_unknown' }], text: 'Sent; not known whether it arrived' },
      },
    ]);
    expect(request.api.all<Task>('Task')[0]).not.toHaveProperty('output');
    expect(request.api.all('DocumentReference')).toEqual([]);
  });

  test('it did not arrive: the Task ends, and nothing more is wanted in the chart', async () => {
    const ended = await takenBack();
    expect(ended.api.all<Task>('Task')).toMatchObject([
      {
        status: 'cancelled',
        statusReason: { text: 'Did not arrive at the service' },
        businessStatus: { text: 'Did not arrive at the service' },
      },
    ]);
    expect(outstanding(ended.site, { ...ended.facts, writes: ended.ledger() })).toEqual([]);
  });

  test('a draft that did not arrive, and whose Task never got into the chart, gets none', () => {
    const request = aRequest({ ...lost, ...backAsDraft });
    expect(outstanding(request.site, request.facts)).toEqual([]);
    const failed = {
      ...request.facts,
      writes: [{ what: 'task', version: 'v', state: 'failed', attempts: 1, at: '2026-11-20T10:00:00.000Z' }] as const,
    };
    expect(outstanding(request.site, failed)).toEqual([]);
  });

  test('sent again, or arrived after all: the same Task goes on', async () => {
    const ended = await takenBack();
    const again = later(ended, {
      ...at('processing'),
      state: 'open',
      sentAt: '2026-11-21T09:00:00.000Z',
      serviceId: 'pa_1',
    });
    await deliver(again);
    expect(again.api.all<Task>('Task')).toMatchObject([
      { id: '1', status: 'received', businessStatus: { text: 'Processing' } },
    ]);
    expect(again.api.all<Task>('Task')[0]).not.toHaveProperty('statusReason');
  });

  test('a Task that the practice has cancelled stays so, also when a request had not arrived', async () => {
    const ended = await takenBack();
    const [task] = ended.api.all<Task>('Task');
    ended.api.resources.set('Task/1', { ...task!, businessStatus: { text: 'Patient has moved away' } } as Task);
    await deliver(
      later(ended, { ...at('processing'), state: 'open', sentAt: '2026-11-21T09:00:00.000Z', serviceId: 'pa_1' }),
    );
    expect(ended.api.all<Task>('Task')[0]).toMatchObject({
      status: 'cancelled',
      businessStatus: { text: 'Patient has moved away' },
    });
  });

  test('nothing is written while a request is on its way', () => {
    const request = aRequest({ ...lost, state: 'sending' });
    expect(outstanding(request.site, request.facts)).toEqual([]);
    expect(outstanding(request.site, { ...request.facts, kind: 'enrollment' })).toEqual([]);
  });
});

describe('lost answers, settled at once', () => {
  test('stored, answer lost: found by search, one resource [G04]', async () => {
    const request = aRequest(aCase());
    request.api.next.set('create Task', ['lost-after']);
    await deliver(request);
    expect(request.api.all('Task')).toHaveLength(1);
    expect(rowOf(request.ledger(), 'task')).toMatchObject({ state: 'done', reference: 'Task/1' });
  });

  test('killed between POST and answer: the row in flight is looked up, not repeated [G06]', async () => {
    const request = aRequest(aCase(done));
    await deliver(request);
    const writes = request.ledger().map((row) => {
      const { reference: _, versionId: __, ...rest } = row;
      return { ...rest, state: 'in_flight' as const };
    });
    const restarted = aRequest({ ...request.facts, writes }, { api: request.api });
    await deliver(restarted);
    expect([...request.api.resources.keys()]).toEqual(['DocumentReference/1', 'Task/2']);
    expect(restarted.ledger().map((row) => row.state)).toEqual(['done', 'done']);
  });

  test('an EHR that drops identifiers: the letter is known by title and hash', async () => {
    const api = fakeEhr({ dropsIdentifiers: true, searchParams: ['patient'], offers: { DocumentReference: every } });
    const request = aRequest(aCase(done), { api });
    api.next.set('create DocumentReference', ['lost-after']);
    await deliver(request);
    expect(api.all('DocumentReference')).toHaveLength(1);
    expect(rowOf(request.ledger(), 'document')).toMatchObject({ state: 'done' });
  });

  test('an EHR without search: a person decides, nothing is doubled', async () => {
    const api = fakeEhr({ offers: { Task: ['create'], DocumentReference: ['create'] } });
    const request = aRequest(aCase(), { api });
    api.next.set('create Task', ['lost-after']);
    await deliver(request);
    await deliver(later(request, {}));
    expect(api.all('Task')).toHaveLength(1);
    expect(rowOf(request.ledger(), 'task')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('look for it in the chart'),
    });
  });
});

describe('channels', () => {
  test('an EHR without Task.create gets the letter, and the result says why [G01]', async () => {
    const api = fakeEhr({ offers: { Task: ['read', 'search-type', 'update'], DocumentReference: every } });
    const request = aRequest(aCase(done), { api });
    expect(await deliver(request)).not.toHaveProperty('again');
    expect(api.calls).toEqual(['search DocumentReference', 'create DocumentReference']);
    expect(rowOf(request.ledger(), 'task')).toMatchObject({
      state: 'skipped',
      reason: 'the EHR offers no Task.create',
    });
    expect(rowOf(request.ledger(), 'document')).toMatchObject({ state: 'done' });
  });

  test('no scope, no request', async () => {
    const api = fakeEhr({ scopes: ['patient/DocumentReference.crus', 'patient/Task.rs'] });
    const request = aRequest(aCase(), { api });
    await deliver(request);
    expect(api.calls).toEqual([]);
    expect(rowOf(request.ledger(), 'task')).toMatchObject({ state: 'skipped', reason: 'no scope Task.c' });
  });

  describe('a refusal of what the EHR advertises', () => {
    const asked = ({ api }: TestRequest, name: string) => api.calls.filter((call) => call === name).length;
    const another = ({ api, refusals }: TestRequest, nth: number, changes = {}) =>
      aRequest(aCase({ id: `${nth}1111111-1111-4111-8111-111111111111`, ...changes }), { api, refusals });

    test('with HTTP 501 is of the site: no other case asks [G02]', async () => {
      const request = aRequest(aCase());
      request.api.next.set('create Task', [fails('ehr_write_refused', 501)]);
      await deliver(request);
      expect(rowOf(request.ledger(), 'task')).toMatchObject({
        state: 'skipped',
        reason: 'The EHR refused to store the document or task (HTTP 501)',
      });
      const other = another(request, 2);
      await deliver(other);
      expect(asked(request, 'create Task')).toBe(1);
      expect(rowOf(other.ledger(), 'task')).toMatchObject({ state: 'skipped' });
    });

    test.each([404, 405])('with HTTP %i keeps no other case back, until three have met it [G02]', async (http) => {
      const request = aRequest(aCase());
      const refusal = fails('ehr_write_refused', http);
      request.api.next.set('create Task', [refusal]);
      await deliver(request);
      await deliver(later(request, at('awaiting_outcome')));
      expect(asked(request, 'create Task')).toBe(1);
      const well = another(request, 2);
      await deliver(well);
      expect(rowOf(well.ledger(), 'task')).toMatchObject({ state: 'done' });
      // From here on it refuses all.
      request.api.next.set('create Task', [refusal, refusal, refusal, refusal]);
      for (const nth of [3, 4, 5, 6]) await deliver(another(request, nth));
      expect(request.api.next.get('create Task')).toHaveLength(1);
    });

    test.each([403, 422])('with HTTP %i is of the one request, however many have met it', async (http) => {
      const request = aRequest(aCase());
      const refusal = fails(http === 403 ? 'ehr_forbidden' : 'ehr_write_refused', http);
      request.api.next.set('create Task', [refusal, refusal, refusal, refusal]);
      await deliver(request);
      for (const nth of [2, 3, 4]) await deliver(another(request, nth));
      const well = another(request, 5);
      await deliver(well);
      expect(rowOf(well.ledger(), 'task')).toMatchObject({ state: 'done' });
    });

    test('of one update closes no other Task of the site', async () => {
      const one = aRequest(aCase());
      const other = another(one, 2);
      await deliver(one);
      await deliver(other);
      one.api.next.set('update Task', [fails('ehr_write_refused', 405)]);
      await deliver(later(one, at('cancelled')));
      const next = later(other, at('cancelled'));
      await deliver(next);
      expect(rowOf(next.ledger(), 'task')).toMatchObject({ state: 'done' });
      expect(next.ledger().some(({ what }) => what === 'closing-task')).toBe(false);
    });

    test('is forgotten after an hour', async () => {
      const clock = testClock();
      const request = aRequest(aCase(), { clock, refusals: createRefusals(clock) });
      request.api.next.set('create Task', [fails('ehr_write_refused', 501)]);
      await deliver(request);
      clock.forward(3601);
      const other = another(request, 2);
      await deliver(other);
      expect(rowOf(other.ledger(), 'task')).toMatchObject({ state: 'done' });
    });
  });

  test('a type that is gone since the EHR described itself is passed over', async () => {
    const request = aRequest(aCase(done));
    request.api.next.set('search Task', [fails('ehr_error', 404)]);
    const gone = fails('ehr_write_refused', 404);
    request.api.next.set('create Task', [gone, gone]);
    expect(await deliver(request)).not.toHaveProperty('again');
    expect(rowOf(request.ledger(), 'task')).toMatchObject({
      state: 'skipped',
      reason: 'The EHR refused to store the document or task (HTTP 404)',
    });
    expect(rowOf(request.ledger(), 'document')).toMatchObject({ state: 'done' });
  });

  describe.each([404, 405, 501])('a search that is offered and answered with %i', (http) => {
    const unsearchable = (request: TestRequest, ...types: readonly string[]) => {
      const refusals = Array.from({ length: 9 }, () => fails('ehr_error', http));
      for (const type of types) request.api.next.set(`search ${type}`, refusals);
      return request;
    };

    test.each(['Task', 'DocumentReference'])('keeps no %s from being written', async (type) => {
      const request = unsearchable(aRequest(aCase(done)), type);
      expect(await deliver(request)).not.toHaveProperty('again');
      for (const what of ['task', 'document'])
        expect(rowOf(request.ledger(), what as 'task')).toMatchObject({ state: 'done' });
      expect(request.api.all(type)).toHaveLength(1);
    });

    test('is not asked again for the same request, and its Task is kept up to date', async () => {
      const request = unsearchable(aRequest(aCase()), 'Task');
      await deliver(request);
      const next = later(request, at('cancelled'));
      await deliver(next);
      expect(request.api.calls.filter((call) => call === 'search Task')).toHaveLength(1);
      expect(request.api.all<Task>('Task').map(({ status }) => status)).toEqual(['cancelled']);
    });
  });

  test.each([
    [429, 'planned'],
    [503, 'planned'],
    [400, 'failed'],
  ] as const)('a search answered with %i leaves the row %s', async (http, state) => {
    const request = aRequest(aCase());
    request.api.next.set('search Task', [fails('ehr_error', http)]);
    await deliver(request);
    expect(rowOf(request.ledger(), 'task')).toMatchObject({ state });
  });

  describe('an EHR that asks to be left alone (Retry-After)', () => {
    const busy = (http: number, seconds: number) =>
      new BridgeError(http === 429 ? 'ehr_error' : 'ehr_write_unclear', { http, retry_after_seconds: seconds });

    test('is asked nothing more until then', async () => {
      const request = aRequest(aCase(done));
      request.api.next.set('create DocumentReference', [busy(429, 900)]);
      const { rows, again } = await deliver(request);
      expect(again).toEqual({ seconds: 900 });
      expect(rows.map(({ what, state }) => `${what} ${state}`)).toEqual(['document planned', 'task planned']);
      expect(request.api.calls.filter((call) => !/^(read|search)/.test(call))).toEqual(['create DocumentReference']);
      expect(request.api.calls).not.toContain('search Task');
    });

    test('also when what it was asked may have arrived: it is looked for no sooner', async () => {
      const request = aRequest(aCase());
      request.api.next.set('create Task', [busy(503, 900)]);
      const { rows, again } = await deliver(request);
      expect(rows).toMatchObject([{ what: 'task', state: 'unknown' }]);
      expect(again).toEqual({ seconds: 900 });
    });

    test('is asked again after two hours at the latest, and no sooner than without it', async () => {
      const long = aRequest(aCase());
      long.api.next.set('create Task', [busy(429, 864_000)]);
      expect(await deliver(long)).toMatchObject({ again: { seconds: 7200 } });
      const short = aRequest(aCase());
      short.api.next.set('create Task', [busy(429, 1)]);
      expect(await deliver(short)).toMatchObject({ again: { seconds: 30 } });
    });
  });

  test('a refused letter goes as a message where the site lists one', async () => {
    const site = testSite({ writeback: { channels: ['task+document', 'communication'] } });
    const request = aRequest(aCase(done), { site });
    request.api.next.set('create DocumentReference', [fails('ehr_forbidden', 403)]);
    await deliver(request);
    expect(request.api.all('Communication')).toHaveLength(1);
    expect(request.api.all<Task>('Task')[0]?.output).toContainEqual({
      type: { text: 'Letter' },
      valueReference: { reference: 'Communication/1' },
    });
    expect(outstanding(site, later(request, {}).facts)).toEqual([]);
  });

  test('no carrier at all: the Task still tells the outcome, and the letter stays on the case page', async () => {
    const api = fakeEhr({ offers: { Task: every } });
    const request = aRequest(aCase(done), { api });
    await deliver(request);
    expect(rowOf(request.ledger(), 'document')).toMatchObject({
      state: 'skipped',
      reason: 'the EHR offers no DocumentReference.create; the letter is on the case page',
    });
    expect(api.all<Task>('Task')[0]?.status).toBe('completed');
  });

  test('a site that asks for the worklist only is asked nothing, and its letter is left to the case page', async () => {
    const site = testSite({ writeback: { channels: ['worklist', 'task+document'] } });
    const request = aRequest(aCase(done), { site });
    await deliver(request);
    expect(request.api.calls).toEqual([]);
    expect(request.ledger()).toMatchObject([{ what: 'document', state: 'skipped' }]);
    expect(outstanding(site, later(request, {}).facts)).toEqual([]);
  });

  test('422 is final and says so; the reason holds no text of the EHR [G10]', async () => {
    const request = aRequest(aCase(done));
    request.api.next.set('create DocumentReference', [fails('ehr_write_refused', 422)]);
    expect(await deliver(request)).not.toHaveProperty('again');
    expect(rowOf(request.ledger(), 'document')).toMatchObject({
      state: 'failed',
      reason: 'The EHR refused to store the document or task (HTTP 422)',
    });
    expect(rowOf(request.ledger(), 'task')).toMatchObject({ state: 'done' });
  });

  test('the letter is there, the Task fails: only the Task is tried again [G17]', async () => {
    const request = aRequest(aCase(done));
    request.api.next.set('create Task', [fails('ehr_unreachable')]);
    expect(await deliver(request)).toHaveProperty('again');
    const next = later(request, {});
    await deliver(next);
    expect(request.api.calls.filter((call) => call === 'create DocumentReference')).toHaveLength(1);
    expect(rowOf(next.ledger(), 'task')).toMatchObject({ state: 'done' });
  });

  test('the user’s token has ended: it waits for a launch [G18]', async () => {
    const request = aRequest(aCase(done));
    request.api.next.set('search DocumentReference', [fails('relaunch_required')]);
    await deliver(request);
    expect(rowOf(request.ledger(), 'document')).toMatchObject({ state: 'waiting' });
  });

  test('conditional create only where the EHR states it [G13]', async () => {
    const without = aRequest(aCase());
    await deliver(without);
    const stated = aRequest(aCase(), { api: fakeEhr({ conditionalCreate: true }) });
    await deliver(stated);
    expect(without.api.conditions).toEqual([undefined]);
    expect(stated.api.conditions).toEqual([
      `identifier=${encodeURIComponent(`https://bridge.example/fhir/ns/case|${stated.facts.id}`)}`,
    ]);
  });

  test('a launch by somebody else writes as that person, by name where it is known [G19]', async () => {
    const request = aRequest(aCase(done), { author: { fhirUser: 'Practitioner/d2' } });
    await deliver(request);
    const [letter] = request.api.all<DocumentReference>('DocumentReference');
    expect(letter?.author).toEqual([{ reference: 'Practitioner/d2' }]);
    expect(letter).not.toHaveProperty('authenticator');
    const named = aRequest(aCase(done), { author: { fhirUser: 'Practitioner/d2', name: 'Riley Okafor, MA' } });
    await deliver(named);
    expect(named.api.all<DocumentReference>('DocumentReference')[0]?.author).toEqual([
      { reference: 'Practitioner/d2', display: 'Riley Okafor, MA' },
    ]);
  });

  test('the requester is named as sender where both are one, else as the request names the prescriber', async () => {
    const provider = { provider: { first_name: 'Ines', last_name: 'Quill' } };
    const own = aRequest(aCase(at('processing', provider)));
    await deliver(own);
    expect(own.api.all<Task>('Task')[0]?.requester).toEqual({
      reference: 'Practitioner/d1',
      display: 'Dr. Deva Loper',
    });
    const other = aRequest(aCase({ ...at('processing', provider), prescriber: 'Practitioner/d7' }));
    await deliver(other);
    expect(other.api.all<Task>('Task')[0]?.requester).toEqual({ reference: 'Practitioner/d7', display: 'Ines Quill' });
    const unnamed = aRequest(aCase({ prescriber: 'Practitioner/d7' }));
    await deliver(unnamed);
    expect(unnamed.api.all<Task>('Task')[0]?.requester).toEqual({ reference: 'Practitioner/d7' });
  });

  test('a sender whom the EHR named without a reference is an author by name; one without a name is none', async () => {
    const named = aRequest(aCase({ ...done, sentBy: { name: 'Riley Okafor, MA' } }));
    await deliver(named);
    expect(named.api.all<DocumentReference>('DocumentReference')[0]?.author).toEqual([{ display: 'Riley Okafor, MA' }]);
    const unnamed = aRequest(aCase({ ...done, sentBy: {} }));
    await deliver(unnamed);
    expect(unnamed.api.all<DocumentReference>('DocumentReference')[0]?.author).toEqual([
      { display: 'prior-auth-bridge' },
    ]);
  });
});

describe('letters', () => {
  test('a revised outcome is a new letter that replaces the old one [G15]', async () => {
    const request = aRequest(aCase(done));
    await deliver(request);
    const revised = later(request, at('completed', approval));
    await deliver(revised);
    const letters = request.api.all<DocumentReference>('DocumentReference');
    expect(letters).toHaveLength(2);
    expect(letters[1]?.relatesTo).toEqual([{ code: 'replaces', target: { reference: 'DocumentReference/1' } }]);
    expect(request.api.all<Task>('Task')[0]).toMatchObject({ businessStatus: { text: 'Approved' } });
    expect(request.api.all<Task>('Task')[0]?.output).toContainEqual({
      type: { text: 'Letter' },
      valueReference: { reference: `DocumentReference/${letters[1]?.id}` },
    });
  });

  test('the payer’s own letter is a second document, byte for byte', async () => {
    const determination = Buffer.from('%PDF-1.4 determination');
    const request = aRequest(aCase(done), { letters: [determination] });
    await deliver(request);
    const documents = request.api.all<DocumentReference>('DocumentReference');
    expect(documents).toHaveLength(2);
    expect(Buffer.from(documents[1]?.content[0]?.attachment.data ?? '', 'base64')).toEqual(determination);
    expect(request.api.all<Task>('Task')[0]?.output?.map((output) => output.type.text)).toContain(
      'Letter of the payer',
    );
  });

  test('title and type tell the summary from the payer’s letter, and name drug, result and day', async () => {
    const request = aRequest(aCase({ ...at('completed', approval), title: 'Humira 40 mg/0.4 mL' }), {
      letters: [Buffer.from('%PDF-1.4 determination')],
    });
    await deliver(request);
    const [summary, letter] = request.api.all<DocumentReference>('DocumentReference');
    expect(summary?.type).toEqual({
      coding: [{ system: 'http://loinc.org', code: '51851-4', display: 'Administrative note' }],
      text: 'Prior authorization summary',
    });
    expect(summary?.content[0]?.attachment.title).toBe('PA summary: Humira, approved 11/21/2026');
    expect(summary?.description).toBe(
      'Prior authorization: Humira 40 mg/0.4 mL, Approved (Nov 21, 2026). Reference pa_1. Written by ' +
        'prior-auth-bridge on behalf of Dr. Deva Loper from the record of the prior authorization service. It was ' +
        'not reviewed by a clinician.',
    );
    expect(letter?.type).toEqual({
      coding: [{ system: 'http://loinc.org', code: '52034-6', display: 'Payer letter' }],
      text: 'Payer letter',
    });
    expect(letter?.content[0]?.attachment.title).toBe('PA letter: Humira, approved 11/21/2026');
    expect(letter?.description).toContain(
      'Payer’s letter on prior authorization: Humira 40 mg/0.4 mL, Approved (Nov 21, 2026)',
    );
    expect(letter?.description).toContain('The payer’s own letter, unchanged');
    expect(letter?.description).not.toContain('Written by');
  });

  test.each<readonly [string, Partial<DocumentReference>]>([
    ['identifiers and hashes', {}],
    ['identifiers, hashes and descriptions', { description: undefined } as object],
  ])(
    'an EHR that drops %s: another request’s letter for the drug is not taken for this one',
    async (_what, dropped) => {
      const api = fakeEhr({ dropsIdentifiers: true, searchParams: ['patient'], offers: { DocumentReference: every } });
      const one = aRequest(aCase(at('completed', approval)), { api });
      await deliver(one);
      for (const [key, document] of api.resources) {
        const { attachment } = (document as DocumentReference).content[0]!;
        api.resources.set(key, {
          ...document,
          ...dropped,
          content: [{ attachment: { ...attachment, hash: undefined } }],
        } as unknown as DocumentReference);
      }
      await deliver(
        aRequest(
          aCase({ ...at('completed', approval), id: '11111111-1111-4111-8111-111111111111', serviceId: 'pa_12' }),
          {
            api,
          },
        ),
      );
      expect(api.all('DocumentReference')).toHaveLength(2);
    },
  );

  test('the payer’s own letter is tried again like ours', async () => {
    const determination = Buffer.from('%PDF-1.4 determination');
    const request = aRequest(aCase(done), { letters: [determination] });
    request.api.next.set('search DocumentReference', ['ok', fails('ehr_unreachable')]);
    expect(await deliver(request)).toHaveProperty('again');
    const next = { ...later(request, {}), letters: [determination] };
    expect(outstanding(next.site, next.facts)).toMatchObject([{ what: 'determination', state: 'planned' }]);
    await deliver(next);
    expect(request.api.all('DocumentReference')).toHaveLength(2);
    expect(outstanding(next.site, { ...next.facts, writes: next.ledger() })).toEqual([]);
  });

  test('an expiry on a denial is written nowhere [F13]', async () => {
    const request = aRequest(
      aCase(at('completed', { ...denial, outcome: { ...denial.outcome, authorization_expiration: '2031-01-01' } })),
    );
    await deliver(request);
    expect(JSON.stringify(request.api.all('Task'))).not.toContain('2031');
  });
});
