import type { Task } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { merged, showsUpdate } from '../../src/writeback/merge-task.ts';
import { aCase } from './support.ts';

const ours: Task = {
  resourceType: 'Task',
  status: 'in-progress',
  intent: 'order',
  requester: { reference: 'Practitioner/d1' },
  for: { reference: 'Patient/p1' },
  identifier: [{ system: 'urn:ours', value: '1' }],
};
const facts = aCase();

describe('our Task over the one in the chart', () => {
  test('changes nothing where it says the same, whatever the order of its elements', () => {
    const { resourceType, ...rest } = ours;
    expect(merged(facts, { ...rest, resourceType, lastModified: '2026-11-21', meta: { versionId: '3' } }, ours)).toBe(
      undefined,
    );
  });

  test('keeps what the EHR added to a reference, and not a reference to somebody else', () => {
    const known = { reference: 'Practitioner/d1', display: 'Dr. Deva Loper' };
    const current: Task = { ...ours, status: 'requested', requester: known, for: { reference: 'Patient/p2' } };
    expect(merged(facts, current, ours)).toMatchObject({ requester: known, for: { reference: 'Patient/p1' } });
    const { requester: _, ...none } = current;
    expect(merged(facts, none, ours)).toMatchObject({ requester: { reference: 'Practitioner/d1' } });
  });

  test('keeps the identifiers and the outputs of others, and the first time', () => {
    const others = {
      identifier: [{ system: 'urn:theirs', value: '9' }],
      output: [{ type: { text: 'Scan' }, valueString: 'theirs' }],
      authoredOn: '2026-11-20T08:00:00Z',
    };
    expect(merged(facts, { ...ours, ...others }, { ...ours, authoredOn: '2026-11-21T08:00:00Z' })).toMatchObject({
      identifier: expect.arrayContaining([...others.identifier, { system: 'urn:ours', value: '1' }]),
      output: others.output,
      authoredOn: '2026-11-20T08:00:00Z',
    });
  });

  test.each(['completed', 'cancelled', 'entered-in-error'] as const)(
    'leaves one that was ended there: %s',
    (status) => {
      expect(merged(facts, { ...ours, status }, ours)).toBeUndefined();
    },
  );

  test('opens one again that the bridge itself had ended because nothing had arrived', () => {
    const notArrived = { ...facts, notArrived: 'since' } as unknown as typeof facts;
    expect(merged(notArrived, { ...ours, status: 'cancelled' }, ours)?.status).toBe('in-progress');
    const theirs: Task = { ...ours, status: 'cancelled', businessStatus: { text: 'Patient moved' } };
    expect(merged(notArrived, theirs, ours)).toBeUndefined();
  });
});

describe('an update is seen in the Task that is read again', () => {
  const before: Task = { ...ours, status: 'requested' };

  test('where it says what was wanted', () => {
    expect(showsUpdate(facts, before, ours, ours)).toBe(true);
  });

  test('where the status is right and something has changed, though not all is as it was given', () => {
    const changed: Task = { ...before, status: 'in-progress', intent: 'plan' };
    expect(showsUpdate(facts, before, changed, ours)).toBe(true);
    expect(showsUpdate(facts, before, { ...changed, status: 'requested' }, ours)).toBe(false);
    expect(showsUpdate(facts, changed, changed, ours)).toBe(false);
  });
});
