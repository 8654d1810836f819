import type { Entry } from '../core/fhir/bundle.ts';
import type { MappingResult } from '../core/mapping/result.ts';
import type { Chart } from '../core/roles/chart.ts';
import type { RoleTable } from '../core/roles/define.ts';
import type { SitePolicy } from '../core/roles/policy.ts';
import { createDuplicates } from './duplicates.ts';
import { Engine } from './engine.ts';
import { foldersOf, problemsOf } from './folders.ts';
import type { InputFile, Inputs } from './input.ts';
import { emptyNotes, tellNotes } from './notes.ts';
import type { FileOutcome, OrderOutcome } from './outcome.ts';
import { planFolder } from './plan.ts';
import { createTemporary } from './temporary.ts';

export interface MapRequest {
  readonly inputs: Inputs;
  /** The mapping to run, e.g. `(charts) => runMappings(priorAuth, charts)`. */
  readonly map: (charts: readonly Chart[]) => readonly MappingResult<unknown>[];
  /** What a request is made of. */
  readonly roles: RoleTable;
  readonly site: SitePolicy;
  /** The day that coverage periods and the like are compared with. */
  readonly now: Date;
  readonly stdin: AsyncIterable<Buffer>;
  /** Handed what an order was mapped from: its patient's resources and those they lead to. */
  readonly onChart?: (chart: Chart, entries: readonly Entry[]) => void;
  /** Patients of so many bytes of input are mapped in one go; 8 MiB unless told. */
  readonly partBytes?: number;
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
 * Maps every medication order of the input in this thread, folder by folder, as events in a stable order: the orders of
 * a folder, then its files. What cannot be read or mapped becomes an outcome with its reason and stops nothing else. No
 * network, nothing written but temporary files.
 */
export async function* mapInputs(request: MapRequest): AsyncGenerator<MapEvent> {
  for (const outcome of problemsOf(request.inputs)) yield { kind: 'file', outcome };
  const temporary = createTemporary();
  const work = startWork(request);
  try {
    for (const files of foldersOf(request.inputs)) {
      const { stdin, partBytes } = request;
      const planning = {
        stdin,
        temporary,
        atOnce: 1,
        onFile: work.fileStarted,
        ...(partBytes === undefined ? {} : { partBytes }),
      };
      yield* mapFolder(files, { ...work, planning });
    }
  } finally {
    temporary.remove();
  }
}

function startWork(request: MapRequest) {
  const of = request.inputs.files.length;
  let [files, orders] = [0, 0];
  const report = () => request.onProgress?.({ files, orders, of });
  return {
    engine: new Engine({ ...request, isFast: false, choices: true }),
    unlessMade: createDuplicates(),
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

async function* mapFolder(
  files: readonly InputFile[],
  {
    engine,
    unlessMade,
    orderDone,
    planning,
  }: ReturnType<typeof startWork> & {
    readonly planning: Omit<Parameters<typeof planFolder>[1], 'scan'>;
  },
): AsyncGenerator<MapEvent> {
  const plan = await planFolder(files, { ...planning, scan: (pieces, sources) => engine.scan(pieces, sources) });
  const ledgers = new Map(plan.ledgers.map((ledger) => [ledger.file, ledger]));
  engine.open(plan.facts);
  try {
    for (const { part } of plan.parts) {
      const notes = emptyNotes();
      for await (const some of engine.map(part, notes))
        for (const mapped of some) {
          const outcome = unlessMade(mapped);
          ledgers.get(outcome.place.file)?.order(outcome.state);
          orderDone();
          yield { kind: 'order', outcome };
        }
      yield { kind: 'patients', count: notes.patients };
      tellNotes(notes, ledgers);
    }
  } finally {
    engine.close();
  }
  for (const ledger of plan.ledgers) yield { kind: 'file', outcome: ledger.outcome() };
}
