import { baseOf } from '../core/fhir/address.ts';
import type { Deletion } from '../core/fhir/deletion.ts';
import type { FolderFacts, Part } from './engine.ts';
import { FileLedger, Ledgers } from './file-ledger.ts';
import type { InputFile, Inputs } from './list-inputs.ts';
import { isSource, type Opening, openSources, type SourceFile, type SourcePiece, tasksOf } from './open-sources.ts';
import type { FileOutcome } from './report/order-outcome.ts';
import { ResourceStore } from './resource-store.ts';
import type { ChartPlace, PieceFacts } from './scan.ts';
import { isOneServer, serversFrom } from './servers.ts';

/** A scanned folder. Its parts are in the order in which they are mapped and reported. */
export interface FolderPlan {
  readonly facts: FolderFacts;
  readonly parts: readonly Part[];
  readonly ledgers: Ledgers;
}

interface Planning extends Opening {
  /** Scans the pieces of a task. Called in task order. */
  readonly scan: (
    pieces: readonly SourcePiece[],
    sources: readonly SourceFile[],
    task: number,
  ) => Promise<readonly PieceFacts[]>;
  readonly atOnce: number;
  readonly onFile?: (file: string) => void;
  readonly patientsPerPart?: number | undefined;
}

export function problemsOf({ problems }: Inputs): FileOutcome[] {
  return problems.map(({ path, reason }) => {
    const ledger = new FileLedger(path);
    ledger.unreadable({ reason });
    return ledger.outcome();
  });
}

export function foldersOf({ files }: Inputs): readonly (readonly InputFile[])[] {
  return [...Map.groupBy(files, (file) => file.pool).values()];
}

/**
 * Scans every file of a folder once and assigns each resource to a part. A chart is mapped alone. All other resources
 * are one pool, divided by patient into parts that fit into memory.
 */
export async function planFolder(files: readonly InputFile[], planning: Planning): Promise<FolderPlan> {
  const opened = await openAll(files, planning);
  const { sources, ledgers } = opened;
  const store = new ResourceStore(planning.temporary.path(), planning.patientsPerPart);
  const { charts, isUnmarked, ...found } = await scanAll(opened, store, planning);
  const count = store.end(isUnmarked);
  const { has } = store;
  if (has.deletions) noteIdle(store, found.servers, opened);
  else for (const ledger of ledgers.all) ledger.lacksDeletions();
  store.close();
  const patients = Array.from({ length: count }, (_, part): Part => ({ kind: 'patients', part }));
  const supporting: readonly Part[] = has.supporting ? [{ kind: 'supporting' }] : [];
  return {
    facts: { ...found, sources, store: store.path, hasOrders: has.orders, hasDeletions: has.deletions, isUnmarked },
    parts: [...supporting, ...charts, ...patients],
    ledgers,
  };
}

interface OpenedFiles {
  readonly sources: readonly SourceFile[];
  readonly ledgers: Ledgers;
}

async function scanAll({ sources, ledgers }: OpenedFiles, store: ResourceStore, { atOnce, scan }: Planning) {
  const charts: Part[] = [];
  const bases = new Set<string>();
  const lines = sources.map(() => 0);
  let [task, isUnmarked] = [0, false];
  for await (const facts of inTurn(tasksOf(sources), atOnce, (some, index) => scan(some, sources, index))) {
    const found: ChartPlace[] = [];
    for (const piece of facts) {
      const before = lines[piece.source] ?? 0;
      ledgers.of(sources[piece.source]?.file ?? '').add(piece, before);
      lines[piece.source] = before + piece.lines;
      for (const base of piece.bases) bases.add(base);
      for (const one of piece.found) store.add(one, before);
      for (const at of piece.charts) found.push(at.line === 0 ? at : { ...at, line: at.line + before });
      isUnmarked ||= piece.isUnmarked;
    }
    if (found.length > 0) charts.push({ kind: 'charts', charts: found, task });
    task += 1;
  }
  return { servers: [...bases], charts, isUnmarked };
}

/** Notes deletions that match nothing in the pool. They may name a resource of a chart. */
function noteIdle(store: ResourceStore, servers: readonly string[], { sources, ledgers }: OpenedFiles): void {
  const compared = serversFrom(servers);
  for (const { source, line, path, deletion, urls } of store.deletions()) {
    const base = baseOf((JSON.parse(deletion ?? '') as Deletion).reference);
    if ((JSON.parse(urls) as string[]).some((url) => isOneServer(base, baseOf(url), compared))) continue;
    ledgers.of(sources[source]?.file ?? '').deletesNothing({ ...(line === 0 ? {} : { line }), path });
  }
}

async function openAll(files: readonly InputFile[], planning: Planning): Promise<OpenedFiles> {
  const sources: SourceFile[] = [];
  const ledgers = new Ledgers();
  for (const { path } of files) {
    planning.onFile?.(path);
    for (const opened of await openSources(path, planning)) {
      const ledger = ledgers.of(opened.file);
      if (isSource(opened)) {
        if (opened.broken !== undefined) ledger.unreadable({ reason: opened.broken });
        sources.push(opened);
      } else if (opened.kind === 'ignored') ledger.ignore(opened.reason);
      else ledger.unreadable({ reason: opened.reason });
    }
  }
  return { sources, ledgers };
}

/** Yields results in task order, while several tasks are running. */
export async function* inTurn<Task, Result>(
  tasks: readonly Task[],
  atOnce: number,
  run: (task: Task, index: number) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for (const [index, task] of tasks.entries()) {
    const result = run(task, index);
    result.catch(() => {}); // the result is awaited later, in task order
    underWay.push(result);
    if (underWay.length < atOnce) continue;
    const next = underWay.shift();
    if (next !== undefined) yield await next;
  }
  for (const result of underWay) yield await result;
}
