import type { Entry } from '../fhir/bundle.ts';
import type { MappingResult } from '../mapping/result.ts';
import type { Chart } from '../roles/chart.ts';
import type { RoleTable } from '../roles/define.ts';
import type { SitePolicy } from '../roles/policy.ts';
import { createDuplicates } from './duplicates.ts';
import type { InputFile, Inputs } from './input.ts';
import { type FileLedger, openLedger } from './ledger.ts';
import { type GroupWork, mapGroup } from './map-group.ts';
import type { FileOutcome, OrderOutcome } from './outcome.ts';
import { createPool, type Pool } from './pool.ts';
import { outcomesOfRepeats } from './repeat-outcomes.ts';
import { type ChartDocument, scanFolder } from './scan.ts';

export interface MapRequest {
  readonly inputs: Inputs;
  /** The mapping to run, e.g. `(chart) => runMapping(priorAuth, chart)`. */
  readonly map: (chart: Chart) => MappingResult<unknown>;
  /** What a request is made of. */
  readonly roles: RoleTable;
  readonly site: SitePolicy;
  /** The day that coverage periods and the like are compared with. */
  readonly now: Date;
  readonly stdin: AsyncIterable<Buffer>;
  /** Handed what an order was mapped from: its patient's resources and those they lead to. */
  readonly onChart?: (chart: Chart, entries: readonly Entry[]) => void;
  /** Called before each file is read and after each order is mapped. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly files: number;
  readonly orders: number;
  readonly of: number;
}

export type MapEvent =
  | { readonly kind: 'order'; readonly outcome: OrderOutcome }
  | { readonly kind: 'file'; readonly outcome: FileOutcome }
  | { readonly kind: 'patients'; readonly count: number };

/**
 * Maps every medication order of the input, folder by folder, as events in a stable order: the orders of a folder, then
 * its files. What cannot be read or mapped becomes an outcome with its reason and stops nothing else. No network,
 * nothing written.
 */
export async function* mapInputs(request: MapRequest): AsyncGenerator<MapEvent> {
  const work = startWork(request);
  for (const { path, reason } of request.inputs.problems) {
    const ledger = openLedger(path);
    ledger.unreadable({ reason });
    yield { kind: 'file', outcome: ledger.outcome() };
  }
  for (const files of Map.groupBy(request.inputs.files, (file) => file.pool).values()) yield* mapFolder(files, work);
}

interface Work extends GroupWork {
  readonly stdin: AsyncIterable<Buffer>;
  readonly fileStarted: () => void;
  readonly orderDone: () => void;
}

function startWork(request: MapRequest): Work {
  let files = 0;
  let orders = 0;
  const of = request.inputs.files.length;
  const report = () => request.onProgress?.({ files, orders, of });
  return {
    ...request,
    duplicates: createDuplicates(),
    fileStarted: () => {
      files += 1;
      report();
    },
    orderDone: () => {
      orders += 1;
      report();
    },
  };
}

async function* mapFolder(files: readonly InputFile[], work: Work): AsyncGenerator<MapEvent> {
  const { charts, pool, ledgers, close } = await scanFolder(files, work.stdin, work.fileStarted);
  const byFile = new Map(ledgers.map((ledger) => [ledger.file, ledger]));
  try {
    for (const chart of charts) yield* mapPool(poolOf(chart, pool), byFile, work);
    yield* mapPool(pool, byFile, work);
  } finally {
    close();
  }
  for (const ledger of ledgers) yield { kind: 'file', outcome: ledger.outcome() };
}

function poolOf({ ledger, line, drafts, entries }: ChartDocument, shared: Pool): Pool {
  const pool = createPool({ shared, drafts });
  const at = { file: ledger.file, ...(line === undefined ? {} : { line }) };
  for (const entry of entries()) pool.add(entry, { ...at, path: entry.path }, () => entry);
  return pool;
}

async function* mapPool(pool: Pool, ledgers: ReadonlyMap<string, FileLedger>, work: Work): AsyncGenerator<MapEvent> {
  const facts = pool.close();
  yield { kind: 'patients', count: facts.patients };
  for (const outcome of outcomesOfRepeats(facts, pool.groups().length > 0 ? ledgers : new Map()))
    yield orderEvent(outcome, ledgers, work);
  for (const group of pool.groups())
    for await (const outcome of mapGroup(pool, group, work)) yield orderEvent(outcome, ledgers, work);
}

function orderEvent(outcome: OrderOutcome, ledgers: ReadonlyMap<string, FileLedger>, work: Work): MapEvent {
  ledgers.get(outcome.place.file)?.order(outcome.state);
  work.orderDone();
  return { kind: 'order', outcome };
}
