import type { Task } from 'fhir/r4.js';
import { presetOf } from '../config/presets/presets.ts';
import { BridgeError } from '../core/errors.ts';
import type { ChangeCondition, PatchOperation, VersionRead, WriteResult } from '../core/fhir/api.ts';
import { ifMatchOf, isBadRequest, isConflict, sendBound } from './bound-change.ts';
import type { ChannelStep } from './channel-plan.ts';
import { closeBeside, type Desired } from './close-task.ts';
import { createOnce, inFlight, mayHaveArrived, type Target, version } from './create-once.ts';
import { type Delivery, noteRefusal } from './delivery.ts';
import { assertAbout, isSameResource } from './find.ts';
import { sendNaming } from './late-documents.ts';
import { type LedgerEntry, looksBeforeAnother, type Why, withoutReason } from './ledger.ts';
import { merged, showsUpdate } from './merge-task.ts';
import { judgeFailure, secondsSince } from './retry.ts';

/**
 * Brings the Task of a case to its desired content. It is created once, then updated, or patched if the EHR accepts no
 * update. If the EHR accepts neither, an ended request gets a closing Task, and the row records what the first Task
 * still says. Throws temporary errors.
 */
export async function putTask(
  delivery: Delivery,
  row: LedgerEntry,
  desired: Desired,
  step: ChannelStep,
): Promise<LedgerEntry> {
  const { row: placed, isNew } =
    row.reference === undefined ? await createOnce(delivery, targetOf(row, step, desired)) : { row, isNew: false };
  // A Task that was just created is current. A Task that was found, or known before, may have older content.
  if (isNew || placed.reference === undefined) return placed;
  return await bringUp(delivery, placed, placed.reference, desired, step);
}

function targetOf(row: LedgerEntry, step: ChannelStep, { identifier, resource }: Desired): Target {
  return { row, step, identifier, make: async () => resource };
}

type Way = 'update' | 'patch';

async function bringUp(
  delivery: Delivery,
  row: LedgerEntry,
  reference: string,
  desired: Desired,
  step: ChannelStep,
): Promise<LedgerEntry> {
  const { reach } = step;
  const ways = (['update', 'patch'] as const).filter((way) => reach[way]);
  let refusal: Why = {
    reason:
      delivery.refusals.of(delivery.facts.id).get('Task.update') ??
      'the EHR or the granted scopes allow no Task.update',
    ...(row.says === undefined ? {} : { says: row.says }),
  };
  for (const way of ways) {
    const made = () => change(delivery, row, reference, desired, step, way);
    const ended = await sendNaming(delivery, desired.resource, made);
    if ('answer' in ended) return ended.answer;
    refusal = refusalOf(delivery, ended.error, row, way);
  }
  const current = reach.read ? (await readIfLet(delivery, reference))?.resource : undefined;
  // The content may be current even if the Task cannot be updated.
  if (current !== undefined && merged(delivery.facts, current, desired.resource) === undefined)
    return await delivery.put(updated(delivery, row, current.meta?.versionId));
  return await closeBeside(delivery, row, reference, desired, current, refusal);
}

/**
 * Returns why the EHR refused this operation. Rethrows defects and temporary errors, except a conflict that has lasted
 * too long, which counts as a refusal.
 */
function refusalOf(delivery: Delivery, error: unknown, row: LedgerEntry, way: Way): Why {
  const judgement = judgeFailure(error);
  const { verdict, reason } = judgement;
  const code = error instanceof BridgeError ? error.code : undefined;
  const goesOnTooLong =
    (code === 'ehr_conflict' || code === 'ehr_change_not_shown') &&
    row.state === 'planned' &&
    secondsSince(row, delivery.clock()) >= longestConflictSeconds;
  if (code === 'patient_mismatch' || code === 'mapping_invalid') throw error;
  if ((verdict === 'retry' && !goesOnTooLong) || verdict === 'wait' || code === undefined) throw error;
  noteRefusal(delivery, `Task.${way}`, judgement);
  delivery.log.warn({ case: delivery.facts.id, way, reason }, 'Task not updated');
  return judgement;
}

const tries = 3;
/** Seconds after the first conflict. By then, every server of the EHR has caught up. */
const otherPersonSeconds = 30;
/**
 * Seconds. A problem that every attempt meets for this long is permanent: a conflict is not another person's change,
 * and a change that is not shown was not made.
 */
const longestConflictSeconds = 600;
/** Seconds in which an EHR of several servers may not find what it has stored. */
const mayBeLateSeconds = 600;
const notFound = 'the Task is not found in the chart';

/**
 * Reads, merges, writes bound to the version that was read, and reads again; repeats that if somebody else was faster.
 * Unknown elements are kept. Throws `ehr_change_not_shown` if the Task does not show a change that the EHR accepted.
 */
async function change(
  delivery: Delivery,
  row: LedgerEntry,
  reference: string,
  desired: Desired,
  step: ChannelStep,
  way: Way,
): Promise<LedgerEntry> {
  const isOld = row.state === 'planned' && secondsSince(row, delivery.clock()) >= otherPersonSeconds;
  // A write that was sent before the bridge stopped may still arrive and replace the new one.
  let sent = row.state === 'in_flight' ? await delivery.put(mayComeLate(row)) : row;
  let refusedVersion: string | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const before = await read(delivery, reference);
    if (before === undefined) return await createAnew(delivery, sent, desired, step);
    const { resource: current } = before;
    const next = merged(delivery.facts, current, desired.resource);
    if (next === undefined) return await delivery.put(updated(delivery, sent, current.meta?.versionId));
    sent = await delivery.put({ ...inFlight(sent, delivery.now()), attempts: sent.attempts + 1 });
    const readVersion = before.etag ?? current.meta?.versionId ?? current.meta?.lastUpdated;
    const isFree = readVersion !== undefined && readVersion === refusedVersion;
    try {
      const send = (condition: ChangeCondition) => write(delivery, way, current, next, condition);
      const bound = { ifMatch: ifMatchOf(delivery, before), isSettled: isOld };
      const accepted = await (isFree ? send({ anyVersion: true }) : sendBound(bound, send));
      const shown = (await read(delivery, reference))?.resource;
      if (shown === undefined || !showsUpdate(delivery.facts, current, shown, desired.resource))
        throw new BridgeError('ehr_change_not_shown', { case: delivery.facts.id });
      return await delivery.put(updated(delivery, sent, version(accepted).versionId ?? shown.meta?.versionId));
    } catch (error) {
      const doubted = mayComeLateAfter(error) ? await delivery.put(mayComeLate(sent)) : sent;
      if (await says(delivery, reference, desired, error)) continue;
      sent = doubted;
      const isWorthAnother = isConflict(error) || (readVersion !== undefined && !isFree && isBadRequest(error));
      if (!isWorthAnother || attempt === tries) throw error;
      // Nobody has changed the Task for half a minute, but the EHR still reports a conflict. So it accepts no
      // condition.
      if (!isConflict(error) || isOld) refusedVersion = readVersion;
    }
  }
}

// After a conflict, the update certainly was not made.
function mayComeLateAfter(error: unknown): boolean {
  if (!(error instanceof BridgeError) || error.code === 'ehr_conflict') return false;
  return error.code === 'ehr_change_not_shown' || mayHaveArrived(error);
}

/** Schedules one more check of the chart, in case an older update arrives late. */
function mayComeLate(row: LedgerEntry): LedgerEntry {
  return { ...row, looks: looksBeforeAnother };
}

// After a lost response, the Task in the chart shows whether the update arrived.
async function says(delivery: Delivery, reference: string, { resource }: Desired, error: unknown): Promise<boolean> {
  if (!(error instanceof BridgeError) || error.code !== 'ehr_write_unclear') return false;
  const current = await read(delivery, reference);
  return current !== undefined && merged(delivery.facts, current.resource, resource) === undefined;
}

async function write(
  { api, site }: Delivery,
  way: Way,
  current: Task & { id: string },
  next: Task,
  condition: ChangeCondition,
): Promise<WriteResult> {
  if (way === 'update') {
    const written = { ...next, id: current.id };
    for (const name of presetOf(site)?.updates.appends ?? []) Reflect.deleteProperty(written, name);
    return await api.update(written, condition);
  }
  return await api.patch(current, differences(current, next), condition);
}

/** Returns the members that differ as JSON Patch. `add` replaces a member that exists (RFC 6902 4.1). */
function differences(current: Task, next: Task): PatchOperation[] {
  const before = new Map(Object.entries(current));
  const after = new Map(Object.entries(next));
  const added = [...after]
    .filter(([name, value]) => JSON.stringify(before.get(name)) !== JSON.stringify(value))
    .map(([name, value]) => ({ op: 'add' as const, path: `/${name}`, value }));
  const removed = [...before.keys()]
    .filter((name) => !after.has(name))
    .map((name) => ({ op: 'remove' as const, path: `/${name}` }));
  return [...added, ...removed];
}

type ReadTask = VersionRead<Task & { id: string }>;

async function read(delivery: Delivery, reference: string): Promise<ReadTask | undefined> {
  const answer = await delivery.api.readVersion<Task>('Task', reference.replace('Task/', ''));
  if (answer?.resource.id === undefined) return undefined;
  assertAbout(delivery, answer.resource);
  return { ...answer, resource: { ...answer.resource, id: answer.resource.id } };
}

// Returns undefined if the EHR does not let the bridge read the Task.
async function readIfLet(delivery: Delivery, reference: string): Promise<ReadTask | undefined> {
  try {
    return await read(delivery, reference);
  } catch (error) {
    const { verdict } = judgeFailure(error);
    const isRefusal = error instanceof BridgeError && error.code !== 'patient_mismatch';
    if (isRefusal && (verdict === 'pass' || verdict === 'fail')) return undefined;
    throw error;
  }
}

async function createAnew(
  delivery: Delivery,
  row: LedgerEntry,
  desired: Desired,
  step: ChannelStep,
): Promise<LedgerEntry> {
  if (secondsSince(row, delivery.clock()) < mayBeLateSeconds) {
    const at = row.state === 'planned' ? row.at : delivery.now();
    return await delivery.put({ ...row, state: 'planned', reason: notFound, at });
  }
  const { reference: _, versionId: __, ...forgotten } = row;
  const anew: LedgerEntry = { ...forgotten, state: 'planned', looks: looksBeforeAnother };
  const { row: placed, isNew } = await createOnce(delivery, targetOf(anew, step, desired));
  if (isNew || placed.reference === undefined) return placed;
  // A search may still show a deleted resource.
  if (isSameResource(placed.reference, row.reference))
    return await delivery.put({ ...placed, state: 'planned', reason: notFound });
  return await bringUp(delivery, placed, placed.reference, desired, step);
}

function updated(delivery: Delivery, row: LedgerEntry, versionId: string | undefined): LedgerEntry {
  const { versionId: _, ...rest } = withoutReason(row);
  return {
    ...rest,
    state: 'done',
    ...(versionId === undefined ? {} : { versionId }),
    token: delivery.token,
    at: delivery.now(),
  };
}
