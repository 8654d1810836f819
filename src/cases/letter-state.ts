import type { PriorAuthorization } from '../core/contract/prior-authorization.ts';
import type { StoredEvent } from '../store/types.ts';
import { letterEntry } from './service-record.ts';

/** Whether the payer's letter was fetched, is awaited, or could not be fetched in time, according to the events. */
export type LetterStanding =
  | { readonly is: 'none' | 'kept' | 'due' }
  /** Not fetched in time: `at` is when the bridge stopped trying, `code` the last answer. */
  | { readonly is: 'given-up'; readonly at: string; readonly code: string };

export function letterStanding(record: PriorAuthorization | undefined, events: readonly StoredEvent[]): LetterStanding {
  const entry = letterEntry(record);
  if (entry === undefined) return { is: 'none' };
  const own = events.filter(({ facts }) => facts.letter === entry.id);
  if (own.some(({ type }) => type === 'letter_kept')) return { is: 'kept' };
  const last = own.findLast(({ type }) => type === 'letter_given_up' || type === 'letter_asked');
  if (last?.type !== 'letter_given_up') return { is: 'due' };
  return { is: 'given-up', at: last.at, code: String(last.facts.code) };
}

/** true while the record lists a letter of the payer that is not fetched yet. */
export function letterIsDue(record: PriorAuthorization | undefined, events: readonly StoredEvent[]): boolean {
  return letterStanding(record, events).is === 'due';
}
