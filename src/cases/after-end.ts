import type { CaseColumns } from '../store/types.ts';

/**
 * Seconds after the last change at which the record of an ended request is read again, because not every change
 * triggers a webhook.
 */
export const readAgainAfter: readonly number[] = [3600, 86400, 604800];

/** Seconds until the next reading, after a reading that failed or found something new. */
export const readOnceMoreAfter = 3600;

/** Seconds after the last change from which on the record is not read again, whatever the last reading found. */
export const readAgainUntil = 691200;

type Ended = Pick<CaseColumns, 'changedAt' | 'endedAt' | 'readAt'>;

/**
 * Whether another reading of the record has come due since the last reading. `CaseFilter.unreadAfter` applies the same
 * rule.
 */
export function isReadDue(ended: Ended, now: Date): boolean {
  const age = secondsSinceChange(ended, now);
  const read = ended.readAt === undefined ? age : (now.getTime() - Date.parse(ended.readAt)) / 1000;
  return age < readAgainUntil && readAgainAfter.some((seconds) => seconds <= age && age - read < seconds);
}

/** Whether there is time for another reading after a reading that failed or found something new. */
export function isReadAgain(ended: Ended, now: Date): boolean {
  return secondsSinceChange(ended, now) + readOnceMoreAfter < readAgainUntil;
}

function secondsSinceChange({ changedAt, endedAt }: Ended, now: Date): number {
  const since = changedAt ?? endedAt;
  return since === undefined ? Number.POSITIVE_INFINITY : (now.getTime() - Date.parse(since)) / 1000;
}
