import type { Task } from 'fhir/r4.js';
import { type CaseFacts, notArrivedText } from './case-facts.ts';
import { finishedTaskStatuses, type TaskShape } from './resources/shapes.ts';
import { outputTypes } from './resources/task.ts';

/**
 * Ours over theirs, or undefined when the Task says it already, or has ended otherwise. Elements that we do not write,
 * and outputs and identifiers of others, stay as they are.
 */
export function merged(facts: CaseFacts, current: Task, desired: TaskShape): Task | undefined {
  const isOver = finishedTaskStatuses.has(current.status) && !finishedTaskStatuses.has(desired.status);
  if (current.status === 'entered-in-error' || (isOver && !isReopened(facts, current))) return undefined;
  const { statusReason: _, output: __, ...kept } = current;
  const next: Task = {
    ...kept,
    ...desired,
    // The first time stays: an EHR may have set its own.
    authoredOn: current.authoredOn ?? desired.authoredOn,
    identifier: unite(
      current.identifier ?? [],
      desired.identifier,
      (identifier) => `${identifier.system}|${identifier.value}`,
    ),
    ...withOutput([...othersOutput(current), ...(desired.output ?? [])]),
  };
  return said(next) === said({ ...current }) ? undefined : next;
}

/**
 * Whether a Task, read again, shows that an update from `before` was made. Some EHRs change what they are given: there
 * the status must be right, and something must have changed.
 */
export function showsUpdate(facts: CaseFacts, before: Task, shown: Task, desired: TaskShape): boolean {
  const isChanged = said(shown) !== said(before);
  return merged(facts, shown, desired) === undefined || (isChanged && shown.status === desired.status);
}

// The bridge itself ended it, and the request was sent again or had arrived after all. Not every EHR keeps a
// businessStatus.
function isReopened({ notArrived }: CaseFacts, { status, businessStatus }: Task): boolean {
  return (
    notArrived !== undefined && status === 'cancelled' && (businessStatus?.text ?? notArrivedText) === notArrivedText
  );
}

// Equal but for the time of change is equal.
function said({ lastModified: _, meta: __, ...task }: Task): string {
  return JSON.stringify(Object.entries(task).sort(([left], [right]) => (left < right ? -1 : 1)));
}

const ownOutputs: ReadonlySet<string | undefined> = new Set(Object.values(outputTypes));

function othersOutput({ output = [] }: Task): NonNullable<Task['output']> {
  return output.filter(({ type }) => !ownOutputs.has(type.text));
}

function withOutput(output: NonNullable<Task['output']>): { output?: NonNullable<Task['output']> } {
  return output.length === 0 ? {} : { output };
}

function unite<T>(theirs: readonly T[], ours: readonly T[], keyOf: (item: T) => string): T[] {
  const keys = new Set(ours.map(keyOf));
  return [...theirs.filter((item) => !keys.has(keyOf(item))), ...ours];
}
