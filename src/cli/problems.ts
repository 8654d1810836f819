import { placed } from '../batch/file-ledger.ts';
import type { MapEvent } from '../batch/map.ts';
import type { Io } from './io.ts';

/** Reports on stderr the unreadable parts of a file; returns whether there were any. */
export function reportProblems(event: MapEvent, io: Io): boolean {
  if (event.kind !== 'file') return false;
  const { file, problems } = event.outcome;
  for (const problem of problems) io.stderr.write(`${file}: ${placed(problem)}\n`);
  return problems.length > 0;
}
