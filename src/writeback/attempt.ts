import { BridgeError } from '../core/errors.ts';
import type { ChannelStep } from './channel-plan.ts';
import { type Delivery, type DeliveryRequest, noteRefusal, Unsaved } from './delivery.ts';
import {
  because,
  type LedgerEntry,
  mayBeDoubled,
  mayExist,
  record,
  rowBefore,
  rowOf,
  staleTask,
  type WrittenKind,
} from './ledger.ts';
import { isUnclear, outstanding } from './outstanding.ts';
import { isGivenUp, type Judgement, judgeFailure, secondsAsked, secondsToNextTry, triedOnceMore } from './retry.ts';

/** The ledger after a delivery. */
export interface DeliveryAttempt {
  readonly rows: readonly LedgerEntry[];
  /**
   * Seconds until the chart must be checked, or the write tried, again; absent if nothing more happens automatically.
   */
  readonly again?: { readonly seconds: number };
  readonly heldSeconds?: number;
  /** Why the Task in the chart does not have the current status of the request. */
  readonly stale?: string;
}

/** Returns undefined if the row is final or will be retried; else why the next channel should be tried. */
export async function attempt(
  delivery: Delivery,
  step: ChannelStep,
  what: WrittenKind,
  version: string,
  write: (row: LedgerEntry) => Promise<void>,
): Promise<string | undefined> {
  delivery.touched.add(`${what} ${version}`);
  const before = rowOf(delivery.rows(), what, version);
  const row = delivery.row(what, version);
  if (step.reason !== undefined && row.reference === undefined && !mayExist(row)) return step.reason;
  const [busy] = delivery.busy;
  try {
    if (busy !== undefined) throw busy;
    await write(row);
    return undefined;
  } catch (error) {
    if (error instanceof Unsaved) throw error;
    noteBusy(delivery, error);
    const judgement = judgeFailure(error);
    const { verdict, reason } = judgement;
    delivery.log.warn({ case: delivery.facts.id, what, verdict, reason }, 'write-back');
    noteRefusal(delivery, step.type, judgement);
    if (verdict === 'wait') delivery.paused.add(`${what} ${version}`);
    await delivery.put(held(before, delivery.row(what, version), judgement, delivery));
    return verdict === 'pass' ? reason : undefined;
  }
}

/** Records a response in which the EHR asks not to be called for a while. */
export function noteBusy({ busy }: Pick<Delivery, 'busy'>, error: unknown): void {
  if (error instanceof BridgeError && secondsAsked(error) !== undefined) busy.push(error);
}

/** Seconds before the second attempt. */
const firstWaitSeconds = 30;

const states = { pass: 'skipped', wait: 'waiting', retry: 'planned', fail: 'failed' } as const;

/**
 * Returns the row of a write that failed. A row that may be in the chart stays unclear, and its next check keeps its
 * time. A retried row keeps the time of its first failure, so that retries become less frequent and end after a day.
 */
function held(
  before: LedgerEntry | undefined,
  row: LedgerEntry,
  { verdict, reason, says }: Pick<Judgement, 'verdict' | 'reason' | 'says'>,
  { clock, retrySeconds = firstWaitSeconds }: Pick<DeliveryRequest, 'clock' | 'retrySeconds'>,
): LedgerEntry {
  const now = clock();
  const isKept = row.state === 'unknown' || row.state === 'stored';
  const isTriedAgain = isKept || (before?.state === 'planned' && verdict === 'retry');
  const since = isKept ? row.at : before?.at;
  const at = isTriedAgain && since !== undefined ? since : now.toISOString();
  const tried = { ...before, ...row, at };
  const tries = verdict === 'retry' ? triedOnceMore(tried, now, retrySeconds) : {};
  const why = { reason, ...(says === undefined ? {} : { says }) };
  const next: LedgerEntry = { ...because(row, why), at, ...tries };
  if (verdict === 'retry' && isTriedAgain && isGivenUp(next, now))
    return { ...next, state: 'failed', at: now.toISOString() };
  if (isKept && (verdict === 'retry' || verdict === 'wait')) return next;
  return { ...next, state: states[verdict] };
}

export async function skip(delivery: Delivery, what: WrittenKind, version: string, reason: string): Promise<void> {
  await delivery.put({ ...delivery.row(what, version), state: 'skipped', reason, at: delivery.now() });
}

/** What a delivery needs if the EHR cannot be called. */
export type Postponed = Pick<DeliveryRequest, 'site' | 'facts' | 'letters' | 'save' | 'retrySeconds' | 'clock'>;

/**
 * Records on the missing rows why nothing can be written: there is no token, or the EHR is unreachable. Rows that may
 * already be in the chart are left unchanged, because the chart must be checked for them first.
 */
export async function holdUp(
  request: Postponed,
  judgement: Pick<Judgement, 'verdict' | 'reason' | 'says'>,
  busy: readonly BridgeError[] = [],
): Promise<DeliveryAttempt> {
  const { site, facts, letters } = request;
  let rows = facts.writes;
  for (const row of outstanding(site, facts, letters)) {
    if (isUnclear(row) || mayBeDoubled(row)) continue;
    const next = held(rowOf(rows, row.what, row.version), row, judgement, request);
    const before = rowBefore(rows, next);
    rows = record(rows, next);
    await request.save(next, before);
  }
  return delivered(request, rows, () => judgement.verdict === 'wait', busy);
}

export function delivered(
  { site, facts, letters, clock, retrySeconds = firstWaitSeconds }: Postponed,
  rows: readonly LedgerEntry[],
  isPaused: (row: LedgerEntry) => boolean,
  busy: readonly BridgeError[] = [],
): DeliveryAttempt {
  const due = outstanding(site, { ...facts, writes: rows }, letters)
    .filter((row) => !isPaused(row))
    .flatMap((row) => secondsToNextTry(row, clock(), retrySeconds) ?? []);
  const asked = busy.flatMap((error) => secondsAsked(error) ?? []);
  const stale = staleTask(rows);
  return {
    rows,
    ...(due.length === 0 ? {} : { again: { seconds: Math.max(1, ...asked, Math.ceil(Math.min(...due))) } }),
    ...(asked.length === 0 ? {} : { heldSeconds: Math.max(...asked) }),
    ...(stale === undefined ? {} : { stale }),
  };
}
