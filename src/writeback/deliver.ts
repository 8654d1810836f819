import { presetOf } from '../config/presets/presets.ts';
import { asBridgeError, BridgeError } from '../core/errors.ts';
import { attempt, type DeliveryAttempt, delivered, holdUp, type Postponed, skip } from './attempt.ts';
import { hasLetter } from './case-facts.ts';
import { type ChannelStep, channelPlan, onCasePage, tried, type Writable, writesNothing } from './channel-plan.ts';
import { type Closing, closingOf, type Desired, retireClosings } from './close-task.ts';
import { createOnce, lookOnly } from './create-once.ts';
import { beginDelivery, type Delivery, type DeliveryRequest, Unsaved } from './delivery.ts';
import { lookForDoubles, retractDouble } from './doubles.ts';
import { type Sought, soughtBy } from './find.ts';
import { isLetBeWritten, isNotFound, isSettled, type LedgerEntry, mayBeDoubled } from './ledger.ts';
import { deliverLetters } from './letters.ts';
import { isUnclear } from './outstanding.ts';
import { deliverProvenances } from './provenances.ts';
import { closingTaskOf, closingVersion, taskOf, taskVersion } from './resources/task.ts';
import { stepTo, writableType } from './retract.ts';
import { judgeFailure } from './retry.ts';
import { putTask } from './update-task.ts';

/**
 * Brings a chart up to date with a case: first the letters (only if there is an outcome), then the Task that refers to
 * them. Resources that are in the chart are not written again, and second copies of them are retracted. The EHR's
 * responses are recorded in the ledger rows. Throws only if a ledger row cannot be stored.
 */
export async function deliver(request: DeliveryRequest): Promise<DeliveryAttempt> {
  const left = await leaveToWorklist(request);
  if (left !== undefined) return left;
  try {
    const delivery = await beginDelivery(request).catch((error: unknown) => asBridgeError(error));
    return delivery instanceof BridgeError
      ? await holdUp(request, judgeFailure(delivery), [delivery])
      : await run(delivery);
  } catch (error) {
    throw error instanceof Unsaved ? error.cause : error;
  }
}

/**
 * Records on the rows that the site writes nothing, without calling the EHR. Returns undefined if the site writes, or
 * if an earlier write may be in the chart.
 */
export async function leaveToWorklist(request: Postponed): Promise<DeliveryAttempt | undefined> {
  const mayBeThere = request.facts.writes.some((row) => isUnclear(row) || mayBeDoubled(row));
  if (tried(request.site.writeback.channels).length > 0 || mayBeThere) return undefined;
  return await holdUp(request, { verdict: 'pass', reason: `${writesNothing}; ${onCasePage}` });
}

async function run(delivery: Delivery): Promise<DeliveryAttempt> {
  const { site } = delivery;
  const { task, carriers } = channelPlan(site.writeback.channels, (type) => stepTo(delivery, type), presetOf(site));
  if (hasLetter(delivery.facts)) await deliverLetters(delivery, carriers);
  await lookForDoubles(delivery);
  await deliverTask(delivery, task);
  // called again, for a Task that a person asked to update and that cannot be updated
  await lookForDoubles(delivery);
  await deliverProvenances(delivery);
  await settleLeft(delivery);
  await retireClosings(delivery);
  await retractDoubles(delivery);
  const isPaused = ({ what, version }: LedgerEntry) => delivery.paused.has(`${what} ${version}`);
  return delivered(delivery, delivery.rows(), isPaused, delivery.busy);
}

async function deliverTask(delivery: Delivery, step: ChannelStep): Promise<void> {
  const version = taskVersion(delivery.facts, delivery.rows());
  if (isSettled(delivery.rows(), 'task', version)) return;
  const passed = await attempt(delivery, step, 'task', version, async (row) => {
    const close = (old: string) => closeTask(delivery, step, old);
    const desired: Desired = { ...taskOf(delivery, delivery.rows()), close };
    await putTask(delivery, row, desired, step);
  });
  if (passed !== undefined) await skip(delivery, 'task', version, passed);
}

async function closeTask(delivery: Delivery, step: ChannelStep, old: string): Promise<Closing> {
  const { version, identifier, resource } = closingTaskOf(delivery, delivery.rows(), old);
  if (!isSettled(delivery.rows(), 'closing-task', version)) {
    const passed = await attempt(delivery, step, 'closing-task', version, async (row) => {
      await createOnce(delivery, { row, step, identifier, make: async () => resource });
    });
    if (passed !== undefined) return { reason: passed };
  }
  return closingOf(delivery.rows(), version);
}

const writtenAs = {
  task: 'Task',
  'closing-task': 'Task',
  document: 'DocumentReference',
  determination: 'DocumentReference',
  communication: 'Communication',
  provenance: 'Provenance',
} as const satisfies Record<Sought['what'], Writable>;

/** Searches for older versions that may be in the chart. They are never written again. */
async function settleLeft(delivery: Delivery): Promise<void> {
  const left = delivery
    .rows()
    .filter((row) => row.what !== 'task' && row.what !== 'double')
    .filter((row) => (isUnclear(row) && !isNotFound(row)) || isLetBeWritten(row))
    .filter(({ what, version }) => !delivery.touched.has(`${what} ${version}`))
    .filter(({ what, version }) => what !== 'closing-task' || version !== awaitedClosing(delivery));
  for (const { what, version } of left) {
    if (what === 'double') continue;
    const step = stepTo(delivery, writtenAs[what]);
    await attempt(delivery, step, what, version, async (row) => {
      await lookOnly(delivery, row, step, soughtBy(delivery, what, version));
    });
  }
}

/** Returns the version of the closing Task that the Task's row still waits for; undefined if it waits for none. */
function awaitedClosing({ facts, rows }: Delivery): string | undefined {
  return isSettled(rows(), 'task', taskVersion(facts, rows())) ? undefined : closingVersion(facts);
}

async function retractDoubles(delivery: Delivery): Promise<void> {
  const doubles = delivery.rows().filter((row) => row.what === 'double');
  for (const { version, state } of doubles) {
    if (!['planned', 'in_flight', 'waiting'].includes(state)) continue;
    await attempt(delivery, stepTo(delivery, writableType(version)), 'double', version, (row) =>
      retractDouble(delivery, row),
    );
  }
}
