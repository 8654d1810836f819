import { isUtf8 } from 'node:buffer';
import { damagedIn } from './damaged-in.ts';
import { readDocument } from './document.ts';
import { createDuplicates } from './duplicates.ts';
import { parseJson } from './json.ts';
import { chartsOfGroup, type GroupWork, mapTogether, type OrderToMap } from './map-group.ts';
import type { OrderOutcome } from './outcome.ts';
import { createPool, type Pool } from './pool.ts';
import { outcomesOfRepeats } from './repeat-outcomes.ts';
import { serversNamed } from './servers.ts';

/** A line that gives no order, and why: it cannot be read, or part of it cannot. */
export interface UnreadableLine {
  readonly file: string;
  readonly line: number;
  readonly path?: string;
  readonly state: 'unreadable';
  readonly reason: string;
}

/**
 * The orders of one document that stands alone: a bundle, a CDS Hooks request. Before them, what of it cannot be read.
 */
export async function* mapDocument(
  bytes: Buffer,
  line: number,
  work: GroupWork,
): AsyncGenerator<OrderOutcome | UnreadableLine> {
  const at = { file: '-', line };
  const unreadable = (reason: string): UnreadableLine => ({ ...at, state: 'unreadable', reason });
  const parsed = parseJson(bytes);
  if ('reason' in parsed) return yield unreadable(parsed.reason);
  const document = readDocument(parsed.value);
  if ('ignored' in document) return yield unreadable(document.ignored);
  for (const { path, message } of document.issues) yield { ...unreadable(message), ...(path === '' ? {} : { path }) };
  if (!isUtf8(bytes)) for (const problem of damagedIn(document)) yield { ...at, state: 'unreadable', ...problem };
  const pool = createPool({ drafts: document.drafts, servers: serversNamed(document.server) });
  for (const entry of document.entries) pool.add(entry, { ...at, path: entry.path }, () => entry);
  for (const deletion of document.deletions) pool.delete(deletion, { ...at, path: deletion.path });
  const unlessMade = createDuplicates();
  yield* outcomesOfRepeats(pool.close(), () => {});
  for await (const some of mapTogether(chartsOf(pool, work), work)) for (const one of some) yield unlessMade(one);
}

async function* chartsOf(pool: Pool, work: GroupWork): AsyncGenerator<readonly (OrderToMap | OrderOutcome)[]> {
  for (const group of pool.groups()) yield chartsOfGroup(pool, group, work);
}
