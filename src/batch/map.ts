import { isUtf8 } from 'node:buffer';
import { createTemporary } from '../base/temporary.ts';
import { damagedIn, parseDocument } from './document.ts';
import { BatchEngine } from './engine.ts';
import { emptyNotes } from './file-ledger.ts';
import type { Inputs } from './list-inputs.ts';
import { chartsOfGroup, type GroupWork, mapTogether, type OrderToMap } from './map-group.ts';
import { type FolderPlan, foldersOf, planFolder, problemsOf } from './plan.ts';
import { type Pool, poolOf } from './pool.ts';
import { parseJson } from './read-json.ts';
import {
  duplicateReason,
  type FileOutcome,
  type InputPlace,
  type InputProblem,
  type OrderOutcome,
} from './report/order-outcome.ts';
import { outcomesOfUnused } from './unused-resources.ts';

export interface MapRequest extends GroupWork {
  readonly inputs: Inputs;
  readonly stdin: AsyncIterable<Buffer>;
  readonly patientsPerPart?: number;
}

export type MapEvent =
  | { readonly kind: 'order'; readonly outcome: OrderOutcome }
  | { readonly kind: 'file'; readonly outcome: FileOutcome }
  | { readonly kind: 'patients'; readonly count: number };

/**
 * Maps every medication order of the input in this thread, folder by folder. Yields events in a stable order: the
 * orders of a folder, then its files. Input that cannot be read or mapped becomes an outcome with a reason. Uses no
 * network and writes only temporary files.
 */
export async function* mapInputs({ inputs, stdin, patientsPerPart, ...work }: MapRequest): AsyncGenerator<MapEvent> {
  for (const outcome of problemsOf(inputs)) yield { kind: 'file', outcome };
  const temporary = createTemporary();
  const engine = new BatchEngine({ ...work, isFast: false, choices: true });
  const unlessMade = createDuplicates();
  try {
    for (const files of foldersOf(inputs)) {
      const scan = engine.scan.bind(engine);
      const plan = await planFolder(files, { stdin, temporary, patientsPerPart, atOnce: 1, scan });
      yield* mapFolder(plan, engine, unlessMade);
    }
  } finally {
    engine.close();
    temporary.remove();
  }
}

async function* mapFolder(
  { facts, parts, ledgers }: FolderPlan,
  engine: BatchEngine,
  unlessMade: ReturnType<typeof createDuplicates>,
): AsyncGenerator<MapEvent> {
  engine.open(facts);
  for (const part of parts) {
    const notes = emptyNotes();
    for await (const some of engine.map(part, notes))
      for (const mapped of some) {
        const outcome = unlessMade(mapped);
        ledgers.of(outcome.place.file).order(outcome.state);
        yield { kind: 'order', outcome };
      }
    yield { kind: 'patients', count: notes.patients };
    ledgers.note(notes);
  }
  engine.close();
  for (const ledger of ledgers.all) yield { kind: 'file', outcome: ledger.outcome() };
}

/** Why a line, or a part of it, could not be read. */
export interface UnreadableLine extends InputProblem, InputPlace {
  readonly state: 'unreadable';
}

/** Yields the orders of one self-contained document (a bundle or a CDS Hooks request), after its unreadable parts. */
export async function* mapDocument(
  bytes: Buffer,
  line: number,
  work: GroupWork,
): AsyncGenerator<OrderOutcome | UnreadableLine> {
  const at = { file: '-', line };
  const unreadable = (reason: string): UnreadableLine => ({ ...at, state: 'unreadable', reason });
  const parsed = parseJson(bytes);
  if ('reason' in parsed) return yield unreadable(parsed.reason);
  const document = parseDocument(parsed.value);
  if ('ignored' in document) return yield unreadable(document.ignored);
  for (const { path, message } of document.issues) yield { ...unreadable(message), ...(path === '' ? {} : { path }) };
  if (!isUtf8(bytes)) for (const problem of damagedIn(document)) yield { ...at, state: 'unreadable', ...problem };
  const pool = poolOf(document, at);
  const unlessMade = createDuplicates();
  yield* outcomesOfUnused(pool.content, () => {});
  for await (const some of mapTogether(chartsOf(pool, work), work)) for (const one of some) yield unlessMade(one);
}

async function* chartsOf(pool: Pool, work: GroupWork): AsyncGenerator<readonly (OrderToMap | OrderOutcome)[]> {
  for (const group of pool.groups) yield chartsOfGroup(pool, group, work);
}

/** Returns a function that makes the outcome of a repeated request a duplicate of the first. */
function createDuplicates(): (outcome: OrderOutcome) => OrderOutcome {
  const known = new Map<string, string>();
  return (outcome) => {
    if (!('result' in outcome)) return outcome;
    const { place, order, patient, digest } = outcome;
    const reason = known.get(digest);
    const whose = patient === undefined ? {} : { patient };
    if (reason !== undefined) return { place, order, ...whose, state: 'duplicate', reason };
    known.set(digest, duplicateReason({ order, ...place }));
    return outcome;
  };
}
