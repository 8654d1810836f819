import type { InputFile, Inputs } from './input.ts';
import { openLedger } from './ledger.ts';
import type { FileOutcome } from './outcome.ts';

/** What stands for paths that cannot be read. */
export function problemsOf({ problems }: Inputs): FileOutcome[] {
  return problems.map(({ path, reason }) => {
    const ledger = openLedger(path);
    ledger.unreadable({ reason });
    return ledger.outcome();
  });
}

/** Files that belong together. */
export function foldersOf({ files }: Inputs): readonly (readonly InputFile[])[] {
  return [...Map.groupBy(files, (file) => file.pool).values()];
}
