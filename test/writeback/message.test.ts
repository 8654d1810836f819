import type { Communication } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { BridgeError } from '../../src/core/errors.ts';
import { holdUp } from '../../src/writeback/attempt.ts';
import { retractLetter } from '../../src/writeback/retract.ts';
import { type Chart, aChart as chartOf } from './chart.ts';
import { aCase, approval, at, denial } from './support.ts';

// Communication: the channel below the documents.

const done = at('completed', denial);
const every = ['create', 'read', 'search-type', 'update'];
const messages = ['communication', 'worklist'] as const;
const both = ['document', 'communication', 'worklist'] as const;

const aChart = (channels: readonly string[], options: Parameters<typeof chartOf>[1] = {}, letters: Uint8Array[] = []) =>
  chartOf(aCase(done), options, undefined, letters, channels);
const open = ({ rows }: Chart) => rows.filter(({ state }) => ['planned', 'waiting', 'unknown'].includes(state));
const live = ({ ehr }: Chart) => ehr.live<Communication>('Communication');
const fails = (code: 'ehr_error' | 'ehr_forbidden' | 'ehr_write_refused', http: number) =>
  new BridgeError(code, { http });

/** As a delivery that has no token. */
async function wait(chart: Chart): Promise<void> {
  const request = chart.request();
  await holdUp(request, { verdict: 'wait', reason: 'next launch' });
  chart.change({ writes: request.ledger() });
}

test('one that waited for a launch leaves nothing waiting once it is in the chart', async () => {
  const chart = aChart(messages);
  await wait(chart);
  expect(chart.rows).toMatchObject([{ what: 'communication', state: 'waiting', reason: 'next launch' }]);
  await chart.settle();
  expect(live(chart)).toHaveLength(1);
  expect(open(chart)).toEqual([]);
});

test('says when the outcome came, for whom, about which order, and who it is for', async () => {
  const chart = aChart(messages);
  await chart.settle();
  expect(live(chart)).toMatchObject([
    {
      status: 'completed',
      sent: '2026-11-21T09:30:00.000Z',
      subject: { reference: 'Patient/p1' },
      about: [{ reference: 'MedicationRequest/m1' }],
      encounter: { reference: 'Encounter/e1' },
      recipient: [{ reference: 'Practitioner/d1' }],
    },
  ]);
  const { encounter: _, prescriber: __, ...bare } = aCase(done);
  const without = chartOf(bare, {}, undefined, [], messages);
  await without.settle();
  expect(Object.keys(live(without)[0] ?? {})).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/encounter|recipient|inResponseTo/)]),
  );
});

test('where the document that waited cannot be made after all, its row says how the outcome went', async () => {
  const chart = aChart(both, { offers: { Communication: every } });
  await wait(chart);
  expect(chart.rows).toMatchObject([{ what: 'document', state: 'waiting' }]);
  await chart.settle();
  expect(chart.rows.filter(({ what }) => what !== 'task')).toMatchObject([
    { what: 'communication', state: 'done' },
    { what: 'document', state: 'skipped', reason: 'the EHR offers no DocumentReference.create; it goes as a message' },
  ]);
});

test('behind a refused document it is tried again until the EHR can take it', async () => {
  const chart = aChart(both);
  chart.ehr.next.set('create DocumentReference', [fails('ehr_forbidden', 403)]);
  chart.ehr.next.set('create Communication', [fails('ehr_error', 429)]);
  await chart.settle();
  expect(live(chart)).toHaveLength(1);
  expect(open(chart)).toEqual([]);
  expect(chart.ehr.calls.filter((call) => call === 'create DocumentReference')).toHaveLength(1);
});

test('behind a refused document, one whose answer was lost is looked for and written once more', async () => {
  const chart = aChart(both);
  chart.ehr.next.set('create DocumentReference', [fails('ehr_forbidden', 403)]);
  chart.ehr.next.set('create Communication', ['lost-before']);
  await chart.settle();
  expect(live(chart)).toHaveLength(1);
  expect(open(chart)).toEqual([]);
});

test('is known by its text where the EHR drops identifiers', async () => {
  const chart = aChart(messages, { dropsIdentifiers: true, searchParams: ['patient'] });
  chart.ehr.next.set('create Communication', ['lost-after']);
  await chart.settle();
  expect(live(chart)).toHaveLength(1);
  expect(chart.rows.find(({ what }) => what === 'communication')).toMatchObject({ state: 'done' });
});

test('is not known by its text in another patient’s chart, or about another order', async () => {
  const chart = aChart(messages, { dropsIdentifiers: true, searchParams: ['patient'] });
  await chart.settle();
  const [own] = live(chart);
  chart.ehr.resources.set('Communication/1', {
    ...own!,
    id: '1',
    about: [{ reference: 'MedicationRequest/m2' }],
  } as Communication);
  chart.change({ writes: [] });
  await chart.settle();
  expect(live(chart)).toHaveLength(2);
});

test('a second copy that came late is marked as entered in error', async () => {
  const chart = aChart(messages);
  chart.ehr.next.set('create Communication', [{ lateBy: 700 }]);
  await chart.settle();
  expect(chart.ehr.all<Communication>('Communication')).toHaveLength(2);
  expect(live(chart)).toHaveLength(1);
});

test('a changed outcome is a message of its own, which answers the first', async () => {
  const chart = aChart(messages);
  await chart.settle();
  chart.change(at('completed', approval));
  await chart.settle();
  const [first, second] = live(chart);
  expect(second?.inResponseTo).toEqual([{ reference: `Communication/${first?.id}` }]);
  expect(second?.payload?.[0]?.contentString).toContain('Approved');
  expect(first?.inResponseTo).toBeUndefined();
});

test('one that a person finds wrong is marked, and is not written again', async () => {
  const chart = aChart(messages);
  await chart.settle();
  const reference = chart.rows[0]?.reference ?? '';
  const request = chart.request();
  expect(await retractLetter(request, reference)).toMatchObject({ what: 'communication', state: 'retracted' });
  chart.change({ writes: request.ledger() });
  await chart.settle();
  expect(live(chart)).toEqual([]);
});

describe('the payer’s own letter, where only messages are taken', () => {
  test('stays on the case page, and nothing is tried for it', async () => {
    const chart = aChart(messages, {}, [Buffer.from('%PDF-1.4 letter')]);
    expect(await chart.deliver()).not.toHaveProperty('again');
    expect(chart.rows.find(({ what }) => what === 'determination')).toMatchObject({
      state: 'skipped',
      reason: 'the site asks for no DocumentReference; the letter is on the case page',
    });
  });
});

describe('the worklist alone', () => {
  const letter = Buffer.from('%PDF-1.4 letter');

  test('asks nothing of the EHR, and the ledger says that the letters are to be filed by hand', async () => {
    const chart = aChart(['worklist'], {}, [letter]);
    await chart.settle();
    expect(chart.ehr.calls).toEqual([]);
    expect(chart.rows).toMatchObject([
      {
        what: 'document',
        state: 'skipped',
        reason: 'this site writes nothing to the chart; the letter is on the case page',
      },
      { what: 'determination', state: 'skipped' },
    ]);
  });

  test('says so again of another outcome', async () => {
    const chart = aChart(['worklist']);
    await chart.settle();
    chart.change(at('completed', approval));
    await chart.settle();
    expect(chart.rows.filter(({ what }) => what === 'document')).toHaveLength(2);
  });

  test('has nothing to say of a request under way', async () => {
    const chart = chartOf(aCase(at('awaiting_outcome')), {}, undefined, [], ['worklist']);
    await chart.settle();
    expect(chart.rows).toEqual([]);
  });
});
