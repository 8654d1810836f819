import type { Kind } from '../core/contract/kinds.ts';
import { pollFactor } from '../service/polling-pace.ts';
import { firstStatusOf } from '../service/record-outcome.ts';

/** The older a request is, the less often its status is polled. */
const ageFactors: readonly { readonly underHours: number; readonly factor: number }[] = [
  { underHours: 1, factor: 1 },
  { underHours: 24, factor: 4 },
  { underHours: 72, factor: 10 },
  { underHours: Number.POSITIVE_INFINITY, factor: 20 },
];

const longestSeconds = 4 * 3600;

export interface Polled {
  /** A `Kind`, as stored. */
  readonly kind: string;
  readonly status?: string;
  readonly sentAt?: string;
  /** The error code of the case's problem. */
  readonly problem?: string;
}

/**
 * Seconds until the record of an open case is read again. `base` is config.pollSeconds; after a failed reading the
 * delay is eight times as long.
 */
export function pollDelay(current: Polled, base: number, now: Date): number {
  const hours = current.sentAt === undefined ? 0 : (now.getTime() - Date.parse(current.sentAt)) / 3_600_000;
  const age = ageFactors.find((row) => hours < row.underHours)?.factor ?? 1;
  const kind = current.kind as Kind; // only `newCase` writes this column
  const state = Math.max(1, pollFactor(kind, current.status ?? firstStatusOf(kind)));
  const failed = current.problem === undefined || current.problem === 'service_second_request' ? 1 : 8;
  return Math.min(longestSeconds, base * state * age * failed);
}
