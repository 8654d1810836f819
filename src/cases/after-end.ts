import type { CaseColumns } from '../store/types.ts';

/**
 * Seconds after the last change of a request that has ended at which its record is read again: not every change comes
 * with a webhook.
 */
export const readAgainAfter: readonly number[] = [3600, 86400, 604800];

/** Seconds until another reading where one failed, or found something that was not there before. */
export const readOnceMoreAfter = 3600;

/** Seconds after the last change from which on nothing more is read, whatever the last reading was. */
export const readAgainUntil = 691200;

type Ended = Pick<CaseColumns, 'changedAt' | 'endedAt' | 'readAt'>;

/** Whether one of these times has come since the record was last read. `CaseFilter.unreadAfter` asks the same. */
export function isReadDue(ended: Ended, now: Date): boolean {
  const age = secondsSinceChange(ended, now);
  const read = ended.readAt === undefined ? age : (now.getTime() - Date.parse(ended.readAt)) / 1000;
  return age < readAgainUntil && readAgainAfter.some((seconds) => seconds <= age && age - read < seconds);
}

/** Whether another reading may still follow one that failed, or that found something new. */
export function isReadAgain(ended: Ended, now: Date): boolean {
  return secondsSinceChange(ended, now) + readOnceMoreAfter < readAgainUntil;
}

function secondsSinceChange({ changedAt, endedAt }: Ended, now: Date): number {
  const since = changedAt ?? endedAt;
  return since === undefined ? Number.POSITIVE_INFINITY : (now.getTime() - Date.parse(since)) / 1000;
}
