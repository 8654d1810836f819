import type { DocumentReference, Task } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { fhirProblems } from '../support/fhir-validate.ts';
import { aChart } from './chart.ts';
import { aCase, at, denial } from './support.ts';

/** A clock that was set back between the two: the later event has the earlier time. */
const sentAt = '2026-11-21T10:00:00.000Z';
const before = '2026-11-21T09:00:00.000Z';

describe('where the clock was set back after a request was sent', () => {
  test.each([
    ['under way', at('awaiting_outcome')],
    ['ended', at('completed', denial)],
    ['canceled', at('cancelled')],
  ])('a Task of a request that is %s was not changed before it was authored (inv-1)', async (_, state) => {
    const chart = aChart(aCase({ ...state, sentAt, changedAt: before }));
    await chart.settle();
    const [task] = chart.ehr.live<Task>('Task');
    expect(task).toMatchObject({ authoredOn: sentAt, lastModified: sentAt });
    expect(fhirProblems(task ?? {})).toEqual([]);
  });

  test('neither was one that is brought up to date', async () => {
    const chart = aChart(aCase({ sentAt, changedAt: sentAt }));
    await chart.settle();
    chart.change({ ...at('completed', denial), changedAt: before });
    await chart.settle();
    expect(chart.ehr.live<Task>('Task')).toMatchObject([
      { status: 'completed', authoredOn: sentAt, lastModified: sentAt },
    ]);
  });

  test('neither was one that the EHR says to have been authored later', async () => {
    const chart = aChart(aCase({ sentAt: before, changedAt: before }));
    await chart.settle();
    const [task] = chart.ehr.live<Task>('Task');
    if (task !== undefined) task.authoredOn = sentAt;
    chart.change({ ...at('completed', denial), changedAt: before });
    await chart.settle();
    expect(chart.ehr.live<Task>('Task')).toMatchObject([
      { status: 'completed', authoredOn: sentAt, lastModified: sentAt },
    ]);
  });

  test('neither was the one that tells the end beside a Task that cannot be changed', async () => {
    const ehr = { offers: { Task: ['create', 'read', 'search-type'] } } as const;
    const chart = aChart(aCase({ sentAt, changedAt: sentAt }), ehr);
    await chart.settle();
    chart.change({ ...at('cancelled'), changedAt: before });
    await chart.settle();
    const closing = chart.ehr.live<Task>('Task').find(({ status }) => status === 'cancelled');
    expect(closing).toMatchObject({ authoredOn: sentAt, lastModified: sentAt });
  });

  test('the period of a document does not end before it begins (per-1)', async () => {
    const chart = aChart(aCase({ ...at('completed', denial), sentAt, changedAt: before }));
    await chart.settle();
    const [letter] = chart.ehr.live<DocumentReference>('DocumentReference');
    expect(letter?.context?.period).toEqual({ start: sentAt, end: sentAt });
  });
});
