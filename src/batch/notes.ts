import type { PartNotes } from './engine.ts';
import type { FileLedger } from './ledger.ts';

export function emptyNotes(): PartNotes {
  return { patients: 0, conflicts: [], unread: [], deletions: [] };
}

/** Notes what a part told into the ledgers of its files. */
export function tellNotes({ conflicts, unread, deletions }: PartNotes, ledgers: ReadonlyMap<string, FileLedger>): void {
  for (const { file, ...problem } of conflicts) ledgers.get(file)?.conflict(problem);
  for (const { file, type, ...problem } of unread) ledgers.get(file)?.unread(problem, type);
  for (const { file, ...at } of deletions) ledgers.get(file)?.deletes(at);
}
