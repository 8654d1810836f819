import type { DocumentReference, Resource, Task } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { BridgeError } from '../../src/core/errors.ts';
import { deliver } from '../../src/writeback/deliver.ts';
import { askedAgain, type LedgerEntry, rowOf, toRetract } from '../../src/writeback/ledger.ts';
import { outstanding } from '../../src/writeback/outstanding.ts';
import { retractLetter } from '../../src/writeback/retract.ts';
import type { FakeEhrOptions } from '../support/fake-ehr.ts';
import { aChart, type Chart } from './chart.ts';
import { aCase, at, denial } from './support.ts';

const done = at('completed', denial);
const every = ['create', 'read', 'search-type', 'update'];
const readOnly = ['create', 'read', 'search-type'];
const doubles = (rows: readonly LedgerEntry[]) => rows.filter(({ what }) => what === 'double');

/** An EHR that stores the first letter and the first Task later than the bridge looks: both are written twice. */
async function writtenTwice(options: FakeEhrOptions = {}): Promise<Chart> {
  const chart = aChart(aCase(done), options);
  chart.ehr.next.set('create DocumentReference', [{ lateBy: 700 }]);
  chart.ehr.next.set('create Task', [{ lateBy: 700 }]);
  await chart.settle();
  return chart;
}

describe('a write that comes after the bridge has written again [S2]', () => {
  test('the second copy of a letter and of a Task is marked as entered in error', async () => {
    const chart = await writtenTwice();
    expect(chart.ehr.all('DocumentReference')).toHaveLength(2);
    expect(chart.ehr.all('Task')).toHaveLength(2);
    const [letter] = chart.ehr.live<DocumentReference>('DocumentReference');
    expect(chart.ehr.live('DocumentReference')).toHaveLength(1);
    const [task] = chart.ehr.live<Task>('Task');
    expect(chart.ehr.live('Task')).toHaveLength(1);
    expect(task?.output).toContainEqual({
      type: { text: 'Letter' },
      valueReference: { reference: `DocumentReference/${letter?.id}` },
    });
    expect(rowOf(chart.rows, 'document')).toMatchObject({
      state: 'done',
      reference: `DocumentReference/${letter?.id}`,
    });
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'done', reference: `Task/${task?.id}` });
    expect(doubles(chart.rows)).toMatchObject([{ state: 'retracted' }, { state: 'retracted' }]);
    expect(outstanding(chart.request().site, chart.facts())).toEqual([]);
  });

  test('a document of the chart that holds nothing is not taken for the letter', async () => {
    const chart = aChart(aCase(done), { searchParams: ['patient'] });
    const subject = { reference: 'Patient/p1' };
    const empty = { resourceType: 'DocumentReference', id: 'empty', status: 'current', subject };
    chart.ehr.resources.set('DocumentReference/empty', empty as Resource);
    await chart.settle();
    expect(rowOf(chart.rows, 'document')).toMatchObject({ state: 'done' });
    expect(rowOf(chart.rows, 'document')?.reference).not.toBe('DocumentReference/empty');
  });

  test('a person who asks every ten minutes for an update that cannot be made puts no look off', async () => {
    const chart = aChart(aCase(), { offers: { Task: readOnly, DocumentReference: readOnly } });
    chart.ehr.next.set('create Task', ['lost-before']);
    await chart.until(601);
    chart.change(done);
    await chart.deliver();
    expect(rowOf(chart.rows, 'task')).toMatchObject({ state: 'skipped', looks: 3 });
    for (let asked = 0; asked < 12; asked += 1) {
      chart.clock.forward(600);
      await chart.deliver(askedAgain(chart.rows, chart.clock().toISOString()));
    }
    expect(rowOf(chart.rows, 'task')).not.toHaveProperty('looks');
    expect(outstanding(chart.request().site, chart.facts())).toEqual([]);
  });

  test('twenty minutes and an hour after the second write, and not again', async () => {
    const chart = aChart(aCase(done));
    chart.ehr.next.set('create DocumentReference', ['lost-before']);
    await chart.until(601);
    const searches = () => chart.ehr.calls.filter((call) => call === 'search DocumentReference').length;
    const before = searches();
    await chart.until(1_799);
    expect(searches()).toBe(before);
    await chart.until(1_801);
    expect(searches()).toBe(before + 1);
    await chart.until(4_199);
    expect(searches()).toBe(before + 1);
    await chart.until(4_202);
    expect(searches()).toBe(before + 2);
    await chart.until(100_000);
    expect(searches()).toBe(before + 2);
  });

  test('a search that shows the second copy twenty minutes later, and the first one only after that', async () => {
    // stored after 700 s, and shown 1150 s later: the look after 1800 s sees the chart as it was after 650 s
    const chart = aChart(aCase(done), { searchLag: 1150 });
    chart.ehr.next.set('create DocumentReference', [{ lateBy: 700 }]);
    await chart.settle();
    expect(chart.ehr.all('DocumentReference')).toHaveLength(2);
    expect(chart.ehr.live('DocumentReference')).toHaveLength(1);
    expect(doubles(chart.rows)).toMatchObject([{ state: 'retracted' }]);
  });

  test('a search that does not show the known copy either is asked again', async () => {
    const chart = aChart(aCase(done), { searchLag: 1500 });
    chart.ehr.next.set('create DocumentReference', [{ lateBy: 650 }]);
    await chart.settle();
    expect(chart.ehr.all('DocumentReference')).toHaveLength(2);
    expect(chart.ehr.live('DocumentReference')).toHaveLength(1);
  });

  test.each([
    ['by patch where it offers no update', ['create', 'read', 'search-type', 'patch'], 'patch Task'],
    ['by removing it where it offers neither', ['create', 'read', 'search-type', 'delete'], 'delete Task'],
  ])('%s', async (_name, interactions, call) => {
    const chart = await writtenTwice({ offers: { Task: interactions, DocumentReference: interactions } });
    expect(chart.ehr.live('Task')).toHaveLength(1);
    expect(chart.ehr.live('DocumentReference')).toHaveLength(1);
    expect(chart.ehr.calls).toContain(call);
  });

  test('an EHR that lets it neither be updated nor removed: a person is told', async () => {
    const chart = await writtenTwice({ offers: { Task: every, DocumentReference: readOnly } });
    expect(chart.ehr.live('DocumentReference')).toHaveLength(2);
    expect(doubles(chart.rows).find(({ version }) => version.startsWith('Document'))).toMatchObject({
      state: 'failed',
      reason:
        'a second copy: mark DocumentReference/3 as entered in error in the EHR: it does not let the bridge do it ' +
        '(no DocumentReference.update, DocumentReference.patch or DocumentReference.delete)',
    });
  });

  test('an answer that is lost while it is retracted: settled by reading', async () => {
    const chart = aChart(aCase(done));
    chart.ehr.next.set('create DocumentReference', [{ lateBy: 700 }]);
    chart.ehr.next.set('update DocumentReference', ['lost-after']);
    await chart.settle();
    expect(chart.ehr.live('DocumentReference')).toHaveLength(1);
    expect(doubles(chart.rows)).toMatchObject([{ state: 'retracted' }]);
    expect(chart.ehr.calls.filter((call) => call === 'update DocumentReference')).toHaveLength(1);
  });

  test('two deliveries of one case that both wrote end with one letter and one Task', async () => {
    const chart = aChart(aCase(done));
    // The first is stopped after its POST, whose row is in flight; the EHR takes a quarter of an hour to store it.
    chart.ehr.next.set('create DocumentReference', [{ lateBy: 900 }]);
    const stopped = chart.request();
    const kept: LedgerEntry[] = [];
    const save = async (entry: LedgerEntry) => {
      if (entry.state !== 'in_flight') throw new Error('stopped');
      kept.push(entry);
    };
    await expect(deliver({ ...stopped, save })).rejects.toThrow('stopped');
    expect(kept).toMatchObject([{ what: 'document', state: 'in_flight' }]);
    chart.change({ writes: kept });
    await chart.settle();
    expect(chart.ehr.all('DocumentReference')).toHaveLength(2);
    expect(chart.ehr.live('DocumentReference')).toHaveLength(1);
    expect(chart.ehr.live('Task')).toHaveLength(1);
  });
});

describe('what is not certainly ours stays', () => {
  test('a copy with our identifier and other bytes is shown to a person', async () => {
    const chart = aChart(aCase(done));
    chart.ehr.next.set('create DocumentReference', ['lost-before']);
    await chart.until(601);
    const [letter] = chart.ehr.all<DocumentReference>('DocumentReference');
    const [content] = letter!.content;
    const changed = { ...content!, attachment: { ...content!.attachment, hash: 'b3RoZXIgYnl0ZXM=' } };
    chart.ehr.resources.set('DocumentReference/77', { ...letter!, id: '77', content: [changed] } as DocumentReference);
    await chart.settle();
    expect(chart.ehr.live('DocumentReference')).toHaveLength(2);
    expect(doubles(chart.rows)).toMatchObject([
      { reference: 'DocumentReference/77', state: 'failed', reason: expect.stringContaining('a second copy of') },
    ]);
  });

  test.each([['identifier', 'patient'], ['patient']])(
    'an EHR that drops identifiers, searched by %s: a person is told of the second letter',
    async (...searchParams) => {
      const offers = { DocumentReference: every };
      const chart = aChart(aCase(done), { dropsIdentifiers: true, searchParams, offers });
      chart.ehr.next.set('create DocumentReference', [{ lateBy: 700 }]);
      await chart.settle();
      expect(chart.ehr.live('DocumentReference')).toHaveLength(2);
      expect(doubles(chart.rows)).toMatchObject([
        { state: 'failed', reason: expect.stringContaining('a second copy of') },
      ]);
    },
  );

  test('a copy in the chart of another patient is not even seen', async () => {
    const chart = aChart(aCase());
    chart.ehr.next.set('create Task', ['lost-before']);
    await chart.until(601);
    const [task] = chart.ehr.all<Task>('Task');
    chart.ehr.resources.set('Task/77', { ...task!, id: '77', for: { reference: 'Patient/other' } } as Task);
    await chart.settle();
    expect(chart.ehr.live('Task')).toHaveLength(2);
    expect(doubles(chart.rows)).toEqual([]);
  });

  test('a copy that names another patient by the time it is read is not changed', async () => {
    const chart = aChart(aCase());
    chart.ehr.next.set('create Task', [{ lateBy: 700 }]);
    const { readVersion } = chart.ehr;
    chart.ehr.readVersion = async <T extends Resource>(type: T['resourceType'], id: string) => {
      const found = await readVersion<T>(type, id);
      const other = { reference: 'Patient/other' };
      return found === undefined ? undefined : { ...found, resource: { ...found.resource, for: other } };
    };
    await chart.settle();
    expect(chart.ehr.live('Task')).toHaveLength(2);
    expect(doubles(chart.rows)).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('another patient') },
    ]);
  });
});

describe('a letter that a person finds wrong [G16]', () => {
  async function delivered(options: FakeEhrOptions = {}): Promise<Chart & { readonly letter: string }> {
    const chart = aChart(aCase(done), options);
    await chart.settle();
    return Object.assign(chart, { letter: rowOf(chart.rows, 'document')?.reference ?? '' });
  }

  /** As the case page does it: the row is stored, and the chart is brought up to date. */
  async function retract(chart: Chart & { readonly letter: string }): Promise<LedgerEntry> {
    const request = chart.request();
    const row = await retractLetter(request, chart.letter);
    chart.change({ writes: request.ledger() });
    await chart.settle();
    return row;
  }

  test('is marked as entered in error, alone, and is not written again', async () => {
    const chart = await delivered();
    chart.ehr.resources.set('DocumentReference/50', {
      ...chart.ehr.all<DocumentReference>('DocumentReference')[0]!,
      id: '50',
      identifier: [{ system: 'urn:ehr', value: '50' }],
    } as DocumentReference);
    expect(await retract(chart)).toMatchObject({ state: 'retracted' });
    expect(chart.ehr.live<DocumentReference>('DocumentReference').map(({ id }) => id)).toEqual(['50']);
    expect(chart.ehr.all('DocumentReference')).toHaveLength(2);
    expect(outstanding(chart.request().site, chart.facts())).toEqual([]);
  });

  test('the Task does not point to it any more', async () => {
    const chart = await delivered();
    await retract(chart);
    const [task] = chart.ehr.all<Task>('Task');
    expect(task?.output?.map(({ type }) => type.text)).not.toContain('Letter');
    expect(task?.output?.map(({ type }) => type.text)).toContain('Outcome');
  });

  test('a later outcome has a letter again', async () => {
    const chart = await delivered();
    await retract(chart);
    chart.change(at('completed', { outcome: { result: 'Approved', detail_code: 'approval' } }));
    await chart.settle();
    expect(chart.ehr.live('DocumentReference')).toHaveLength(1);
  });

  test('an EHR that does not let it be: the row says what to do by hand', async () => {
    const chart = await delivered({ offers: { Task: every, DocumentReference: readOnly } });
    expect(await retract(chart)).toMatchObject({
      state: 'done',
      reason: expect.stringMatching(/^mark DocumentReference\/1 as entered in error in the EHR: /),
    });
    expect(chart.ehr.live('DocumentReference')).toHaveLength(1);
  });

  test('an EHR that cannot be reached: the person learns it, and the ledger stays', async () => {
    const chart = await delivered();
    chart.ehr.next.set('read DocumentReference', [new BridgeError('ehr_unreachable')]);
    await expect(retractLetter(chart.request(), chart.letter)).rejects.toMatchObject({ code: 'ehr_unreachable' });
    expect(rowOf(chart.rows, 'document')).toMatchObject({ state: 'done' });
  });

  test.each(['DocumentReference/999', 'Task/2'])('%s is no letter of this case', async (reference) => {
    const chart = await delivered();
    await expect(retractLetter(chart.request(), reference)).rejects.toMatchObject({ code: 'bad_request' });
    expect(chart.ehr.calls.some((call) => call.startsWith('update'))).toBe(false);
  });

  test('somebody in the EHR was faster: the bridge takes note and does not write it again', async () => {
    const chart = aChart(aCase(done));
    chart.ehr.next.set('create DocumentReference', ['lost-after']);
    chart.ehr.next.set('search DocumentReference', ['ok', new BridgeError('ehr_unreachable')]);
    await chart.deliver();
    const [letter] = chart.ehr.all<DocumentReference>('DocumentReference');
    chart.ehr.resources.set(`DocumentReference/${letter?.id}`, { ...letter!, status: 'entered-in-error' } as never);
    await chart.settle();
    expect(rowOf(chart.rows, 'document')).toMatchObject({
      state: 'retracted',
      reason: 'marked as entered in error in the EHR',
    });
    expect(chart.ehr.all('DocumentReference')).toHaveLength(1);
  });
});

test('a Task that is not found is written again ten minutes after it was missed, not after the write', async () => {
  const chart = aChart(aCase());
  await chart.deliver();
  chart.clock.forward(500);
  const [task] = chart.ehr.all<Task>('Task');
  chart.ehr.resources.delete(`Task/${task!.id}`);
  chart.change(at('awaiting_outcome'));
  await chart.deliver();
  await chart.until(1000);
  expect(chart.ehr.all('Task')).toEqual([]);
  await chart.until(3600);
  expect(chart.ehr.live<Task>('Task')).toMatchObject([{ status: 'in-progress' }]);
});

test('a copy that the bridge has marked is no answer to whether a Task that is gone stands in the chart', async () => {
  const chart = aChart(aCase());
  await chart.settle();
  const [task] = chart.ehr.all<Task>('Task');
  chart.ehr.resources.set('Task/99', { ...task!, id: '99', status: 'entered-in-error' } as Task);
  const at99: LedgerEntry = { ...toRetract('Task/99', chart.clock().toISOString()), state: 'retracted', attempts: 1 };
  chart.ehr.resources.delete('Task/1');
  chart.change({ ...at('awaiting_outcome'), writes: [...chart.rows, at99] });
  await chart.settle();
  await chart.until(3600);
  expect(chart.ehr.live<Task>('Task')).toMatchObject([{ status: 'in-progress' }]);
});
