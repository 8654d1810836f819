import { BridgeError } from '../core/errors.ts';
import type { PlacedEntry } from '../core/fhir/bundle.ts';
import { type RefusalByStatus, refusalByStatus } from '../core/roles/refusal-by-status.ts';
import { type ParsedDocument, parseDocument } from './document.ts';
import type { PartNotes } from './file-ledger.ts';
import { type ByteRange, OpenFiles } from './files.ts';
import { chartsOfGroup, type GroupWork, mapTogether, type OrderToMap } from './map-group.ts';
import type { SourceFile, SourcePiece } from './open-sources.ts';
import { Pool, poolOf } from './pool.ts';
import { readJsonBytes } from './read-json.ts';
import type { InputPlace, OrderOutcome } from './report/order-outcome.ts';
import { type Kept, StoreReader } from './resource-store.ts';
import { type ChartPlace, type PieceFacts, scanPiece } from './scan.ts';
import { type Servers, serversFrom } from './servers.ts';
import type { ReadOptions } from './slim-bundle.ts';
import { Slot } from './slot.ts';
import { StoredPool, type SupportingWork } from './supporting.ts';
import { unreadTypes } from './unread-types.ts';
import { outcomesOfUnused } from './unused-resources.ts';

/** What is known of a folder after the scan and is needed to map any part of it. */
export interface FolderFacts {
  readonly sources: readonly SourceFile[];
  readonly servers: readonly string[];
  readonly store: string;
  readonly hasDeletions: boolean;
  /** Whether any order is mapped from the pool. If not, the pool's unused resources are not reported. */
  readonly hasOrders: boolean;
  /** Whether patient ids do not show which resources belong together. Then the pool is one part. */
  readonly isUnmarked: boolean;
}

/** A part of a folder that is mapped at once. The thread of `task` found its charts and may have kept them. */
export type Part =
  | { readonly kind: 'charts'; readonly charts: readonly ChartPlace[]; readonly task: number }
  | { readonly kind: 'supporting' }
  | { readonly kind: 'patients'; readonly part: number };

export interface EngineOptions extends GroupWork {
  readonly isFast: boolean;
  /** Whether each order needs choices with their reasons, and warnings. */
  readonly choices: boolean;
}

/** Bytes of JSON. Parsed resources take several times as much memory. */
const keptBytes = 16 << 20;

export class BatchEngine {
  private readonly files = new OpenFiles();
  /** Charts that this thread parsed in the scan, kept for mapping. */
  private readonly charts = new Map<string, { readonly document: ParsedDocument; readonly bytes: number }>();
  private chartBytes = 0;
  private folder: OpenFolder | undefined;
  private readonly reading: ReadOptions;
  private readonly refusalOf: RefusalByStatus;

  constructor(private readonly options: EngineOptions) {
    this.reading = { isFast: options.isFast, unread: unreadTypes(options) };
    this.refusalOf = refusalByStatus(options.roles);
  }

  async scan(pieces: readonly SourcePiece[], sources: readonly SourceFile[]): Promise<readonly PieceFacts[]> {
    const options = {
      ...this.reading,
      refusalOf: this.refusalOf,
      keep: (place: ChartPlace, document: ParsedDocument, parsed: number) => {
        const needed = this.needed(document);
        const bytes = parsed * (needed.entries.length / Math.max(1, document.entries.length));
        if (this.chartBytes + bytes > keptBytes) return;
        this.chartBytes += bytes;
        this.charts.set(keyOf(place), { document: needed, bytes });
      },
    };
    return pieces.map((piece) => scanPiece(piece, sources[piece.source], options));
  }

  open(facts: FolderFacts): void {
    this.folder = new OpenFolder(facts, this.files, this.reading);
  }

  close(): void {
    this.files.close();
    this.folder?.store.close();
    this.charts.clear();
    this.chartBytes = 0;
    this.folder = undefined;
  }

  /** Yields the outcomes of a part's orders in input order, several at a time. */
  map(part: Part, notes: PartNotes): AsyncIterable<Iterable<OrderOutcome>> {
    if (this.folder === undefined) throw new RangeError('a folder is open');
    return mapTogether(this.ordersOf(part, this.folder, notes), this.options);
  }

  private async *ordersOf(
    part: Part,
    folder: OpenFolder,
    notes: PartNotes,
  ): AsyncGenerator<readonly (OrderToMap | OrderOutcome)[]> {
    const { supporting } = folder;
    const note = (conflict: PartNotes['conflicts'][number]) => void notes.conflicts.push(conflict);
    if (part.kind === 'supporting') {
      outcomesOfUnused(supporting.content, folder.facts.hasOrders ? note : () => {});
      return;
    }
    const pools = part.kind === 'charts' ? this.poolsOf(part.charts, folder, notes) : [folder.poolOf(part.part)];
    for (const pool of pools) {
      yield outcomesOfUnused(pool.content, pool.groups.length > 0 || folder.facts.hasOrders ? note : () => {});
      notes.patients += pool.patients;
      for (const group of pool.groups) {
        supporting.trim();
        yield chartsOfGroup(pool, group, this.options);
      }
    }
  }

  private *poolsOf(charts: readonly ChartPlace[], folder: OpenFolder, notes: PartNotes): Generator<Pool> {
    const { supporting, facts } = folder;
    for (const place of charts) {
      const chart = this.chart(place, folder);
      if (facts.hasDeletions)
        notes.deletions.push(...chart.entries.flatMap((entry) => supporting.deletionsNaming(entry)));
      yield poolOf(chart, folder.placeOf(place), supporting, this.refusalOf);
    }
  }

  private chart(place: ChartPlace, folder: OpenFolder): ParsedDocument {
    const key = keyOf(place);
    const known = this.charts.get(key);
    this.charts.delete(key);
    this.chartBytes -= known?.bytes ?? 0;
    return known?.document ?? this.needed(folder.read(place));
  }

  /** Most resources of a chart have types that nothing reads, so they are dropped at once. */
  private needed(document: ParsedDocument): ParsedDocument {
    const { unread } = this.reading;
    return { ...document, entries: document.entries.filter(({ resource }) => !unread.has(resource.resourceType)) };
  }
}

function keyOf({ source, start }: ChartPlace): string {
  return `${source} ${start}`;
}

class OpenFolder implements SupportingWork {
  readonly store: StoreReader;
  readonly supporting: StoredPool;
  readonly servers: Servers;

  constructor(
    readonly facts: FolderFacts,
    private readonly files: OpenFiles,
    private readonly reading: ReadOptions,
  ) {
    this.servers = serversFrom(facts.servers);
    this.store = new StoreReader(facts.store);
    this.supporting = new StoredPool(this);
  }

  poolOf(part: number): Pool {
    const { supporting: shared, servers, store, facts } = this;
    const kept = facts.isUnmarked ? store.personal() : store.ofPart(part);
    const slots = kept.map((one) => this.slotOf(one, one.part !== part));
    return new Pool(slots, { shared, servers });
  }

  read({ source, ...span }: Pick<ChartPlace, 'source'> & ByteRange): ParsedDocument {
    const read = readJsonBytes(this.files.read(this.sourceAt(source).path, span), this.reading);
    const document = 'value' in read ? parseDocument(read.value) : undefined;
    if (document !== undefined && !('ignored' in document)) return document;
    throw changed();
  }

  placeOf({ source, line, path = '' }: Pick<ChartPlace, 'source' | 'line'> & { readonly path?: string }): InputPlace {
    const { file } = this.sourceAt(source);
    const at = line === 0 ? { file } : { file, line };
    return path === '' ? at : { ...at, path };
  }

  slotOf(kept: Kept, isElsewhere = false): Slot {
    return new Slot({
      type: kept.type,
      id: kept.id ?? undefined,
      fullUrl: kept.url === '' ? undefined : kept.url,
      owner: kept.owner === null ? undefined : JSON.parse(kept.owner),
      isPersonal: kept.part !== null,
      isElsewhere,
      refusal: kept.refusal ?? undefined,
      place: this.placeOf(kept),
      load: () => this.entry(kept),
    });
  }

  private entry({ source, start, length, path, json, url }: Kept): PlacedEntry {
    if (json !== null) return { resource: JSON.parse(json), path, ...(url === '' ? {} : { fullUrl: url }) };
    const entry = this.read({ source, start, end: start + length }).entries.find((one) => one.path === path);
    if (entry === undefined) throw changed();
    return entry;
  }

  private sourceAt(index: number): SourceFile {
    const source = this.facts.sources[index];
    if (source === undefined) throw new RangeError('what was found has a source');
    return source;
  }
}

function changed(): BridgeError {
  return new BridgeError('input_unreadable', { reason: 'the input changed while it was read' });
}
