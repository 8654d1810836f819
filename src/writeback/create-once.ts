import { BridgeError } from '../core/errors.ts';
import type { WriteResult as Accepted } from '../core/fhir/api.ts';
import { noteBusy } from './attempt.ts';
import { assertSamePatient } from './case-facts.ts';
import type { ChannelStep } from './channel-plan.ts';
import type { Delivery } from './delivery.ts';
import { noteDoubles } from './doubles.ts';
import {
  assertAbout,
  type ChartLook,
  type FoundInChart,
  find,
  inChart,
  type Ours,
  type Sought,
  soughtBy,
  subjectOf,
} from './find.ts';
import { sendNaming } from './late-documents.ts';
import {
  because,
  isLetBeWritten,
  type LedgerEntry,
  looksBeforeAnother,
  looksForStored,
  mayExist,
  rowOf,
  wasLookedFor,
  withoutReason,
} from './ledger.ts';
import type { Identifier } from './resources/common.ts';
import { isLookDue, judgeFailure } from './retry.ts';

export interface Target {
  readonly row: LedgerEntry;
  readonly step: ChannelStep;
  readonly identifier: Identifier;
  /** Called to write the resource, and to recognize a document if the EHR cannot be searched by identifier. */
  readonly make: () => Promise<Ours>;
}

export interface Created {
  readonly row: LedgerEntry;
  /**
   * Whether this delivery wrote the resource, so that its content is current. A resource that was found may have older
   * content.
   */
  readonly isNew: boolean;
}

/**
 * After this many writes a person must check the chart: another write could duplicate the resource, and no write could
 * lose it.
 */
const mostWrites = 4;

/**
 * Creates a resource at most once. The ledger row is durable before the POST, and the chart is searched before every
 * POST. After a lost response, the resource is written again only if three searches of the chart, half a minute to ten
 * minutes later, found nothing. The row ends as `done`; as `unknown` or `stored` if the chart must be searched again;
 * as `failed` if only a person can find out; as `retracted` if somebody has marked the resource as entered in error.
 * Throws the EHR's definite refusals.
 */
export async function createOnce(delivery: Delivery, target: Target): Promise<Created> {
  const row = await afterStop(delivery, target.row);
  const search = await find(delivery, target.step, await soughtOf(delivery, target));
  const there = await taken(delivery, target.step, row, search);
  if (there !== undefined) return { row: there, isNew: false };
  if (!mayExist(row)) return await write(delivery, target, row);
  const looked = await look(delivery, row, target.step);
  const isOpen = looked.state === 'unknown' || looked.state === 'planned';
  if (!isOpen) return { row: await forThisVersion(delivery, looked), isNew: false };
  if (!wasLookedFor(looked)) return { row: looked, isNew: false };
  // A row is planned if a person has checked the chart, or if the write was allowed before the EHR became unreachable.
  const mayWrite = looked.state === 'planned' || (search.isWhole && looked.attempts < mostWrites);
  return mayWrite ? await write(delivery, target, looked) : { row: await lookLast(delivery, looked), isNew: false };
}

/**
 * Searches the chart for a resource that is not written again: its outcome has changed since, or its bytes are not
 * available. Since it is not written again, the chart is searched once more than usual.
 */
export async function lookOnly(
  delivery: Delivery,
  row: LedgerEntry,
  step: ChannelStep,
  sought: Sought,
): Promise<LedgerEntry> {
  const known = await afterStop(delivery, row);
  const search = await find(delivery, step, sought);
  const there = await taken(delivery, step, known, search);
  if (there !== undefined) return there;
  const looked = await look(delivery, known, step);
  const isAsked = isLetBeWritten(looked);
  if (!isAsked && (looked.state !== 'unknown' || !wasLookedFor(looked))) return looked;
  if (row.what === 'determination') return isAsked ? leaveToPerson(delivery, looked) : lookLast(delivery, looked);
  if (!isAsked && !isLookDue(looked, delivery.clock())) return looked;
  const reason = 'its answer was lost, it was not found in the chart, and the outcome has changed since';
  return await delivery.put({ ...looked, state: 'skipped', looks: looksBeforeAnother, reason, at: delivery.now() });
}

/**
 * The search just made found nothing, and nothing is written again. Leaves the row to a person once the last look is
 * due.
 */
async function lookLast(delivery: Delivery, row: LedgerEntry): Promise<LedgerEntry> {
  return isLookDue(row, delivery.clock()) ? await leaveToPerson(delivery, row) : row;
}

/**
 * A row that waited for a token becomes planned, since the token is there now. A write that was in flight becomes
 * unclear.
 */
async function afterStop(delivery: Delivery, row: LedgerEntry): Promise<LedgerEntry> {
  if (row.state === 'waiting') return { ...row, state: 'planned' };
  if (row.state !== 'in_flight') return row;
  const reason = 'the bridge stopped before the answer came';
  return await delivery.put({ ...row, state: 'unknown', reason, looks: 0, at: delivery.now() });
}

/** Returns the row of the resource that the search found; undefined if it found none. */
async function taken(
  delivery: Delivery,
  step: ChannelStep,
  row: LedgerEntry,
  { live, inError }: ChartLook,
): Promise<LedgerEntry | undefined> {
  const first = live.find(({ carriesIdentifier }) => carriesIdentifier) ?? live[0];
  if (first !== undefined) {
    const done = known(delivery, row, first);
    // The resource was written more than once, so another copy may still appear.
    const isRewritten = (row.attempts > 1 && mayExist(row)) || live.length > 1;
    const stored = await delivery.put(isRewritten ? { ...done, looks: looksBeforeAnother } : done);
    await noteDoubles(delivery, step, stored, live);
    return stored;
  }
  // A copy that the bridge itself has marked as entered in error is ignored.
  const doubles = new Set(delivery.rows().flatMap(({ what, reference }) => (what === 'double' ? [reference] : [])));
  const retracted = inError.find(({ reference }) => !doubles.has(reference));
  if (retracted === undefined) return undefined;
  const done = inChart(delivery, row, retracted);
  // A Task that somebody has marked as entered in error is left unchanged.
  if (row.what === 'task' || row.what === 'closing-task') return await delivery.put(done);
  return await delivery.put({ ...done, state: 'retracted', reason: 'marked as entered in error in the EHR' });
}

// A Task that was found may have older content, so it is done only after an update.
function known(
  delivery: Delivery,
  row: LedgerEntry,
  found: Pick<FoundInChart, 'reference' | 'versionId'>,
): LedgerEntry {
  const there = inChart(delivery, row, found);
  return row.what === 'task' ? { ...there, state: 'planned' } : there;
}

// If the previous version of the Task was left to a person, so is this one.
async function forThisVersion(delivery: Delivery, row: LedgerEntry): Promise<LedgerEntry> {
  return rowOf(delivery.rows(), row.what, row.version) === undefined ? await delivery.put(row) : row;
}

/** Records that a search found nothing, if the search was due. */
async function look(delivery: Delivery, row: LedgerEntry, { reach }: ChannelStep): Promise<LedgerEntry> {
  const isOpen = row.state === 'unknown' || row.state === 'stored';
  if (!isOpen || wasLookedFor(row)) return row;
  if (reach.search === 'none')
    return row.state === 'unknown' ? await leaveToPerson(delivery, row) : await endLooks(delivery, row);
  if (!isLookDue(row, delivery.clock())) return row;
  return await delivery.put({ ...row, looks: (row.looks ?? 0) + 1, at: delivery.now() });
}

// The resource cannot be searched for, so further searches are of no use.
async function endLooks(delivery: Delivery, row: LedgerEntry): Promise<LedgerEntry> {
  return await delivery.put({ ...row, looks: looksForStored });
}

async function leaveToPerson(delivery: Delivery, row: LedgerEntry): Promise<LedgerEntry> {
  const reason = 'sent, but its answer was lost: look for it in the chart before trying again';
  return await delivery.put({ ...row, state: 'failed', looks: looksBeforeAnother, reason, at: delivery.now() });
}

async function write(delivery: Delivery, target: Target, row: LedgerEntry): Promise<Created> {
  const { step } = target;
  if (step.reason !== undefined) throw new BridgeError('ehr_forbidden', { reason: step.reason });
  const resource = await target.make();
  assertSamePatient(delivery.facts, subjectOf(resource));
  const sent = await delivery.put({ ...inFlight(row, delivery.now()), attempts: row.attempts + 1 });
  const answer = await post(delivery, target, resource).catch(async (refusal: unknown) => {
    await delivery.put({ ...sent, attempts: Math.max(1, row.attempts) });
    throw refusal;
  });
  if (answer instanceof BridgeError) return { row: await unclear(delivery, target, sent, answer), isNew: false };
  if (answer.id === undefined) return { row: await withoutId(delivery, target, sent), isNew: true };
  const reference = `${step.type}/${answer.id}`;
  if (answer.existed) await assertOursOrLook(delivery, target, sent, answer.id);
  const at = { reference, ...version(answer) };
  const done = answer.existed ? known(delivery, sent, at) : inChart(delivery, sent, at);
  // The first of two writes may still arrive.
  const stored = await delivery.put(sent.looks === undefined ? done : { ...done, looks: looksBeforeAnother });
  return { row: stored, isNew: !answer.existed };
}

/** Returns the EHR's response, or the error after which the resource may exist. Throws definite refusals. */
async function post(delivery: Delivery, { identifier, step }: Target, resource: Ours): Promise<Accepted | BridgeError> {
  const isConditional = step.reach.conditionalCreate && resource.resourceType !== 'Provenance';
  const condition = isConditional
    ? { ifNoneExist: `identifier=${encodeURIComponent(`${identifier.system}|${identifier.value}`)}` }
    : {};
  const ended = await sendNaming(delivery, resource, () => delivery.api.create(resource, condition));
  if ('answer' in ended) return ended.answer;
  if (!mayHaveArrived(ended.error)) throw ended.error;
  noteBusy(delivery, ended.error);
  return ended.error;
}

/** Whether the EHR may have stored a write that ended with this error. */
export function mayHaveArrived(error: unknown): error is BridgeError {
  return error instanceof BridgeError && mayExistAfter.has(error.code) && error.facts.http !== tooMany;
}

// An EHR that fails, or whose response is unreadable, may have stored the resource. An EHR that reports a duplicate has
// stored it before. An EHR that throttles requests has not stored it.
const mayExistAfter: ReadonlySet<string> = new Set(['ehr_write_unclear', 'ehr_error', 'ehr_not_fhir', 'ehr_conflict']);
const tooMany = 429;

function lostAnswer(delivery: Delivery, row: LedgerEntry, error: unknown): LedgerEntry {
  const { says } = judgeFailure(error);
  const why = { reason: 'the answer was lost', ...(says === undefined ? {} : { says }) };
  return { ...because(row, why), state: 'unknown', looks: 0, at: delivery.now() };
}

async function unclear(delivery: Delivery, target: Target, row: LedgerEntry, error: BridgeError): Promise<LedgerEntry> {
  const unknown = await delivery.put(lostAnswer(delivery, row, error));
  if (delivery.busy.length > 0) return unknown;
  const search = await find(delivery, target.step, await soughtOf(delivery, target));
  return (await taken(delivery, target.step, unknown, search)) ?? (await look(delivery, unknown, target.step));
}

async function withoutId(delivery: Delivery, target: Target, row: LedgerEntry): Promise<LedgerEntry> {
  const reason = 'the EHR stored it and did not say under which id';
  const stored = await delivery.put({ ...row, state: 'stored', reason, looks: 0, at: delivery.now() });
  const search = await find(delivery, target.step, await soughtOf(delivery, target));
  const there = await taken(delivery, target.step, stored, search);
  return there ?? (await look(delivery, stored, target.step));
}

// The EHR may have stored a new resource and answered with the wrong status. If the resource cannot be read now, the
// chart is searched for it.
async function assertOursOrLook(delivery: Delivery, target: Target, sent: LedgerEntry, id: string): Promise<void> {
  try {
    await assertOurs(delivery, target, id);
  } catch (error) {
    if (['retry', 'wait'].includes(judgeFailure(error).verdict)) await delivery.put(lostAnswer(delivery, sent, error));
    throw error;
  }
}

// The EHR matched an existing resource only by the bridge's identifier, so its patient must be checked.
async function assertOurs(delivery: Delivery, { step }: Target, id: string): Promise<void> {
  if (!step.reach.read) return;
  const existing = await delivery.api.read<Ours>(step.type, id);
  if (existing !== undefined) assertAbout(delivery, existing);
}

async function soughtOf(delivery: Delivery, { row, identifier, step, make }: Target): Promise<Sought> {
  if (row.what === 'double') throw new BridgeError('internal');
  if (row.what === 'provenance') return soughtBy(delivery, row.what, row.version);
  const isFirst = row.what === 'determination' && !mayExist(row);
  if (step.reach.search !== 'patient' && !isFirst) return { what: row.what, identifier };
  const made = await make();
  if (made.resourceType === 'Communication') return { what: row.what, identifier, message: made };
  if (made.resourceType !== 'DocumentReference') return { what: row.what, identifier };
  return { what: row.what, identifier, document: made };
}

export function inFlight(row: LedgerEntry, at: string): LedgerEntry {
  return { ...withoutReason(row), state: 'in_flight', at };
}

export function version(accepted: Accepted): { versionId?: string } {
  return accepted.versionId === undefined ? {} : { versionId: accepted.versionId };
}
