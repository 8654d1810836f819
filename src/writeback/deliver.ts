import type { Site } from '../config.ts';
import { type CaseFacts, fingerprint, hasLetter, isTakenBack, leftAt, letterVersion } from './case-facts.ts';
import { createOnce } from './create-once.ts';
import { type Delivery, type DeliveryRequest, plannedRow } from './delivery.ts';
import { type Carrier, planOf, type Step, stepOf, tried, type Writable } from './ladder.ts';
import { type LedgerEntry, record, rowOf, type Written } from './ledger.ts';
import { communicationOf } from './resources/communication.ts';
import { type Document, documentOf } from './resources/document-reference.ts';
import { letterOf, renderLetter } from './resources/letter.ts';
import { taskOf, taskVersion } from './resources/task.ts';
import { judge } from './retry.ts';
import { putTask } from './update-task.ts';

/** The ledger after a delivery. */
export interface Delivered {
  readonly rows: readonly LedgerEntry[];
  /** Something is worth another try later, by itself. */
  readonly retry: boolean;
}

/**
 * Brings a chart up to date with a case: the letter first (only once there is an outcome), then the Task that points to
 * it.
 * What stands there already is not written again. Throws only what stops everything: the EHR cannot be reached, a
 * ledger row
 * cannot be stored.
 */
export async function deliver(request: DeliveryRequest): Promise<Delivered> {
  const delivery = await begin(request);
  const plan = planOf(request.site.writeback.rungs, (type) =>
    stepOf(type, delivery.statement, request.api.scopes, request.refused),
  );
  if (hasLetter(request.facts)) await deliverOutcome(delivery, plan.carriers);
  await deliverTask(delivery, plan.task);
  const rows = delivery.rows();
  return { rows, retry: rows.some((row) => ['planned', 'in_flight', 'unknown'].includes(row.state)) };
}

/**
 * The rows that a chart still lacks as far as the site asks for them: planned ones for what was never tried, and those
 * that
 * wait, are unclear or were left. Rows that were skipped or failed for this version are left to a person.
 */
export function outstanding(site: Site, facts: CaseFacts): LedgerEntry[] {
  const since = leftAt(facts);
  if (since === undefined || !isTold(facts)) return [];
  const rungs = tried(site.writeback.rungs);
  const letter =
    hasLetter(facts) && rungs.length > 0 ? [plannedRow(facts.writes, 'document', letterVersion(facts), since)] : [];
  const task = rungs.includes('task+document')
    ? [plannedRow(facts.writes, 'task', taskVersion(facts, facts.writes), since)]
    : [];
  // The payer's own letter is wanted only where it could be fetched; a row tells that it was tried.
  const determination = facts.writes.filter((row) => row.what === 'determination');
  const settled = (row: LedgerEntry) =>
    isSettled(facts.writes, row.what, row.version) ||
    (row.what === 'document' && isSettled(facts.writes, 'communication', row.version));
  return [...letter, ...determination, ...task].filter((row) => !settled(row));
}

// While a request is on its way there is nothing to say yet; one that did not arrive is said only where its Task may
// stand.
function isTold(facts: CaseFacts): boolean {
  if (isTakenBack(facts))
    return facts.writes.some(
      (row) =>
        row.what === 'task' && (row.reference !== undefined || row.state === 'in_flight' || row.state === 'unknown'),
    );
  return !['draft', 'sending', 'refused'].includes(facts.state);
}

async function begin(request: DeliveryRequest): Promise<Delivery> {
  const statement = await request.api.capabilities();
  let rows = request.facts.writes;
  const now = () => request.clock().toISOString();
  return {
    ...request,
    statement,
    now,
    rows: () => rows,
    row: (what, version) => plannedRow(rows, what, version, now()),
    async put(entry) {
      rows = record(rows, entry);
      await request.save(entry);
      return entry;
    },
  };
}

async function deliverOutcome(delivery: Delivery, carriers: readonly Carrier[]): Promise<void> {
  const version = letterVersion(delivery.facts);
  if (!isSettled(delivery.rows(), 'document', version) && !isSettled(delivery.rows(), 'communication', version)) {
    await supersede(delivery, version);
    await carryLetter(delivery, carriers, version);
  }
  await deliverDetermination(delivery, carriers);
}

async function carryLetter(delivery: Delivery, carriers: readonly Carrier[], version: string): Promise<void> {
  const reasons: string[] = [];
  for (const carrier of carriers) {
    const write = carrier.type === 'DocumentReference' ? deliverLetter : deliverMessage;
    const passed = 'reason' in carrier ? carrier.reason : await write(delivery, carrier, version);
    if (passed === undefined) return;
    reasons.push(passed);
    const why = `${reasons.join('; ')}; the letter is on the case page`;
    if (carrier === carriers.at(-1))
      await delivery.put({ ...delivery.row('document', version), state: 'skipped', reason: why, at: delivery.now() });
  }
}

// A letter that never got into the chart is not wanted any more once the outcome has changed.
async function supersede(delivery: Delivery, version: string): Promise<void> {
  const old = delivery
    .rows()
    .filter(
      (row) =>
        (row.what === 'document' || row.what === 'communication') &&
        row.version !== version &&
        !['done', 'skipped'].includes(row.state),
    );
  for (const row of old)
    await delivery.put({ ...row, state: 'skipped', reason: 'the outcome has changed since', at: delivery.now() });
}

async function deliverLetter(delivery: Delivery, carrier: Carrier, version: string): Promise<string | undefined> {
  const bytes = await renderLetter(letterOf(delivery.facts), new Date(delivery.facts.changedAt ?? delivery.now()));
  return await deliverDocument(delivery, carrier, { what: 'document', version, bytes });
}

async function deliverDetermination(delivery: Delivery, carriers: readonly Carrier[]): Promise<void> {
  const bytes = delivery.determination;
  const carrier = carriers.find((each) => each.type === 'DocumentReference' && 'reach' in each);
  if (bytes === undefined || carrier === undefined) return;
  const version = fingerprint(Buffer.from(bytes).toString('base64'));
  if (isSettled(delivery.rows(), 'determination', version)) return;
  const passed = await deliverDocument(delivery, carrier, { what: 'determination', version, bytes });
  if (passed !== undefined)
    await delivery.put({
      ...delivery.row('determination', version),
      state: 'skipped',
      reason: passed,
      at: delivery.now(),
    });
}

/** undefined when the row has its end or will be tried again; else why the next carrier should be tried. */
async function deliverDocument(delivery: Delivery, carrier: Carrier, document: Document): Promise<string | undefined> {
  return await attempt(delivery, carrier, document.what, document.version, async (row, reach) => {
    const { resource, identifier } = documentOf(delivery, document);
    return await createOnce(delivery, { row, resource, identifier, reach });
  });
}

async function deliverMessage(delivery: Delivery, carrier: Carrier, version: string): Promise<string | undefined> {
  return await attempt(delivery, carrier, 'communication', version, async (row, reach) => {
    const { resource, identifier } = communicationOf(delivery, letterOf(delivery.facts), version);
    return await createOnce(delivery, { row, resource, identifier, reach });
  });
}

async function deliverTask(delivery: Delivery, step: Step): Promise<void> {
  const version = taskVersion(delivery.facts, delivery.rows());
  if (isSettled(delivery.rows(), 'task', version)) return;
  const passed =
    'reason' in step
      ? step.reason
      : await attempt(delivery, { type: 'Task', ...step }, 'task', version, async (row, reach) => {
          const { resource, identifier } = taskOf(delivery, delivery.rows());
          return await putTask(delivery, row, resource, identifier, reach);
        });
  if (passed !== undefined)
    await delivery.put({ ...delivery.row('task', version), state: 'skipped', reason: passed, at: delivery.now() });
}

type Write = (row: LedgerEntry, reach: Extract<Step, { reach: unknown }>['reach']) => Promise<LedgerEntry>;

async function attempt(
  delivery: Delivery,
  step: { readonly type: Writable } & Step,
  what: Written,
  version: string,
  write: Write,
): Promise<string | undefined> {
  if ('reason' in step) return step.reason;
  try {
    await write(delivery.row(what, version), step.reach);
    return undefined;
  } catch (error) {
    const { verdict, reason, lasting } = judge(error);
    delivery.log.warn({ case: delivery.facts.id, what, verdict, reason }, 'write-back');
    if (lasting) delivery.refused.set(step.type, reason);
    const row = delivery.row(what, version);
    if (verdict === 'pass') {
      // Not `in_flight` any more; the caller says what becomes of it.
      await delivery.put({ ...row, state: 'skipped', reason, at: delivery.now() });
      return reason;
    }
    await delivery.put({
      ...row,
      state: row.state === 'unknown' && verdict !== 'fail' ? 'unknown' : states[verdict],
      reason,
      at: delivery.now(),
    });
    return undefined;
  }
}

// A write whose answer was lost stays `unknown` until the chart was searched.
const states = { wait: 'waiting', retry: 'planned', fail: 'failed' } as const;

/** Delivered, or left to a person: nothing more is tried for this version. */
function isSettled(rows: readonly LedgerEntry[], what: Written, version: string): boolean {
  const row = rowOf(rows, what);
  return row?.version === version && ['done', 'skipped', 'failed'].includes(row.state);
}
