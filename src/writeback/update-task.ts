import type { Task } from 'fhir/r4.js';
import { BridgeError } from '../errors.ts';
import { assertSamePatient, type CaseFacts, notArrivedText } from './case-facts.ts';
import { createOnce, inFlight, type Target, version } from './create-once.ts';
import type { Delivery } from './delivery.ts';
import type { Reach } from './ladder.ts';
import type { LedgerEntry } from './ledger.ts';
import { finishedTaskStatuses, type TaskShape } from './resources/shapes.ts';

/** Brings the one Task of a case to `desired`: created once, then updated in place. Throws the EHR's refusals. */
export async function putTask(
  delivery: Delivery,
  row: LedgerEntry,
  desired: TaskShape,
  identifier: Target['identifier'],
  reach: Reach,
): Promise<LedgerEntry> {
  const placed =
    row.reference === undefined ? await createOnce(delivery, { row, resource: desired, identifier, reach }) : row;
  const wasThere = placed.attempts === row.attempts;
  // A Task that was just created says what it should; one that was found, or known from before, may say something
  // older.
  if (placed.reference === undefined || !wasThere) return placed;
  if (!reach.update)
    return await delivery.put({
      ...placed,
      state: 'skipped',
      reason: 'the EHR or the granted scopes allow no Task.update',
      at: delivery.now(),
    });
  return await update(delivery, placed, placed.reference, desired, async () => {
    const { reference: _, versionId: __, ...forgotten } = placed;
    return await createOnce(delivery, {
      row: { ...forgotten, state: 'planned' },
      resource: desired,
      identifier,
      reach,
    });
  });
}

const tries = 3;

/** Read, merge, PUT with If-Match; again when somebody else was faster. Unknown elements stay. */
async function update(
  delivery: Delivery,
  row: LedgerEntry,
  reference: string,
  desired: TaskShape,
  createAnew: () => Promise<LedgerEntry>,
): Promise<LedgerEntry> {
  let sent = row;
  for (let attempt = 1; ; attempt += 1) {
    const current = await delivery.api.read<Task>('Task', reference.replace('Task/', ''));
    if (current?.id === undefined) return await createAnew();
    assertSamePatient(delivery.facts, current.for);
    const next = merged(current, desired, isReopened(delivery.facts, current));
    if (next === undefined) return await delivery.put(updated(delivery, sent, current.meta?.versionId));
    sent = await delivery.put({ ...inFlight(sent, delivery.now()), attempts: sent.attempts + 1 });
    try {
      const ifMatch = current.meta?.versionId;
      const accepted = await delivery.api.update({ ...next, id: current.id }, ifMatch === undefined ? {} : { ifMatch });
      return await delivery.put(updated(delivery, sent, version(accepted).versionId));
    } catch (error) {
      // After a lost answer the next read tells whether it arrived.
      const again =
        error instanceof BridgeError && (error.code === 'ehr_conflict' || error.code === 'ehr_write_unclear');
      if (!again || attempt === tries) throw error;
    }
  }
}

// The bridge itself ended it, and the request was sent again or had arrived after all. Not every EHR keeps a
// businessStatus.
function isReopened({ notArrived }: CaseFacts, { status, businessStatus }: Task): boolean {
  return (
    notArrived !== undefined && status === 'cancelled' && (businessStatus?.text ?? notArrivedText) === notArrivedText
  );
}

/**
 * Ours over theirs, or undefined when the Task says it already. Elements that we do not write, and outputs and
 * identifiers of others, stay as they are.
 */
function merged(current: Task, desired: TaskShape, reopened: boolean): Task | undefined {
  const finished = finishedTaskStatuses.has(current.status) && !finishedTaskStatuses.has(desired.status);
  if (finished && !reopened) return undefined;
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
    ...withOutput(
      unite(current.output ?? [], desired.output ?? [], (output) => output.type.text ?? JSON.stringify(output.type)),
    ),
  };
  return said(next) === said({ ...current }) ? undefined : next;
}

// Equal but for the time of change is equal.
function said({ lastModified: _, meta: __, ...task }: Task): string {
  return JSON.stringify(Object.entries(task).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function withOutput(output: NonNullable<Task['output']>): { output?: NonNullable<Task['output']> } {
  return output.length === 0 ? {} : { output };
}

function unite<T>(theirs: readonly T[], ours: readonly T[], keyOf: (facts: T) => string): T[] {
  const keys = new Set(ours.map(keyOf));
  return [...theirs.filter((facts) => !keys.has(keyOf(facts))), ...ours];
}

function updated(delivery: Delivery, row: LedgerEntry, versionId: string | undefined): LedgerEntry {
  const { reason: _, versionId: __, ...rest } = row;
  return {
    ...rest,
    state: 'done',
    ...(versionId === undefined ? {} : { versionId }),
    token: delivery.token,
    at: delivery.now(),
  };
}
