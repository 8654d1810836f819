import type { PriorAuthorization } from '../service/contract.ts';
import type { StoredEvent } from '../store/types.ts';
import { letterEntry } from './record.ts';

/** true while the record names a letter of the payer that was not fetched yet. */
export function letterIsDue(record: PriorAuthorization | undefined, events: readonly StoredEvent[]): boolean {
  const entry = letterEntry(record);
  return entry !== undefined && !events.some(({ type, facts }) => type === 'letter_kept' && facts.letter === entry.id);
}
