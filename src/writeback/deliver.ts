import { type Delivery, type Desk, plannedRow } from './desk.ts';
import { fingerprint, hasLetter, letterVersion } from './item.ts';
import { type Carrier, planOf, type Step, stepOf, type Writable } from './ladder.ts';
import { type LedgerEntry, record, rowOf, type Written } from './ledger.ts';
import { letterOf, renderLetter } from './letter.ts';
import { createOnce } from './place.ts';
import { communicationOf, type Document, documentOf, taskOf, taskVersion } from './resources.ts';
import { putTask } from './task.ts';
import { judge } from './verdict.ts';

/** The ledger after a delivery. */
export interface Delivered {
  readonly rows: readonly LedgerEntry[];
  /** Something is worth another try later, by itself. */
  readonly retry: boolean;
}

/**
 * Brings a chart up to date with a case: the letter first (only once there is an outcome), then the Task that points to it.
 * What stands there already is not written again. Throws only what stops everything: the EHR cannot be reached, a ledger row
 * cannot be stored.
 */
export async function deliver(desk: Desk): Promise<Delivered> {
  const delivery = await begin(desk);
  const plan = planOf(desk.site.writeback.rungs, (type) => stepOf(type, delivery.statement, desk.api.scopes, desk.refused));
  if (hasLetter(desk.item)) await deliverOutcome(delivery, plan.carriers);
  await deliverTask(delivery, plan.task);
  const rows = delivery.rows();
  return { rows, retry: rows.some((row) => ['planned', 'in_flight', 'unknown'].includes(row.state)) };
}

async function begin(desk: Desk): Promise<Delivery> {
  const statement = await desk.api.capabilities();
  let rows = desk.item.writes;
  const now = () => desk.clock().toISOString();
  return {
    ...desk,
    statement,
    now,
    rows: () => rows,
    row: (what, version) => plannedRow(rows, what, version, now()),
    async put(entry) {
      rows = record(rows, entry);
      await desk.save(entry);
      return entry;
    },
  };
}

async function deliverOutcome(delivery: Delivery, carriers: readonly Carrier[]): Promise<void> {
  const version = letterVersion(delivery.item);
  if (isDone(delivery, 'document', version) || isDone(delivery, 'communication', version)) return await deliverDetermination(delivery, carriers);
  const reasons: string[] = [];
  for (const carrier of carriers) {
    if ('reason' in carrier) {
      reasons.push(carrier.reason);
      continue;
    }
    const passed = carrier.type === 'DocumentReference' ? await deliverLetter(delivery, carrier, version) : await deliverMessage(delivery, carrier, version);
    if (passed === undefined) return await deliverDetermination(delivery, carriers);
    reasons.push(passed);
  }
  const why = reasons.length === 0 ? 'the site asks for no document' : reasons.join('; ');
  await delivery.put({ ...delivery.row('document', version), state: 'skipped', reason: `${why}; the letter is on the case page`, at: delivery.now() });
}

async function deliverLetter(delivery: Delivery, carrier: Carrier, version: string): Promise<string | undefined> {
  const bytes = await renderLetter(letterOf(delivery.item), new Date(delivery.item.changedAt ?? delivery.now()));
  return await deliverDocument(delivery, carrier, { what: 'document', version, bytes, description: 'Prior authorization outcome' });
}

async function deliverDetermination(delivery: Delivery, carriers: readonly Carrier[]): Promise<void> {
  const bytes = delivery.determination;
  const carrier = carriers.find((each) => each.type === 'DocumentReference' && 'reach' in each);
  if (bytes === undefined || carrier === undefined) return;
  const version = fingerprint(Buffer.from(bytes).toString('base64'));
  if (isDone(delivery, 'determination', version)) return;
  const passed = await deliverDocument(delivery, carrier, { what: 'determination', version, bytes, description: 'Prior authorization determination letter of the payer' });
  if (passed !== undefined) await delivery.put({ ...delivery.row('determination', version), state: 'skipped', reason: passed, at: delivery.now() });
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
    const { resource, identifier } = communicationOf(delivery, letterOf(delivery.item), version);
    return await createOnce(delivery, { row, resource, identifier, reach });
  });
}

async function deliverTask(delivery: Delivery, step: Step): Promise<void> {
  const version = taskVersion(delivery.item, delivery.rows());
  if (isDone(delivery, 'task', version)) return;
  const passed =
    'reason' in step
      ? step.reason
      : await attempt(delivery, { type: 'Task', ...step }, 'task', version, async (row, reach) => {
          const { resource, identifier } = taskOf(delivery, delivery.rows());
          return await putTask(delivery, row, resource, identifier, reach);
        });
  if (passed !== undefined) await delivery.put({ ...delivery.row('task', version), state: 'skipped', reason: passed, at: delivery.now() });
}

type Write = (row: LedgerEntry, reach: Extract<Step, { reach: unknown }>['reach']) => Promise<LedgerEntry>;

async function attempt(delivery: Delivery, step: { readonly type: Writable } & Step, what: Written, version: string, write: Write): Promise<string | undefined> {
  if ('reason' in step) return step.reason;
  try {
    await write(delivery.row(what, version), step.reach);
    return undefined;
  } catch (error) {
    const { verdict, reason, lasting } = judge(error);
    delivery.log.warn({ case: delivery.item.id, what, verdict, reason }, 'write-back');
    if (lasting) delivery.refused.set(step.type, reason);
    if (verdict === 'pass') return reason;
    const row = delivery.row(what, version);
    await delivery.put({ ...row, state: row.state === 'unknown' && verdict !== 'fail' ? 'unknown' : states[verdict], reason, at: delivery.now() });
    return undefined;
  }
}

// A write whose answer was lost stays `unknown` until the chart was searched.
const states = { wait: 'waiting', retry: 'planned', fail: 'failed' } as const;

function isDone(delivery: Delivery, what: Written, version: string): boolean {
  const row = rowOf(delivery.rows(), what);
  return row?.version === version && row.state === 'done';
}
