import type { Site } from '../config.ts';
import { type CaseFacts, fingerprint, hasLetter, isTakenBack, leftAt, letterVersion } from './case-facts.ts';
import { createOnce, lookOnly } from './create-once.ts';
import { begin, type Delivery, type DeliveryRequest, Unsaved } from './delivery.ts';
import { lookForDoubles, retractDouble } from './doubles.ts';
import { planOf, type Step, tried } from './ladder.ts';
import {
  isSettled,
  type LedgerEntry,
  mayBeDoubled,
  mayExist,
  plannedRow,
  record,
  rowOf,
  staleTask,
  type Written,
} from './ledger.ts';
import { identifierOf } from './resources/common.ts';
import { communicationOf } from './resources/communication.ts';
import { type Document, documentOf } from './resources/document-reference.ts';
import { letterOf, renderLetter } from './resources/letter.ts';
import type { DocumentReferenceShape } from './resources/shapes.ts';
import { closingTaskOf, taskOf, taskVersion } from './resources/task.ts';
import { stepTo, typeOf } from './retract.ts';
import { isGivenUp, type Judgement, judge, secondsToNextTry } from './retry.ts';
import { closingOf, type Desired, putTask } from './update-task.ts';

/** The ledger after a delivery. */
export interface Delivered {
  readonly rows: readonly LedgerEntry[];
  /** When the next look into the chart, or the next try, is due; absent when nothing more happens by itself. */
  readonly again?: { readonly seconds: number };
  /** Why the Task in the chart does not say how the request stands. */
  readonly stale?: string;
}

/**
 * Brings a chart up to date with a case: the letters first (only once there is an outcome), then the Task that points
 * to them. What stands there already is not written again, and second copies of ours are retracted. What the EHR does
 * is in the rows. Throws only when a ledger row cannot be stored.
 */
export async function deliver(request: DeliveryRequest): Promise<Delivered> {
  try {
    const delivery = await begin(request).catch((error: unknown) => judge(error));
    return 'verdict' in delivery ? await holdUp(request, delivery) : await run(delivery);
  } catch (error) {
    throw error instanceof Unsaved ? error.cause : error;
  }
}

/** What a delivery needs to know when nothing can be asked of the EHR. */
export type Postponed = Pick<DeliveryRequest, 'site' | 'facts' | 'letters' | 'save' | 'retrySeconds' | 'clock'>;

/**
 * Says on the rows that the chart lacks what keeps all of them: no token, or an EHR that cannot be reached. What may be
 * in the chart already stays as it is: it is looked for before anything else.
 */
export async function holdUp(request: Postponed, judgement: Pick<Judgement, 'verdict' | 'reason'>): Promise<Delivered> {
  const { site, facts, letters, clock } = request;
  let rows = facts.writes;
  for (const row of outstanding(site, facts, letters)) {
    if (isUnclear(row) || mayBeDoubled(row)) continue;
    const next = held(rowOf(rows, row.what, row.version), row, judgement, clock());
    rows = record(rows, next);
    await request.save(next);
  }
  return delivered(request, rows, () => judgement.verdict === 'wait');
}

/**
 * The rows that a chart still lacks as far as the site asks for them: planned ones for what was never tried, and those
 * that wait, are unclear or were left; also those to look at once more for a second copy. Rows that were skipped or
 * failed for this version are left to a person.
 */
export function outstanding(site: Site, facts: CaseFacts, letters: readonly Uint8Array[] = []): LedgerEntry[] {
  const since = leftAt(facts);
  if (since === undefined || !isTold(facts)) return [];
  const { writes } = facts;
  const rungs = tried(site.writeback.rungs);
  const isLettered = hasLetter(facts) && rungs.length > 0;
  const wanted = [
    ...(isLettered ? [plannedRow(writes, 'document', letterVersion(facts), since)] : []),
    ...(isLettered ? letters : []).map((bytes) =>
      plannedRow(writes, 'determination', payerLetterVersion(bytes), since),
    ),
    ...(rungs.includes('task+document') ? [plannedRow(writes, 'task', taskVersion(facts, writes), since)] : []),
  ];
  const isDone = ({ what, version }: LedgerEntry) =>
    isSettled(writes, what, version) || (what === 'document' && isSettled(writes, 'communication', version));
  const lacking = wanted.filter((row) => !isDone(row));
  const isNamed = (row: LedgerEntry) =>
    lacking.some(({ what, version }) => what === row.what && version === row.version);
  return [...lacking, ...writes.filter((row) => row.what !== 'task' && isOpen(row) && !isNamed(row))].concat(
    writes.filter((row) => row.what === 'task' && mayBeDoubled(row) && !lacking.some(({ what }) => what === 'task')),
  );
}

// A letter that was tried, a copy that is to be retracted, what may have arrived, and what may be there twice.
function isOpen(row: LedgerEntry): boolean {
  if (isUnclear(row) || mayBeDoubled(row)) return !isSettledStored(row);
  return ['determination', 'double'].includes(row.what) && ['planned', 'waiting'].includes(row.state);
}

function isUnclear({ state }: LedgerEntry): boolean {
  return state === 'in_flight' || state === 'unknown' || state === 'stored';
}

function isSettledStored(row: LedgerEntry): boolean {
  return row.state === 'stored' && isSettled([row], row.what, row.version);
}

// While a request is on its way there is nothing to say yet; one that did not arrive is said only where its Task may
// stand.
function isTold(facts: CaseFacts): boolean {
  if (isTakenBack(facts))
    return facts.writes.some((row) => row.what === 'task' && (row.reference !== undefined || mayExist(row)));
  return !['draft', 'sending', 'refused'].includes(facts.state);
}

async function run(delivery: Delivery): Promise<Delivered> {
  const { task, carriers } = planOf(delivery.site.writeback.rungs, (type) => stepTo(delivery, type));
  if (hasLetter(delivery.facts)) await deliverLetters(delivery, carriers);
  await lookForDoubles(delivery);
  await deliverTask(delivery, task);
  await settleLeft(delivery);
  await retractDoubles(delivery);
  return delivered(delivery, delivery.rows(), ({ what, version }) => delivery.paused.has(`${what} ${version}`));
}

function delivered(
  { site, facts, letters, clock, retrySeconds = 30 }: Postponed,
  rows: readonly LedgerEntry[],
  isPaused: (row: LedgerEntry) => boolean,
): Delivered {
  const due = outstanding(site, { ...facts, writes: rows }, letters)
    .filter((row) => !isPaused(row))
    .flatMap((row) => secondsToNextTry(row, clock(), retrySeconds) ?? []);
  const stale = staleTask(rows);
  return {
    rows,
    ...(due.length === 0 ? {} : { again: { seconds: Math.min(...due) } }),
    ...(stale === undefined ? {} : { stale }),
  };
}

async function deliverLetters(delivery: Delivery, carriers: readonly Step[]): Promise<void> {
  const version = letterVersion(delivery.facts);
  if (!isSettled(delivery.rows(), 'document', version) && !isSettled(delivery.rows(), 'communication', version)) {
    await supersede(delivery, version);
    await carrySummary(delivery, carriers, version);
  }
  const carrier = carriers.find(({ type }) => type === 'DocumentReference');
  if (carrier === undefined) return;
  for (const [index, bytes] of (delivery.letters ?? []).entries())
    await deliverPayerLetter(delivery, carrier, bytes, index < (delivery.letters?.length ?? 0) - 1);
}

async function carrySummary(delivery: Delivery, carriers: readonly Step[], version: string): Promise<void> {
  const reasons: string[] = [];
  for (const carrier of carriers) {
    const passed =
      carrier.type === 'DocumentReference'
        ? await deliverSummary(delivery, carrier, version)
        : await deliverMessage(delivery, carrier, version);
    if (passed === undefined) return;
    reasons.push(passed);
  }
  const reason = `${reasons.join('; ')}; the letter is on the case page`;
  if (reasons.length > 0) await skip(delivery, 'document', version, reason);
}

// A letter that certainly never got into the chart is not wanted any more once the outcome has changed.
async function supersede(delivery: Delivery, version: string): Promise<void> {
  const old = delivery
    .rows()
    .filter((row) => (row.what === 'document' || row.what === 'communication') && row.version !== version)
    .filter((row) => ['planned', 'waiting', 'failed'].includes(row.state) && !mayExist(row));
  for (const row of old) await skip(delivery, row.what, row.version, 'the outcome has changed since');
}

async function deliverSummary(delivery: Delivery, carrier: Step, version: string): Promise<string | undefined> {
  const { facts } = delivery;
  return await attempt(delivery, carrier, 'document', version, async (row) => {
    const render = () => renderLetter(letterOf(facts), new Date(facts.changedAt ?? delivery.now()));
    await createDocument(delivery, carrier, row, async () => ({ what: 'document', version, bytes: await render() }));
  });
}

async function deliverPayerLetter(
  delivery: Delivery,
  carrier: Step,
  bytes: Uint8Array,
  before: boolean,
): Promise<void> {
  const version = payerLetterVersion(bytes);
  if (isSettled(delivery.rows(), 'determination', version)) return;
  const passed = await attempt(delivery, carrier, 'determination', version, async (row) => {
    await createDocument(delivery, carrier, row, async () => ({ what: 'determination', version, bytes, before }));
  });
  if (passed !== undefined) await skip(delivery, 'determination', version, `${passed}; the letter is on the case page`);
}

async function createDocument(
  delivery: Delivery,
  step: Step,
  row: LedgerEntry,
  document: () => Promise<Document>,
): Promise<void> {
  if (row.what === 'double') return;
  const identifier = identifierOf(delivery, row.what, row.version);
  let made: Promise<DocumentReferenceShape> | undefined;
  const make = () => (made ??= document().then((each) => documentOf(delivery, each).resource));
  await createOnce(delivery, { row, step, identifier, make });
}

async function deliverMessage(delivery: Delivery, carrier: Step, version: string): Promise<string | undefined> {
  return await attempt(delivery, carrier, 'communication', version, async (row) => {
    const { identifier, resource } = communicationOf(delivery, letterOf(delivery.facts), version);
    await createOnce(delivery, { row, step: carrier, identifier, make: async () => resource });
  });
}

async function deliverTask(delivery: Delivery, step: Step): Promise<void> {
  const version = taskVersion(delivery.facts, delivery.rows());
  if (isSettled(delivery.rows(), 'task', version)) return;
  const passed = await attempt(delivery, step, 'task', version, async (row) => {
    const close = (old: string) => closeTask(delivery, step, old);
    const desired: Desired = { ...taskOf(delivery, delivery.rows()), close };
    await putTask(delivery, row, desired, step);
  });
  if (passed !== undefined) await skip(delivery, 'task', version, passed);
}

async function closeTask(delivery: Delivery, step: Step, old: string): ReturnType<Desired['close']> {
  const { version, identifier, resource } = closingTaskOf(delivery, delivery.rows(), old);
  if (!isSettled(delivery.rows(), 'closing-task', version)) {
    const passed = await attempt(delivery, step, 'closing-task', version, async (row) => {
      await createOnce(delivery, { row, step, identifier, make: async () => resource });
    });
    if (passed !== undefined) return { reason: passed };
  }
  return closingOf(delivery.rows(), version);
}

/** What may be in the chart from a version that is not wanted any more: it is looked for, never written again. */
async function settleLeft(delivery: Delivery): Promise<void> {
  const left = delivery
    .rows()
    .filter((row) => row.what !== 'task' && row.what !== 'double' && isUnclear(row) && !isSettledStored(row))
    .filter(({ what, version }) => !delivery.touched.has(`${what} ${version}`));
  for (const { what, version } of left) {
    if (what === 'double') continue;
    const type = what === 'closing-task' ? 'Task' : what === 'communication' ? 'Communication' : 'DocumentReference';
    const step = stepTo(delivery, type);
    await attempt(delivery, step, what, version, async (row) => {
      await lookOnly(delivery, row, step, { what, identifier: identifierOf(delivery, what, version) });
    });
  }
}

async function retractDoubles(delivery: Delivery): Promise<void> {
  const doubles = delivery.rows().filter((row) => row.what === 'double');
  for (const { version, state } of doubles) {
    if (!['planned', 'in_flight', 'waiting'].includes(state)) continue;
    await attempt(delivery, stepTo(delivery, typeOf(version)), 'double', version, (row) =>
      retractDouble(delivery, row),
    );
  }
}

async function skip(delivery: Delivery, what: Written, version: string, reason: string): Promise<void> {
  await delivery.put({ ...delivery.row(what, version), state: 'skipped', reason, at: delivery.now() });
}

/** undefined when the row has its end or will be tried again; else why the next carrier should be tried. */
async function attempt(
  delivery: Delivery,
  step: Step,
  what: Written,
  version: string,
  write: (row: LedgerEntry) => Promise<void>,
): Promise<string | undefined> {
  delivery.touched.add(`${what} ${version}`);
  const before = rowOf(delivery.rows(), what, version);
  const row = delivery.row(what, version);
  if (step.reason !== undefined && row.reference === undefined && !mayExist(row)) return step.reason;
  try {
    await write(row);
    return undefined;
  } catch (error) {
    if (error instanceof Unsaved) throw error;
    const judgement = judge(error);
    const { verdict, reason, lasting } = judgement;
    delivery.log.warn({ case: delivery.facts.id, what, verdict, reason }, 'write-back');
    if (lasting) delivery.refused.set(step.type, reason);
    if (verdict === 'wait') delivery.paused.add(`${what} ${version}`);
    await delivery.put(held(before, delivery.row(what, version), judgement, delivery.clock()));
    return verdict === 'pass' ? reason : undefined;
  }
}

const states = { pass: 'skipped', wait: 'waiting', retry: 'planned', fail: 'failed' } as const;

/**
 * The row of what could not be done. What may be in the chart stays unclear, and its next look stays when it is. A row
 * that is tried again keeps the time since when, so that the tries become fewer and end after a day.
 */
function held(
  before: LedgerEntry | undefined,
  row: LedgerEntry,
  { verdict, reason }: Pick<Judgement, 'verdict' | 'reason'>,
  now: Date,
): LedgerEntry {
  const isKept = row.state === 'unknown' || row.state === 'stored';
  const isTriedAgain = isKept || (before?.state === 'planned' && verdict === 'retry');
  const since = isKept ? row.at : before?.at;
  const next: LedgerEntry = { ...row, reason, at: isTriedAgain && since !== undefined ? since : now.toISOString() };
  if (verdict === 'retry' && isTriedAgain && isGivenUp(next, now))
    return { ...next, state: 'failed', at: now.toISOString() };
  if (isKept && (verdict === 'retry' || verdict === 'wait')) return next;
  return { ...next, state: states[verdict] };
}

function payerLetterVersion(bytes: Uint8Array): string {
  return fingerprint(Buffer.from(bytes).toString('base64'));
}
