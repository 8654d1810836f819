import type { PlacedEntry } from '../core/fhir/bundle.ts';
import type { Document } from './document.ts';
import { DocumentReader } from './document-reader.ts';
import { EndedOrders } from './ended-orders.ts';
import { parseJson } from './json.ts';
import { isJson } from './json-check.ts';
import { LineScan } from './line-scan.ts';
import { chartsOfGroup, type GroupWork, mapTogether, type OrderToMap } from './map-group.ts';
import { type Needed, neededOf } from './needed.ts';
import { createOpenFiles } from './open-files.ts';
import type { OrderOutcome, Place, Problem } from './outcome.ts';
import { type PartRecords, recordsOfPart, someAtOnce } from './part-records.ts';
import type { Piece } from './pieces.ts';
import { createPool, type Pool } from './pool.ts';
import { documentAgain, entryAgain } from './read-part.ts';
import type { Reading } from './reading.ts';
import { openRecords } from './record-reader.ts';
import { type ResourceRecord, recordKinds } from './records.ts';
import { outcomesOfRepeats } from './repeat-outcomes.ts';
import { type ChartPlace, scanTask, type TaskFacts } from './scan.ts';
import { type ServerFacts, type Servers, serversFrom, serversNamed } from './servers.ts';
import type { Source } from './sources.ts';
import { readSpilled, type Spilled } from './spill.ts';
import { createSupporting, type Supporting } from './supporting.ts';
import { unreadTypes } from './unread-types.ts';

/** One folder after the first look at all of it: what mapping any part of it needs to know. */
export interface FolderFacts {
  readonly sources: readonly Source[];
  readonly pieces: readonly Piece[];
  /** Of each piece, how many lines of its file come before it. */
  readonly linesBefore: readonly number[];
  readonly servers: ServerFacts;
  /** Records of resources about nobody. */
  readonly supporting: Spilled;
  /** Whether something says that a resource was deleted. */
  readonly hasDeletions: boolean;
  /** Whether something is mapped from the pool, so that what it could not use matters. */
  readonly hasOrders: boolean;
  /** Marks do not tell what belongs together: every resource is read. */
  readonly isUnmarked: boolean;
}

/** A part of a folder that is mapped in one go. */
export type Part =
  | { readonly kind: 'charts'; readonly charts: readonly ChartPlace[] }
  | { readonly kind: 'supporting' }
  | { readonly kind: 'patients'; readonly records: Spilled; readonly elsewhere: Uint8Array };

/** What a part tells beside its orders; complete once they were all read. */
export interface PartNotes {
  patients: number;
  /** What was read but not used, by file. */
  readonly conflicts: (Problem & { readonly file: string })[];
  /** Lines that cannot be parsed, which the first look took for resources of a type. */
  readonly unread: UnreadLine[];
  /** Deletions that name something of a chart. */
  readonly deletions: Place[];
}

type UnreadLine = Problem & { readonly file: string; readonly type: string };

interface OpenFolder {
  readonly facts: FolderFacts;
  readonly servers: Servers;
  supporting?: OpenSupporting;
}

interface OpenSupporting {
  readonly pool: Supporting;
  readonly unread: readonly UnreadLine[];
}

export interface EngineOptions extends GroupWork {
  /** Lines that no order needs are not parsed, nor Patients that ended orders only name. */
  readonly isFast: boolean;
  /** Whether what was chosen and why, and warnings, are read of each order. */
  readonly choices: boolean;
}

/** Parsed resources take several times the memory of their JSON. */
const keptBytes = 16 << 20;

/** Some patients of a part. */
interface PatientsOfPart {
  readonly pool: Pool;
  /** Which of their records each order of the pool is, by its place. */
  readonly orders: ReadonlyMap<Place, number>;
  /** What is known of ended orders that are not in the pool, patient by patient in the order of their first order. */
  readonly ended: readonly EndedGroup[];
}

interface EndedGroup {
  /** Which of the records the first order is. */
  readonly at: number;
  readonly outcomes: readonly OrderOutcome[];
}

const noneEnded = { orders: new Map<Place, number>(), ended: [] };
const everything: Needed = { isRead: () => true, ended: [] };

/** Everything that one thread does for a run. */
export class Engine {
  private readonly files = createOpenFiles();
  private readonly documents = new DocumentReader();
  private readonly lines: LineScan;
  private readonly kept = new Map<string, { readonly document: Document; readonly bytes: number }>();
  private keptSize = 0;
  private folder: OpenFolder | undefined;

  private readonly reading: Reading;
  private readonly endedOrders: EndedOrders;

  constructor(private readonly options: EngineOptions) {
    this.endedOrders = new EndedOrders(options);
    this.reading = { isFast: options.isFast, unread: unreadTypes(options) };
    this.lines = new LineScan(this.reading);
  }

  scan(pieces: readonly Piece[], sources: readonly Source[]): TaskFacts {
    return scanTask(pieces, sources, {
      ...this.reading,
      lines: this.lines,
      documents: this.documents,
      keep: (place, document, parsed) => {
        const needed = this.needed(document);
        const bytes = parsed * (needed.entries.length / Math.max(1, document.entries.length));
        if (this.keptSize + bytes > keptBytes) return;
        this.keptSize += bytes;
        this.kept.set(keyOf(place), { document: needed, bytes });
      },
    });
  }

  /** What follows is of this folder. */
  open(facts: FolderFacts): void {
    this.folder = { facts, servers: serversFrom(facts.servers) };
  }

  /** Ends a folder. */
  close(): void {
    this.files.close();
    this.folder?.supporting?.pool.end();
    this.kept.clear();
    this.keptSize = 0;
    this.folder = undefined;
  }

  /** One outcome per order of a part, in the order of the input, some at a time. */
  map(part: Part, notes: PartNotes): AsyncIterable<Iterable<OrderOutcome>> {
    return mapTogether(this.charts(part, notes), this.options);
  }

  private async *charts(part: Part, notes: PartNotes): AsyncGenerator<readonly (OrderToMap | OrderOutcome)[]> {
    if (part.kind === 'supporting') {
      this.note(this.supporting().pool, notes);
      notes.unread.push(...this.supporting().unread);
      return;
    }
    for (const { pool, ended, orders } of this.pools(part, notes)) {
      yield this.note(pool, notes);
      notes.patients += pool.close().patients;
      let told = 0;
      for (const group of pool.groups()) {
        const at = (group.orders[0] && orders.get(group.orders[0].place)) ?? -1;
        for (let next = ended[told]; next !== undefined && next.at < at; next = ended[told]) {
          yield next.outcomes;
          told += 1;
        }
        this.supporting().pool.trim();
        yield chartsOfGroup(pool, group, this.options);
      }
      for (const { outcomes } of ended.slice(told)) yield outcomes;
    }
  }

  /** What stands twice in a pool. */
  private note(pool: Pick<Pool, 'close' | 'groups'>, notes: PartNotes): OrderOutcome[] {
    const isTold = pool.groups().length > 0 || this.facts().hasOrders;
    return outcomesOfRepeats(
      pool.close(),
      isTold ? (file, problem) => void notes.conflicts.push({ file, ...problem }) : () => {},
    );
  }

  private opened(): OpenFolder {
    if (this.folder === undefined) throw new RangeError('a folder is open');
    return this.folder;
  }

  private facts(): FolderFacts {
    return this.opened().facts;
  }

  private chart(place: ChartPlace, notes: PartNotes): Pool {
    const key = keyOf(place);
    const kept = this.kept.get(key);
    if (kept !== undefined) {
      this.kept.delete(key);
      this.keptSize -= kept.bytes;
    }
    const { entries, drafts, server, deletions } =
      kept?.document ??
      this.needed(documentAgain(this.files.read(this.sourceOf(place.piece).path, place), this.reading));
    const shared = this.supporting().pool;
    const pool = createPool({ shared, drafts, servers: serversNamed(server) });
    if (this.facts().hasDeletions) notes.deletions.push(...entries.flatMap((entry) => shared.deletionsNaming(entry)));
    const at = this.placeOf(place);
    for (const entry of entries) pool.add(entry, { ...at, path: entry.path }, () => entry);
    for (const deletion of deletions) pool.delete(deletion, { ...at, path: deletion.path });
    return pool;
  }

  /** Most of a chart is of types that nobody reads: it is let go at once. */
  private needed(document: Document): Document {
    const { unread } = this.reading;
    return { ...document, entries: document.entries.filter(({ resource }) => !unread.has(resource.resourceType)) };
  }

  /** Looked at when something asks for it the first time. Every thread has its own. */
  private supporting(): OpenSupporting {
    const folder = this.opened();
    if (folder.supporting !== undefined) return folder.supporting;
    const unread: UnreadLine[] = [];
    const pool = createSupporting({
      records: openRecords(folder.facts.supporting),
      servers: folder.servers,
      placeOf: (record) => this.placeOf(record, record.path),
      read: (record) => {
        const entry = this.entry(record);
        if (!('reason' in entry)) return entry;
        unread.push({ ...this.placeOf(record), ...entry });
        return undefined;
      },
    });
    folder.supporting = { pool, unread };
    return folder.supporting;
  }

  private *pools(part: Exclude<Part, { kind: 'supporting' }>, notes: PartNotes): Generator<PatientsOfPart> {
    if (part.kind === 'charts') {
      for (const place of part.charts) yield { pool: this.chart(place, notes), ...noneEnded };
      return;
    }
    const all = recordsOfPart(readSpilled(part.records, this.documents), Buffer.from(part.elsewhere));
    for (const records of this.facts().isUnmarked ? [all.records] : someAtOnce(all))
      yield this.patients(records, all, notes);
  }

  private patients(
    records: readonly ResourceRecord[],
    { twice, elsewhere }: PartRecords,
    notes: PartNotes,
  ): PatientsOfPart {
    const { facts, servers } = this.opened();
    // of ended orders it is told too that they were deleted
    const isFast = this.options.isFast && !facts.hasDeletions;
    const pool = createPool({ shared: this.supporting().pool, servers });
    const orders = new Map(
      records.filter(({ kind }) => kind === recordKinds.order).map((record) => [record, this.entry(record)]),
    );
    const needed = facts.isUnmarked ? everything : neededOf(orders, { twice, isFast });
    const { isTold, ended } = this.ended(needed, records);
    const ordersAt = new Map<Place, number>();
    const patients = new Set<number>();
    for (const [at, record] of records.entries()) {
      if (isTold.has(record)) continue;
      const isElsewhere = elsewhere.has(record);
      const isRead = isElsewhere || needed.isRead(record);
      if (!isRead && record.kind === recordKinds.patient) patients.add(record.key);
      if (!isRead && (isFast || this.isJson(record))) continue;
      const entry = orders.get(record) ?? this.entry(record);
      if ('reason' in entry) {
        if (!isElsewhere) notes.unread.push({ ...this.placeOf(record), ...entry });
      } else if (isRead) {
        const place = this.placeOf(record, record.path);
        if (record.kind === recordKinds.order) ordersAt.set(place, at);
        pool.add(entry, place, () => entry, isElsewhere);
      }
    }
    notes.patients += patients.size;
    return { pool, ended, orders: ordersAt };
  }

  /** Orders of which nothing else has to be read to tell what becomes of them. */
  private ended(
    needed: Needed,
    records: readonly ResourceRecord[],
  ): { readonly isTold: ReadonlySet<ResourceRecord>; readonly ended: readonly EndedGroup[] } {
    if (needed.ended.length === 0) return { isTold: new Set(), ended: [] };
    const atOf = new Map(records.map((record, at) => [record, at]));
    const isTold = new Set<ResourceRecord>();
    const ended: EndedGroup[] = [];
    for (const all of needed.ended) {
      const orders = all.map((one) => ({ ...one, place: this.placeOf(one.record) }));
      const outcomes = this.endedOrders.outcomesOf(orders);
      const [first] = all;
      if (first === undefined || outcomes === undefined) continue;
      for (const { record } of all) isTold.add(record);
      ended.push({ at: atOf.get(first.record) ?? 0, outcomes });
    }
    return { isTold, ended };
  }

  private isJson(record: ResourceRecord): boolean {
    const bytes = this.bytesOf(record);
    return isJson(bytes, 0, bytes.length);
  }

  private bytesOf({ piece, offset, length }: ResourceRecord): Buffer {
    return this.files.read(this.sourceOf(piece).path, { start: offset, end: offset + length });
  }

  private entry(record: ResourceRecord): PlacedEntry | { readonly reason: string; readonly type: string } {
    const bytes = this.bytesOf(record);
    const parsed = parseJson(bytes);
    if ('value' in parsed) return entryAgain(parsed.value, record.path, record.fullUrl);
    return {
      reason: parsed.reason,
      type: /^\{"resourceType": ?"([A-Za-z]+)"/.exec(bytes.toString('latin1', 0, 80))?.[1] ?? '',
    };
  }

  private sourceOf(piece: number): Source {
    const { pieces, sources } = this.facts();
    const source = sources[pieces[piece]?.source ?? -1];
    if (source === undefined) throw new RangeError('a piece has a source');
    return source;
  }

  private placeOf({ piece, line }: { readonly piece: number; readonly line: number }, path = ''): Place {
    const { file } = this.sourceOf(piece);
    const at = line === 0 ? { file } : { file, line: line + (this.facts().linesBefore[piece] ?? 0) };
    return path === '' ? at : { ...at, path };
  }
}

function keyOf({ piece, line }: ChartPlace): string {
  return `${piece} ${line}`;
}
