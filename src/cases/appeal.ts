import { visibleOutcome } from '../service/outcome-words.ts';
import type { StoredEvent } from '../store/types.ts';
import { type ListedCase, recordOf } from './case.ts';

export function isDenied(one: ListedCase): boolean {
  const record = recordOf(one);
  return one.state === 'ended' && record !== undefined && visibleOutcome(record)?.kind === 'denied';
}

/**
 * The appeal deadline that a person entered from the payer's letter: the day (YYYY-MM-DD), and when it was entered.
 * Undefined if none was entered, or if it was removed.
 */
export function appealNote(events: readonly StoredEvent[]): { readonly on: string; readonly at: string } | undefined {
  const last = events.findLast(({ type }) => type === 'appeal_noted');
  const on = last?.facts.on;
  return last === undefined || typeof on !== 'string' || on === '' ? undefined : { on, at: last.at };
}
