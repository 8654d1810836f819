import { asBridgeError, BridgeError, type ErrorCode, errors } from '../core/errors.ts';
import { saidBy } from '../core/fhir/ehr-says.ts';
import type { Reaches } from './create-refusals.ts';
import { type LedgerEntry, looksBeforeAnother, mayBeDoubled } from './ledger.ts';

/**
 * What follows from a failed write. `pass`: this EHR does not accept the type, so the next channel is tried. `fail`: a
 * person must look. `wait`: the next launch brings a token. `retry`: the bridge tries again later.
 */
export type RetryVerdict = 'pass' | 'fail' | 'wait' | 'retry';

const verdicts: Partial<Record<ErrorCode, RetryVerdict>> = {
  ehr_forbidden: 'pass',
  ehr_write_refused: 'fail',
  patient_mismatch: 'fail',
  mapping_invalid: 'fail',
  relaunch_required: 'wait',
  launch_not_found: 'wait',
  ehr_denied: 'wait',
  token_failed: 'retry',
  client_refused: 'retry',
  ehr_unreachable: 'retry',
  ehr_error: 'retry',
  ehr_conflict: 'retry',
  ehr_write_unclear: 'retry',
  ehr_change_not_shown: 'retry',
  ehr_not_fhir: 'retry',
  discovery_failed: 'retry',
  store_unavailable: 'retry',
};

/**
 * Statuses with which the EHR does not support an operation, whatever its CapabilityStatement says. 501 concerns all
 * resources (RFC 9110 15.6.2). 405 and 404 concern a URL, which may be that of a single resource.
 */
const notOffered: ReadonlyMap<number | undefined, Reaches> = new Map([
  [404, 'case'],
  [405, 'case'],
  [501, 'site'],
]);

export interface Judgement {
  readonly verdict: RetryVerdict;
  /** For the ledger and staff: the bridge's own text with the HTTP status, never a text of the EHR. */
  readonly reason: string;
  /** The EHR's own message, shown only on the page of the request. */
  readonly says?: string;
  /**
   * Whether only this case, or the whole site, should not ask the EHR for this operation again; absent if all may ask
   * again.
   */
  readonly reaches?: Reaches;
}

const longestSays = 600;

/** Never throws. Anything other than a BridgeError is a defect, so the write fails. */
export function judgeFailure(thrown: unknown): Judgement {
  const error = asBridgeError(thrown);
  const http = typeof error.facts.http === 'number' ? error.facts.http : undefined;
  const answered = error.code === 'ehr_write_refused' || error.code === 'ehr_error';
  const reaches = answered ? notOffered.get(http) : undefined;
  const says = saidBy(error).slice(0, longestSays);
  return {
    verdict: reaches === undefined ? verdictOf(error.code, http) : 'pass',
    reason: reasonOf(error, http),
    ...(says === '' ? {} : { says }),
    ...(reaches === undefined ? {} : { reaches }),
  };
}

/** A resource that is too large stays too large, so it is not retried. Another channel may send less. */
const tooLarge = 413;

// A request that the EHR does not understand fails at every retry. A timeout or a full queue is temporary.
function verdictOf(code: ErrorCode, http: number | undefined): RetryVerdict {
  if (http === tooLarge) return 'pass';
  const final = code === 'ehr_error' && http !== undefined && http >= 400 && http < 500 && http !== 408 && http !== 429;
  return final ? 'fail' : (verdicts[code] ?? 'fail');
}

function reasonOf(error: BridgeError, http: number | undefined): string {
  const answer = http === tooLarge ? `HTTP ${http}: larger than it takes` : `HTTP ${http}`;
  return `${errors[error.code].title.replace(/\.$/, '')}${http === undefined ? '' : ` (${answer})`}`;
}

/**
 * Seconds from the lost response to each search of the chart. The last two apply only if the resource is not written
 * again.
 */
const lookAt = [30, 120, 600, 1200, 3600] as const;
/** Seconds from the last write to each search for late arrivals: another copy, or an older update. */
const lookForDoubleAt = [1200, 3600] as const;
const longestWaitSeconds = 2 * 3600;
/**
 * A person must check only after a day and also this many attempts, because the bridge may have been stopped on that
 * day.
 */
const longestTrySeconds = 24 * 3600;
const mostTries = 10;
/**
 * Waits before the second, third and fourth attempt, as multiples of the first wait. Each later wait is twice as long.
 */
const waitFactors = [1, 4, 20] as const;

/** Seconds for which the EHR asks not to be called, at most two hours; undefined if it does not ask. */
export function secondsAsked(thrown: unknown): number | undefined {
  const asked = thrown instanceof BridgeError ? thrown.facts.retry_after_seconds : undefined;
  return typeof asked === 'number' ? Math.min(longestWaitSeconds, asked) : undefined;
}

export function isLookDue(row: LedgerEntry, now: Date): boolean {
  return secondsSince(row, now) >= secondsToLook(row);
}

/** Whether a resource in the chart was not searched for a second copy yet. */
export function isFirstLook({ looks = 0 }: LedgerEntry): boolean {
  return looks <= looksBeforeAnother;
}

function secondsToLook(row: LedgerEntry): number {
  if (mayBeDoubled(row)) return isFirstLook(row) ? lookForDoubleAt[0] : lookForDoubleAt[1] - lookForDoubleAt[0];
  const looks = row.looks ?? 0;
  return (lookAt[looks] ?? 0) - (looks === 0 ? 0 : (lookAt[looks - 1] ?? 0));
}

/** Whether a row was tried for so long that a person must check it. */
export function isGivenUp(row: LedgerEntry, now: Date): boolean {
  return secondsSince(row, now) >= longestTrySeconds && triesOf(row) >= mostTries;
}

/**
 * Returns the attempts of a row after another failure, and the time of that failure. An attempt before its time, caused
 * by a new event, is not counted.
 */
export function triedOnceMore(
  row: LedgerEntry,
  now: Date,
  first: number,
): { readonly tries: number; readonly triedAt: string } {
  const before = triesOf(row);
  const isInTime = before === 0 || secondsSinceTry(row, now) >= waitAfter(before, first);
  return { tries: isInTime ? before + 1 : before, triedAt: now.toISOString() };
}

// Attempts before the row got its state, or before the last search of the chart, are not counted.
function triesOf({ tries = 0, triedAt, at }: LedgerEntry): number {
  return triedAt !== undefined && Date.parse(triedAt) >= Date.parse(at) ? tries : 0;
}

function waitAfter(tries: number, first: number): number {
  const last = waitFactors.length - 1;
  const factor = waitFactors[Math.max(0, tries - 1)] ?? (waitFactors[last] ?? 1) * 2 ** (tries - 1 - last);
  return Math.min(longestWaitSeconds, first * factor);
}

function secondsSinceTry(row: LedgerEntry, now: Date): number {
  return triesOf(row) === 0 ? 0 : secondsBetween(row.triedAt ?? row.at, now);
}

export function secondsSince(row: LedgerEntry, now: Date): number {
  return secondsBetween(row.at, now);
}

function secondsBetween(then: string, now: Date): number {
  return Math.max(0, (now.getTime() - Date.parse(then)) / 1000);
}

/**
 * Returns the seconds until another delivery is useful. That is the next search of the chart, or else the wait after
 * the last attempt: `first`, then 4 and 20 times `first`, then twice as long each, at most two hours. Undefined if
 * nothing happens automatically.
 *
 * @example secondsToNextTry({ ...row, state: 'planned', tries: 2, triedAt: now.toISOString() }, now, 30) // 120
 */
export function secondsToNextTry(row: LedgerEntry, now: Date, first: number): number | undefined {
  const wait = waitAfter(triesOf(row), first);
  const left = wait - secondsSinceTry(row, now);
  const another = left > 0 ? left : wait;
  if (row.state === 'planned' || row.state === 'in_flight') return another;
  if (row.state !== 'unknown' && row.state !== 'stored' && !mayBeDoubled(row)) return undefined;
  const toLook = secondsToLook(row) - secondsSince(row, now);
  return toLook > 0 ? toLook : another;
}
