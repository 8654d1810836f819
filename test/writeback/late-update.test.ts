import type { Task } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { BridgeError } from '../../src/core/errors.ts';
import { deliver } from '../../src/writeback/deliver.ts';
import { rowOf } from '../../src/writeback/ledger.ts';
import { outstanding } from '../../src/writeback/outstanding.ts';
import type { FakeEhrOptions } from '../support/fake-ehr.ts';
import { aChart, type Chart, slowFirstRead } from './chart.ts';
import { aCase, at, denial } from './support.ts';

const denied = at('completed', denial);
const asked = at('awaiting_provider_response');

/** A case whose Task says that the payer has the request. */
async function underWay(options: FakeEhrOptions = {}): Promise<Chart> {
  const chart = aChart(aCase(at('awaiting_outcome')), options);
  await chart.settle();
  return chart;
}

const statuses = (chart: Chart) => chart.ehr.live<Task>('Task').map(({ status }) => status);

describe('an update of the Task that the EHR takes and makes late', () => {
  test('one that another late update comes before, so that it is never made, is made again', async () => {
    const chart = await underWay();
    chart.ehr.next.set('update Task', [{ shownAfter: 60 }, { shownAfter: 90 }]);
    chart.change(asked);
    await chart.deliver();
    chart.change(denied);
    await chart.settle();
    expect(statuses(chart)).toEqual(['completed']);
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'done' });
    expect(outstanding(chart.request().site, chart.facts())).toEqual([]);
  });

  test('is not said to be in the chart before it is', async () => {
    const chart = await underWay();
    chart.ehr.next.set('update Task', [{ shownAfter: 20 }]);
    chart.change(denied);
    await chart.deliver();
    expect(rowOf(chart.rows, 'task')).toMatchObject({
      state: 'planned',
      reason: 'The EHR took a letter or the change of a task and does not show it',
    });
    await chart.until(40);
    expect(statuses(chart)).toEqual(['completed']);
    expect(chart.ehr.calls.filter((call) => call === 'update Task')).toHaveLength(1);
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'done' });
  });

  test('is brought up again where it came over a newer one, at an EHR that does not look at If-Match', async () => {
    const chart = await underWay({ ignoresIfMatch: true });
    chart.ehr.next.set('update Task', [{ shownAfter: 300 }]);
    chart.change(asked);
    await chart.deliver();
    chart.change(denied);
    await chart.until(310);
    expect(statuses(chart)).toEqual(['on-hold']);
    await chart.settle();
    expect(statuses(chart)).toEqual(['completed']);
    expect(rowOf(chart.rows, 'task')).not.toHaveProperty('looks');
  });

  test('the same for one whose answer was lost', async () => {
    const chart = await underWay({ ignoresIfMatch: true });
    chart.ehr.next.set('update Task', [{ lateBy: 300 }]);
    chart.change(asked);
    await chart.deliver();
    chart.change(denied);
    await chart.settle();
    await chart.until(3600);
    expect(statuses(chart)).toEqual(['completed']);
  });

  test('the same for one that the bridge was stopped over', async () => {
    const chart = await underWay({ ignoresIfMatch: true });
    chart.ehr.next.set('update Task', [{ lateBy: 300 }]);
    chart.change(asked);
    const request = chart.request();
    const save: typeof request.save = async (entry, before) => {
      if (request.saved.length === 1) throw new Error('stopped');
      await request.save(entry, before);
    };
    await expect(deliver({ ...request, save })).rejects.toThrow('stopped');
    expect(request.saved).toMatchObject([{ what: 'task', state: 'in_flight' }]);
    chart.change({ ...denied, writes: request.ledger() });
    await chart.settle();
    await chart.until(3600);
    expect(statuses(chart)).toEqual(['completed']);
  });
});

test('a Task that is shown at once is asked for once more and then left alone', async () => {
  const chart = await underWay();
  const before = chart.ehr.calls.length;
  chart.change(at('cancelled'));
  const { again } = await chart.settle();
  expect(again).toBeUndefined();
  expect(chart.ehr.calls.slice(before)).toEqual(['read Task', 'update Task', 'read Task']);
});

test('an EHR that changes something of what it was given has taken it', async () => {
  const chart = await underWay();
  const { update } = chart.ehr;
  chart.ehr.update = async (resource, condition) => {
    const { businessStatus: _, ...kept } = resource as Task & { id: string };
    return await update(kept, condition);
  };
  chart.change(denied);
  const { again } = await chart.deliver();
  expect(again).toBeUndefined();
  expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'done' });
});

test('an EHR that takes updates and makes none: after ten minutes the end stands in a second Task', async () => {
  const chart = await underWay();
  chart.ehr.next.set('update Task', Array<'ignored'>(50).fill('ignored'));
  chart.change(denied);
  const { stale } = await chart.settle();
  expect(statuses(chart)).toEqual(['in-progress', 'completed']);
  expect(stale).toMatch(
    /^Task\/1 still says Submitted to payer; .*took a letter or the change of a task and does not show it/,
  );
});

describe('a letter that the EHR takes and shows late, where it checks what a Task refers to', () => {
  const strict = { refusesDangling: true };
  const every = ['create', 'read', 'search-type', 'update'];
  const offers = { Task: every, DocumentReference: every };

  test('keeps the Task from its end until it is there, and makes no second Task', async () => {
    const chart = await underWay(strict);
    chart.ehr.next.set('create DocumentReference', [{ shownAfter: 90 }]);
    chart.change(denied);
    await chart.deliver();
    expect(statuses(chart)).toEqual(['in-progress']);
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'planned' });
    await chart.settle();
    expect(statuses(chart)).toEqual(['completed']);
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'done' });
    expect(chart.rows.some(({ what }) => what === 'closing-task')).toBe(false);
  });

  test('keeps a first Task from being written until it is there', async () => {
    const chart = aChart(aCase(denied), strict);
    chart.ehr.next.set('create DocumentReference', [{ shownAfter: 90 }]);
    await chart.settle();
    expect(statuses(chart)).toEqual(['completed']);
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'done' });
  });

  test('is asked for again where the EHR cannot say now whether it is there', async () => {
    const chart = aChart(aCase(denied), strict);
    chart.ehr.next.set('create DocumentReference', [{ shownAfter: 90 }]);
    chart.ehr.next.set('read DocumentReference', [new BridgeError('ehr_error', { http: 500 })]);
    await chart.deliver();
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'planned' });
    await chart.settle();
    expect(statuses(chart)).toEqual(['completed']);
  });

  test.each([
    ['makes', async () => aChart(aCase(denied), strict)],
    ['updates', async () => await underWay(strict)],
    [
      'patches',
      async () => await underWay({ ...strict, offers: { ...offers, Task: [...every.slice(0, 3), 'patch'] } }),
    ],
  ] as const)('one that comes between the refusal and the look at it: the bridge %s the Task', async (_, begun) => {
    const chart = await begun();
    chart.ehr.next.set('create DocumentReference', [{ shownAfter: 90 }]);
    slowFirstRead(chart, 'DocumentReference', 90);
    chart.change(denied);
    await chart.deliver();
    expect(statuses(chart)).toEqual(['completed']);
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'done' });
    expect(chart.rows.some(({ what }) => what === 'closing-task')).toBe(false);
  });

  test('which cannot be asked for before somebody opens the app: the Task waits for that', async () => {
    const chart = aChart(aCase(denied), strict);
    chart.ehr.next.set('create DocumentReference', [{ shownAfter: 90 }]);
    chart.ehr.next.set('read DocumentReference', [new BridgeError('relaunch_required')]);
    await chart.deliver();
    expect(chart.ehr.calls.filter((call) => call === 'create Task')).toHaveLength(1);
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'waiting' });
  });

  test('which the EHR lets nobody read: the Task is sent once more, and what that comes to counts', async () => {
    const chart = aChart(aCase(denied), strict);
    chart.ehr.next.set('create DocumentReference', [{ shownAfter: 90 }]);
    chart.ehr.next.set('read DocumentReference', [new BridgeError('ehr_forbidden', { http: 403 })]);
    await chart.deliver();
    expect(chart.ehr.calls.filter((call) => call === 'create Task')).toHaveLength(2);
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'failed' });
  });

  test('a Task that is refused for itself is left to a person', async () => {
    const chart = aChart(aCase(denied), strict);
    const refused = new BridgeError('ehr_write_refused', { http: 422 });
    chart.ehr.next.set('create Task', [refused, refused]);
    await chart.settle();
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'failed' });
  });
});
