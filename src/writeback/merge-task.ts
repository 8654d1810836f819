import type { Identifier, Reference, Task } from 'fhir/r4.js';
import { type CaseFacts, notArrivedText, notBefore } from './case-facts.ts';
import { finishedTaskStatuses } from './resources/shapes.ts';
import { outputTypes } from './resources/task.ts';

/**
 * Returns the current Task with the bridge's values; undefined if it has them already, or if somebody else has ended
 * it. Elements that the bridge does not write, and others' outputs and identifiers, are kept.
 */
export function merged(facts: CaseFacts, current: Task, desired: Task): Task | undefined {
  const isOver = finishedTaskStatuses.has(current.status) && !finishedTaskStatuses.has(desired.status);
  if (current.status === 'entered-in-error' || (isOver && !isReopened(facts, current))) return undefined;
  const { statusReason: _, output: __, ...kept } = current;
  // The current value stays, because an EHR may have set its own time.
  const authoredOn = current.authoredOn ?? desired.authoredOn;
  const next: Task = {
    ...kept,
    ...desired,
    ...present('authoredOn', authoredOn),
    ...present('lastModified', notBefore(authoredOn, desired.lastModified)),
    ...present('requester', sameReference(current.requester, desired.requester)),
    ...present('for', sameReference(current.for, desired.for)),
    ...listed('identifier', unite(current.identifier ?? [], desired.identifier ?? [], keyOf)),
    ...listed('output', [...othersOutput(current), ...(desired.output ?? [])]),
  };
  return said(next) === said({ ...current }) ? undefined : next;
}

/**
 * Whether a Task that was read again shows that an update from `before` was made. Some EHRs modify the values that they
 * receive. In that case the status must be right, and something must have changed.
 */
export function showsUpdate(facts: CaseFacts, before: Task, shown: Task, desired: Task): boolean {
  const isChanged = said(shown) !== said(before);
  return merged(facts, shown, desired) === undefined || (isChanged && shown.status === desired.status);
}

// The bridge ended the Task because the request had not arrived, and then the request was sent again or had arrived
// after all. Not every EHR stores a businessStatus.
function isReopened({ notArrived }: CaseFacts, { status, businessStatus }: Task): boolean {
  return (
    notArrived !== undefined && status === 'cancelled' && (businessStatus?.text ?? notArrivedText) === notArrivedText
  );
}

// Tasks are compared without their time of change.
function said({ lastModified: _, meta: __, ...task }: Task): string {
  return JSON.stringify(Object.entries(task).sort(([left], [right]) => (left < right ? -1 : 1)));
}

const ownOutputs: ReadonlySet<string | undefined> = new Set(Object.values(outputTypes));

function othersOutput({ output = [] }: Task): NonNullable<Task['output']> {
  return output.filter(({ type }) => !ownOutputs.has(type.text));
}

// Some EHRs add data of their own to a reference. That data is kept.
function sameReference(theirs: Reference | undefined, ours: Reference | undefined): Reference | undefined {
  return theirs !== undefined && theirs.reference === ours?.reference ? theirs : ours;
}

function keyOf({ system, value }: Identifier): string {
  return `${system}|${value}`;
}

function present<K extends keyof Task>(name: K, value: Task[K]): Partial<Task> {
  return value === undefined ? {} : { [name]: value };
}

function listed<K extends 'identifier' | 'output'>(name: K, items: NonNullable<Task[K]>): Partial<Task> {
  return items.length === 0 ? {} : { [name]: items };
}

function unite<T>(theirs: readonly T[], ours: readonly T[], keyOf: (item: T) => string): T[] {
  const keys = new Set(ours.map(keyOf));
  return [...theirs.filter((item) => !keys.has(keyOf(item))), ...ours];
}
