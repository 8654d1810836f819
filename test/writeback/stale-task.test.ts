import type { DocumentReference, Task } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { BridgeError } from '../../src/core/errors.ts';
import { rowOf, staleTask } from '../../src/writeback/ledger.ts';
import { outstanding } from '../../src/writeback/outstanding.ts';
import type { FakeEhrOptions } from '../support/fake-ehr.ts';
import { fhirProblems } from '../support/fhir-validate.ts';
import { aChart, type Chart } from './chart.ts';
import { aCase, approval, at, bridgeUrl, denial } from './support.ts';

const denied = at('completed', denial);
const documents = ['create', 'read', 'search-type', 'update'];
const readOnly = ['create', 'read', 'search-type'];

function refusal(http: number): BridgeError {
  return new BridgeError(http === 403 ? 'ehr_forbidden' : 'ehr_write_refused', { http });
}

/** A case whose Task stands in the chart as the service works on it. */
async function underWay(offers: readonly string[], options: FakeEhrOptions = {}): Promise<Chart> {
  const chart = aChart(aCase(at('awaiting_outcome')), {
    offers: { Task: offers, DocumentReference: documents },
    ...options,
  });
  await chart.settle();
  return chart;
}

const tasks = (chart: Chart) => chart.ehr.all<Task>('Task');
const ledger = (chart: Chart) => rowOf(chart.rows, 'task');

describe('a Task that the EHR does not let be updated [S29]', () => {
  test('is patched where the EHR offers that', async () => {
    const chart = await underWay(['create', 'read', 'search-type', 'patch']);
    chart.change(denied);
    expect(await chart.settle()).not.toHaveProperty('stale');
    expect(tasks(chart)).toMatchObject([
      { id: '1', status: 'completed', businessStatus: { text: 'Denied: step therapy criteria not met' } },
    ]);
    expect(chart.ehr.calls).not.toContain('update Task');
    expect(ledger(chart)).toMatchObject({ state: 'done' });
  });

  test.each([403, 405, 422])('is patched where the EHR answers an update with %i', async (http) => {
    const chart = await underWay(['create', 'read', 'search-type', 'update', 'patch']);
    chart.ehr.next.set('update Task', [refusal(http), refusal(http)]);
    chart.change(denied);
    await chart.settle();
    expect(tasks(chart)).toMatchObject([{ status: 'completed' }]);
    expect(chart.ehr.calls.filter((call) => call === 'patch Task')).toHaveLength(1);
  });

  test('a patch changes what differs, and leaves what others wrote', async () => {
    const chart = await underWay(['create', 'read', 'search-type', 'patch']);
    chart.ehr.resources.set('Task/1', { ...tasks(chart)[0]!, note: [{ text: 'called' }] } as Task);
    chart.change(at('cancelled'));
    await chart.settle();
    expect(tasks(chart)[0]).toMatchObject({
      status: 'cancelled',
      statusReason: { text: 'Cancelled' },
      note: [{ text: 'called' }],
    });
  });

  test.each([
    ['an answer that came after a failure', at('failed'), at('completed', approval), 'statusReason'],
    ['an answer that came after the cancellation', at('cancelled'), at('completed', approval), 'statusReason'],
    ['a cancellation after the answer', at('completed', approval), at('cancelled'), 'output'],
  ] as const)('a patch takes away what is true no more: %s [E11]', async (_, before, after, gone) => {
    const chart = await underWay(['create', 'read', 'search-type', 'patch']);
    chart.change(before);
    await chart.settle();
    expect(tasks(chart)[0]).toHaveProperty(gone);
    chart.change(after);
    await chart.settle();
    expect(tasks(chart)).toMatchObject([{ id: '1', status: after.record?.status }]);
    expect(tasks(chart)[0]).not.toHaveProperty(gone);
  });

  test('its end stands in a second Task, which names the first', async () => {
    const chart = await underWay(readOnly);
    chart.change(denied);
    const { stale } = await chart.settle();
    const [old, closing] = tasks(chart);
    expect(old).toMatchObject({ id: '1', status: 'in-progress' });
    expect(closing).toMatchObject({
      status: 'completed',
      businessStatus: { text: 'Denied: step therapy criteria not met' },
      partOf: [{ reference: 'Task/1' }],
      description:
        'Prior authorization for adalimumab 40 MG prefilled syringe. ' +
        'Replaces Task/1, which this EHR does not let the bridge update.',
      for: { reference: 'Patient/p1' },
    });
    expect(closing?.identifier?.map(({ system }) => system)).toEqual([
      `${bridgeUrl}/fhir/ns/closing-task`,
      `${bridgeUrl}/fhir/ns/prior-authorization`,
    ]);
    expect(stale).toBe(
      'Task/1 still says Submitted to payer; the EHR does not let the bridge update it ' +
        '(the EHR or the granted scopes allow no Task.update); Task/3 says how it ended',
    );
    expect(staleTask(chart.rows)).toBe(stale);
    expect(ledger(chart)).toMatchObject({ state: 'skipped', reference: 'Task/1' });
    expect(fhirProblems(closing)).toEqual([]);
  });

  test('the second Task is written once, also when a letter comes later', async () => {
    const chart = aChart(
      aCase(at('awaiting_outcome')),
      { offers: { Task: readOnly, DocumentReference: documents } },
      undefined,
      [],
    );
    await chart.settle();
    chart.change(denied);
    await chart.settle();
    const later = aChart(chart.facts(), {}, chart.ehr, [Buffer.from('%PDF-1.4 late letter')]);
    await later.settle();
    await later.settle();
    expect(tasks(later)).toHaveLength(2);
    expect(later.ehr.all('DocumentReference')).toHaveLength(2);
  });

  test('an end that changes: the second Task of the first end is retracted where that is let', async () => {
    const chart = await underWay([...readOnly, 'delete']);
    chart.change(denied);
    await chart.settle();
    chart.change(at('completed', approval));
    await chart.settle();
    expect(tasks(chart).map(({ status, businessStatus }) => [status, businessStatus?.text])).toEqual([
      ['in-progress', 'Submitted to payer'],
      ['completed', 'Approved'],
    ]);
    expect(chart.rows.filter(({ what }) => what === 'double')).toMatchObject([{ state: 'retracted' }]);
  });

  test('where it is not let, a person is told which Task does not count any more', async () => {
    const chart = await underWay(readOnly);
    chart.change(denied);
    await chart.settle();
    chart.change(at('completed', approval));
    await chart.settle();
    expect(tasks(chart)).toHaveLength(3);
    expect(chart.rows.filter(({ what }) => what === 'double')).toMatchObject([
      {
        state: 'failed',
        reason: expect.stringMatching(/^it tells an end that has changed since: mark Task\/3 as entered in error/),
      },
    ]);
    const rows = chart.rows;
    chart.clock.forward(60);
    await chart.deliver();
    expect(chart.rows).toEqual(rows);
  });

  test('one that was never written is not wanted any more when the end changes', async () => {
    const chart = await underWay(readOnly);
    chart.ehr.next.set('create Task', [new BridgeError('ehr_unreachable')]);
    chart.change(denied);
    await chart.deliver();
    chart.change(at('completed', approval));
    await chart.settle();
    expect(chart.rows.filter(({ what }) => what === 'closing-task').map(({ state }) => state)).toEqual([
      'done',
      'skipped',
    ]);
    expect(tasks(chart)).toHaveLength(2);
  });

  test('a request that did not arrive has no second Task: it may be sent again', async () => {
    const chart = aChart(
      aCase({ state: 'unknown' }),
      { offers: { Task: readOnly, DocumentReference: documents } },
      undefined,
      [],
    );
    await chart.settle();
    chart.change({ state: 'draft', notArrived: { left: { sentAt: '2026-11-20T10:00:00.000Z' } } });
    const { stale } = await chart.settle();
    expect(stale).toMatch(/^Task\/1 still says requested; /);
    chart.change({ ...denied, state: 'ended' });
    await chart.settle();
    expect(tasks(chart).map(({ status }) => status)).toEqual(['requested', 'completed']);
  });

  test('an answer to the second Task that is lost is looked for like any other [S2]', async () => {
    const chart = await underWay(readOnly);
    chart.ehr.next.set('create Task', [{ lateBy: 100 }]);
    chart.change(denied);
    const { stale } = await chart.deliver();
    expect(stale).toContain('Task/1 still says Submitted to payer');
    await chart.settle();
    expect(tasks(chart)).toHaveLength(2);
    expect(chart.ehr.calls.filter((call) => call === 'create Task')).toHaveLength(2);
    expect(staleTask(chart.rows)).toContain('says how it ended');
  });

  test('a request that goes on has no second Task: a person is told what the first still says', async () => {
    const chart = await underWay(readOnly);
    chart.change(at('awaiting_provider_response'));
    const { stale, again } = await chart.settle();
    expect(stale).toBe(
      'Task/1 still says Submitted to payer; the EHR does not let the bridge update it ' +
        '(the EHR or the granted scopes allow no Task.update)',
    );
    expect(again).toBeUndefined();
    expect(ledger(chart)).toMatchObject({ state: 'failed' });
    expect(tasks(chart)).toHaveLength(1);
    expect(outstanding(chart.request().site, chart.facts())).toEqual([]);
  });

  test('an EHR that takes no second Task either: the letter says it, and a person is told', async () => {
    const chart = await underWay(readOnly);
    chart.ehr.next.set('create Task', [refusal(405)]);
    chart.change(denied);
    await chart.settle();
    expect(tasks(chart)).toHaveLength(1);
    expect(chart.ehr.all('DocumentReference')).toHaveLength(1);
    expect(ledger(chart)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/^Task\/1 still says Submitted to payer; .*; the letter is in the chart$/),
    });
  });

  test('a scope that was not granted is the reason', async () => {
    const chart = await underWay(documents, { scopes: ['patient/Task.crs', 'patient/DocumentReference.crus'] });
    chart.change(at('cancelled'));
    await chart.settle();
    expect(tasks(chart).map(({ status }) => status)).toEqual(['in-progress', 'cancelled']);
    expect(staleTask(chart.rows)).toContain('Task/2 says how it ended');
  });

  test('what this EHR has refused for good is not asked again at the next state', async () => {
    const chart = await underWay(documents);
    chart.ehr.next.set('update Task', [refusal(405)]);
    chart.change(at('awaiting_provider_response'));
    await chart.settle();
    chart.change(at('awaiting_outcome'));
    await chart.settle();
    expect(chart.ehr.calls.filter((call) => call === 'update Task')).toHaveLength(1);
    // It says again what it has said all the time.
    expect(staleTask(chart.rows)).toBeUndefined();
  });

  test('an EHR that does not let it be read leaves open what it says', async () => {
    const chart = await underWay(['create', 'search-type']);
    chart.change(at('awaiting_provider_response'));
    expect(await chart.settle()).toMatchObject({
      stale: expect.stringMatching(/^Task\/1 may not say how the request/),
    });
  });

  test('words that somebody wrote into the Task do not stand in the ledger', async () => {
    const chart = await underWay(readOnly);
    chart.ehr.resources.set('Task/1', { ...tasks(chart)[0]!, businessStatus: { text: 'Mrs. Sample called' } } as Task);
    chart.change(at('awaiting_provider_response'));
    expect(await chart.settle()).toMatchObject({ stale: expect.stringMatching(/^Task\/1 still says in-progress; /) });
  });

  test('a Task whose end is right and which lacks a reference only is no stale status', async () => {
    const chart = await underWay(documents);
    chart.change(denied);
    await chart.settle();
    chart.ehr.next.set('update Task', [refusal(403)]);
    const later = aChart(chart.facts(), {}, chart.ehr, [Buffer.from('%PDF-1.4 late letter')]);
    await later.settle();
    expect(tasks(later)).toHaveLength(1);
    expect(rowOf(later.rows, 'task')).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(/^Task\/1 does not point to all that was written/),
    });
  });
});

describe('updates that do not go smoothly', () => {
  test('an EHR that refuses every If-Match: it is left out after half a minute', async () => {
    const chart = await underWay(documents, { refusesIfMatch: true });
    chart.change(denied);
    const { again } = await chart.deliver();
    expect(again).toEqual({ seconds: 30 });
    expect(tasks(chart)[0]?.status).toBe('in-progress');
    await chart.settle();
    expect(tasks(chart)).toMatchObject([{ status: 'completed' }]);
  });

  test('400 for If-Match in each spelling: tried without it at once', async () => {
    const chart = await underWay(documents);
    chart.ehr.next.set('update Task', [refusal(400), refusal(400), refusal(400)]);
    chart.change(denied);
    await chart.deliver();
    expect(tasks(chart)).toMatchObject([{ status: 'completed' }]);
    // The one that was taken.
    expect(chart.ehr.bound).toEqual([undefined]);
  });

  test('an EHR without versions is updated all the same [G08]', async () => {
    const chart = await underWay(documents, { withoutVersions: true });
    chart.change(denied);
    await chart.settle();
    expect(tasks(chart)).toMatchObject([{ status: 'completed' }]);
    expect(ledger(chart)).not.toHaveProperty('versionId');
  });

  test.each([
    ['weak ETags that it takes', { etag: 'weak', takes: 'weak' }, ['W/"1"']],
    ['strong ETags', { etag: 'strong', takes: 'strong' }, ['"1"']],
    ['ETags without quotes', { etag: 'bare', takes: 'bare' }, ['1']],
    ['ETags and no meta.versionId', { etag: 'strong', takes: 'strong', hidesVersionId: true }, ['"1"']],
    ['weak ETags that it compares strongly', { etag: 'weak', takes: 'strong' }, ['W/"1"', '"1"']],
    ['meta.versionId alone, compared strongly', { takes: 'strong' }, ['W/"1"', '"1"']],
    ['strong ETags and weak comparison', { etag: 'strong', takes: 'weak' }, ['"1"', 'W/"1"']],
  ] as const)('an EHR that requires If-Match, with %s: one Task, at its end [E1]', async (_, ehr, sent) => {
    const chart = await underWay(documents, { ...ehr, requiresIfMatch: true });
    chart.change(denied);
    await chart.deliver();
    expect(tasks(chart)).toMatchObject([{ id: '1', status: 'completed' }]);
    expect(chart.ehr.bound.slice(0, sent.length)).toEqual(sent);
  });

  test('a version without quotes is tried when nobody has changed the Task for half a minute [E1]', async () => {
    const chart = await underWay(documents, { etag: 'weak', takes: 'bare', requiresIfMatch: true });
    chart.change(denied);
    expect(await chart.deliver()).toMatchObject({ again: { seconds: 30 } });
    expect(chart.ehr.bound).not.toContain('1');
    await chart.settle();
    expect(tasks(chart)).toMatchObject([{ id: '1', status: 'completed' }]);
  });

  test('somebody else was faster: their note stays, whatever spelling the EHR takes [E1]', async () => {
    const chart = await underWay(documents, { etag: 'weak', takes: 'strong', requiresIfMatch: true });
    chart.change(denied);
    const { readVersion } = chart.ehr;
    let isFirst = true;
    Object.assign(chart.ehr, {
      readVersion: async (type: 'Task', id: string) => {
        const read = await readVersion<Task>(type, id);
        if (isFirst && read !== undefined) {
          isFirst = false;
          const meta = { ...read.resource.meta, versionId: '2' };
          chart.ehr.resources.set('Task/1', { ...read.resource, meta, note: [{ text: 'called' }] } as Task);
        }
        return read;
      },
    });
    await chart.settle();
    expect(tasks(chart)).toMatchObject([{ status: 'completed', note: [{ text: 'called' }] }]);
  });

  test('no version is to be had and If-Match is required: the end stands in a second Task [E1]', async () => {
    const chart = await underWay(documents, { hidesVersionId: true, requiresIfMatch: true });
    chart.change(denied);
    const { stale } = await chart.settle();
    expect(tasks(chart)).toMatchObject([{ status: 'in-progress' }, { status: 'completed' }]);
    expect(stale).toMatch(/^Task\/1 still says Submitted to payer; .*HTTP 428.*Task\/\d+ says how it ended$/);
  });

  test('the same where a patch is taken: one Task [E1]', async () => {
    const chart = await underWay([...documents, 'patch'], { hidesVersionId: true });
    chart.ehr.next.set('update Task', [refusal(428)]);
    chart.change(denied);
    await chart.settle();
    expect(tasks(chart)).toMatchObject([{ id: '1', status: 'completed' }]);
  });

  test('conflicts without end: after ten minutes the next way is taken', async () => {
    const chart = await underWay(['create', 'read', 'search-type', 'update', 'patch']);
    chart.ehr.next.set(
      'update Task',
      Array.from({ length: 500 }, () => new BridgeError('ehr_conflict', { http: 409 })),
    );
    chart.change(denied);
    await chart.settle();
    expect(tasks(chart)).toMatchObject([{ status: 'completed' }]);
    expect(chart.clock().getTime() - Date.parse('2026-11-21T10:00:00Z')).toBeLessThan(3_600_000);
  });

  test.each(['lost-after', 'lost-before'] as const)(
    'an update whose answer was %s is settled by reading',
    async (lost) => {
      const chart = await underWay(documents);
      chart.ehr.next.set('update Task', [lost]);
      chart.change(denied);
      await chart.settle();
      expect(tasks(chart)).toMatchObject([{ status: 'completed' }]);
      const sent = chart.ehr.calls.filter((call) => call === 'update Task').length;
      expect(sent).toBe(lost === 'lost-after' ? 1 : 2);
    },
  );

  test('a Task in the chart, and an EHR that makes no new ones any more: it is updated', async () => {
    const chart = await underWay(documents);
    const reason = 'The EHR refused to store the document or task (HTTP 405)';
    chart.request().refusals.note('Task', { caseId: 'another', reason, of: 'site' });
    chart.change(denied);
    await chart.settle();
    expect(tasks(chart)).toMatchObject([{ id: '1', status: 'completed' }]);
  });

  test('the Task names itself absolutely: it is about the same patient', async () => {
    const chart = await underWay(documents);
    chart.ehr.resources.set('Task/1', {
      ...tasks(chart)[0]!,
      for: { reference: 'https://ehr.example/fhir/Patient/p1' },
    } as Task);
    chart.change(denied);
    await chart.settle();
    expect(tasks(chart)).toMatchObject([{ status: 'completed', for: { reference: 'Patient/p1' } }]);
  });
});

test('a Task whose outcome is again what it once was points to the summary of that outcome', async () => {
  const chart = aChart(aCase(denied));
  await chart.settle();
  const first = rowOf(chart.rows, 'document')?.reference;
  chart.change(at('completed', approval));
  await chart.settle();
  chart.change(denied);
  await chart.settle();
  const summaries = tasks(chart)[0]?.output?.flatMap(({ valueReference }) => valueReference?.reference ?? []);
  expect(summaries).toEqual([first]);
});

describe('letters of the payer', () => {
  const letter = Buffer.from('%PDF-1.4 determination');
  const appeal = Buffer.from('%PDF-1.4 appeal');

  test('one that comes after the Task has ended is delivered, and the Task points to it [S17]', async () => {
    const chart = await underWay(documents);
    chart.change(denied);
    await chart.settle();
    expect(outstanding(chart.request().site, chart.facts())).toEqual([]);
    expect(outstanding(chart.request().site, chart.facts(), [letter])).toMatchObject([
      { what: 'determination', state: 'planned' },
    ]);
    const later = aChart(chart.facts(), {}, chart.ehr, [letter]);
    await later.settle();
    expect(tasks(later)[0]?.output?.map(({ type }) => type.text)).toContain('Letter of the payer');
    expect(outstanding(later.request().site, later.facts(), [letter])).toEqual([]);
  });

  test('several stand beside each other, each once, and the Task points to all', async () => {
    const chart = aChart(aCase(at('completed', approval)), {}, undefined, [letter, appeal]);
    await chart.settle();
    await chart.settle();
    const payers = chart.ehr
      .all('DocumentReference')
      .filter(
        (each) => JSON.stringify(each).includes('Letter of the payer') || JSON.stringify(each).includes('52034-6'),
      );
    expect(payers).toHaveLength(2);
    expect(payers.every((each) => !('relatesTo' in each))).toBe(true);
    const outputs = tasks(chart)[0]?.output?.filter(({ type }) => type.text === 'Letter of the payer');
    expect(outputs).toHaveLength(2);
  });

  test('only the last one has the outcome in its title: those before it may have said another', async () => {
    const chart = aChart(aCase(at('completed', approval)), {}, undefined, [letter, appeal]);
    await chart.settle();
    const titleOf = (bytes: Uint8Array) =>
      chart.ehr
        .all<DocumentReference>('DocumentReference')
        .flatMap(({ content }) => content.map(({ attachment }) => attachment))
        .find(({ data }) => data === Buffer.from(bytes).toString('base64'))?.title;
    expect(titleOf(letter)).not.toContain('approved');
    expect(titleOf(appeal)).toContain('approved');
  });

  test('one that stands in the chart already, whoever put it there, is not doubled', async () => {
    const chart = aChart(aCase(denied), {}, undefined, [letter]);
    await chart.settle();
    const uploaded = chart.ehr.all('DocumentReference').find((each) => JSON.stringify(each).includes('52034-6'));
    const other = aChart(aCase(denied), {}, undefined, [letter]);
    const { identifier: _, description: __, ...scan } = uploaded as never as Record<string, unknown>;
    other.ehr.resources.set('DocumentReference/scan', { ...scan, id: 'scan' } as never);
    await other.settle();
    expect(rowOf(other.rows, 'determination')).toMatchObject({ state: 'done', reference: 'DocumentReference/scan' });
    expect(other.ehr.all('DocumentReference')).toHaveLength(2);
  });
});
