import { DocumentReader } from './document-reader.ts';
import type { FolderFacts, Part } from './engine.ts';
import { free } from './free.ts';
import { idleDeletions } from './idle-deletions.ts';
import type { InputFile } from './input.ts';
import { type FileLedger, openLedger } from './ledger.ts';
import { MarkNumbers } from './mark-numbers.ts';
import { type Piece, tasksOf } from './pieces.ts';
import { forEachRecord, keyOffset, kindAt, ownerAt, type ResourceRecord, recordKinds } from './records.ts';
import type { TaskFacts } from './scan.ts';
import { isSource, type Opening, openSources, type Source } from './sources.ts';
import { readSpilled, type Spilled, Spills } from './spill.ts';
import type { Temporary } from './temporary.ts';

/** A folder that was looked at once: its parts in the order in which they are mapped and told. */
export interface FolderPlan {
  readonly facts: FolderFacts;
  readonly parts: readonly PlannedPart[];
  readonly ledgers: readonly FileLedger[];
}

export interface PlannedPart {
  readonly part: Part;
  /** The task whose reader may have kept what the part needs. */
  readonly task?: number;
}

export interface Planning extends Opening {
  /** Looks at the pieces of a task; called in the order of the tasks. */
  readonly scan: (pieces: readonly Piece[], sources: readonly Source[], task: number) => Promise<TaskFacts> | TaskFacts;
  /** How many tasks may be under way at once. */
  readonly atOnce: number;
  readonly onFile: (file: string) => void;
  /** Patients of so many bytes of input make a part; 2 MiB unless told. */
  readonly partBytes?: number;
}

const usualPart = 2 << 20;
const mostParts = 2048;
/** Most files of an export have their patients in the same order: these are read in one go. */
const patientsTogether = 128;

/**
 * Looks at every file of one folder once and tells where each resource belongs: charts stand alone, all else is one
 * pool, divided by patient into parts that fit into memory.
 */
export async function planFolder(files: readonly InputFile[], planning: Planning): Promise<FolderPlan> {
  const { sources, ledgers } = await openAll(files, planning);
  const tasks = tasksOf(sources);
  const found = new FolderFindings(sources, planning);
  const scans = inTurn(tasks, planning.atOnce, (pieces, task) => planning.scan(pieces, sources, task));
  const linesBefore: number[] = [];
  let task = 0;
  let at = { source: -1, lines: 0 };
  for await (const facts of scans) {
    for (const piece of facts.pieces) {
      const source = tasks[task]?.find(({ id }) => id === piece.piece)?.source ?? -1;
      if (source !== at.source) at = { source, lines: 0 };
      linesBefore[piece.piece] = at.lines;
      ledgers.bySource[source]?.add(piece, at.lines);
      at.lines += piece.lines;
    }
    found.add(facts, task);
    task += 1;
  }
  const pieces = tasks.flat();
  const { idle, ...plan } = found.end({ sources, pieces, linesBefore });
  for (const { piece, line, path } of idle) {
    const before = line === 0 ? {} : { line: line + (linesBefore[piece] ?? 0) };
    ledgers.bySource[pieces[piece]?.source ?? -1]?.deletesNothing({ ...before, path });
  }
  if (!plan.facts.hasDeletions) for (const ledger of ledgers.all) ledger.lacksDeletions();
  return { ...plan, ledgers: ledgers.all };
}

interface Ledgers {
  readonly all: readonly FileLedger[];
  readonly bySource: readonly FileLedger[];
}

async function openAll(
  files: readonly InputFile[],
  planning: Planning,
): Promise<{ readonly sources: readonly Source[]; readonly ledgers: Ledgers }> {
  const sources: Source[] = [];
  const all: FileLedger[] = [];
  const bySource: FileLedger[] = [];
  for (const { path } of files) {
    planning.onFile(path);
    for (const opened of await openSources(path, planning)) {
      const ledger = openLedger(opened.file);
      all.push(ledger);
      if (isSource(opened)) {
        if (opened.broken !== undefined) ledger.unreadable({ reason: opened.broken });
        sources.push(opened);
        bySource.push(ledger);
      } else if (opened.kind === 'ignored') ledger.ignore(opened.reason);
      else ledger.unreadable({ reason: opened.reason });
    }
  }
  return { sources, ledgers: { all, bySource } };
}

class FolderFindings {
  private readonly byPatient: Spills;
  private readonly supporting: Spills;
  private readonly names: Names | undefined;
  private readonly patients = new MarkNumbers();
  private readonly count: number;
  private readonly charts: PlannedPart[] = [];
  private readonly bases = new Set<string>();
  private isUnmarked = false;
  private hasOrders = false;
  private hasSupporting = false;
  private hasDeletions = false;

  constructor(sources: readonly Source[], { temporary, partBytes = usualPart }: Planning) {
    const bytes = sources.reduce((sum, { size }) => sum + size, 0);
    this.count = Math.min(mostParts, Math.max(1, Math.ceil(bytes / partBytes)));
    this.byPatient = new Spills(this.count, temporary);
    this.supporting = new Spills(1, temporary, 2 << 20);
    this.names = this.count === 1 ? undefined : new Names(temporary);
  }

  add({ pieces, records, bases, isUnmarked }: TaskFacts, task: number): void {
    for (const base of bases) this.bases.add(base);
    this.isUnmarked ||= isUnmarked;
    const charts = pieces.flatMap((piece) => piece.charts);
    if (charts.length > 0) this.charts.push({ part: { kind: 'charts', charts }, task });
    const bytes = Buffer.from(records.buffer);
    forEachRecord(bytes, (at, end) => this.record(bytes, at, end));
  }

  private record(bytes: Buffer, at: number, end: number): void {
    const kind = kindAt(bytes, at);
    if (kind === recordKinds.supporting || kind === recordKinds.deletion) {
      this.hasSupporting = true;
      this.hasDeletions ||= kind === recordKinds.deletion;
      this.supporting.add(0, bytes, at, end);
      return;
    }
    if (kind === recordKinds.order) this.hasOrders = true;
    const part = this.partOf(ownerAt(bytes, at));
    this.byPatient.add(part, bytes, at, end);
    this.names?.add(bytes, at + keyOffset, part);
  }

  /** What names no patient is in the first part. */
  private partOf(owner: number): number {
    if (this.count === 1 || owner === 0) return 0;
    return Math.floor(this.patients.of(owner) / patientsTogether) % this.count;
  }

  end(known: Pick<FolderFacts, 'sources' | 'pieces' | 'linesBefore'>): Pick<FolderPlan, 'facts' | 'parts'> & {
    /** Deletions that name nothing of the pool; they may name something of a chart. */
    readonly idle: readonly ResourceRecord[];
  } {
    const { isUnmarked, hasOrders, hasDeletions } = this;
    this.patients.end();
    const [supporting = { bytes: new Uint8Array() }] = this.supporting.end();
    const spilled = this.byPatient.end();
    const records = isUnmarked ? [together(spilled)] : spilled;
    if (isUnmarked) this.names?.close();
    const elsewhere = isUnmarked || this.names === undefined ? [] : elsewhereOf(spilled, this.names.inSeveral());
    const patients = records.map((part, index): PlannedPart => {
      return { part: { kind: 'patients', records: part, elsewhere: elsewhere[index] ?? new Uint8Array() } };
    });
    const facts = { ...known, servers: [...this.bases], supporting, hasOrders, hasDeletions, isUnmarked };
    const first: PlannedPart[] = this.hasSupporting ? [{ part: { kind: 'supporting' } }] : [];
    const idle = hasDeletions ? idleDeletions([supporting, ...records], facts.servers) : [];
    return { facts, parts: [...first, ...this.charts, ...patients], idle };
  }
}

/** Names of resources and the parts they are in: one resource may stand under two patients. */
class Names {
  private readonly spills: Spills;
  private readonly next = Buffer.alloc(10);

  constructor(temporary: Temporary) {
    this.spills = new Spills(nameSpills, temporary, 8 << 20);
  }

  /** Adds the name whose key stands at a place. */
  add(bytes: Buffer, keyAt: number, part: number): void {
    const { next } = this;
    for (let at = 0; at < 8; at += 1) next[at] = bytes[keyAt + at] ?? 0;
    next.writeUInt16LE(part, 8);
    this.spills.add(bytes.readDoubleLE(keyAt) & (nameSpills - 1), next);
  }

  /** Ends the adding where nobody asks. */
  close(): void {
    this.spills.close();
  }

  /** The parts of each name that is in several. */
  inSeveral(): ReadonlyMap<number, ReadonlySet<number>> {
    const several = new Map<number, Set<number>>();
    const reader = new DocumentReader();
    const keys = new Keys();
    for (const spilled of this.spills.end()) {
      const bytes = readSpilled(spilled, reader);
      const twice = twiceIn(keys.read(bytes));
      for (let at = 0; at < bytes.length && twice.size > 0; at += 10) {
        const key = bytes.readDoubleLE(at);
        if (!twice.has(key)) continue;
        several.set(key, (several.get(key) ?? new Set()).add(bytes.readUInt16LE(at + 8)));
      }
    }
    for (const [key, parts] of several) if (parts.size === 1) several.delete(key);
    return several;
  }
}

/** The keys of names, in memory that is used again: one of millions of names is as large as a hundred charts. */
class Keys {
  private keys = new Float64Array(0);

  /** What it gives holds until it is called again. */
  read(bytes: Buffer): Float64Array {
    const count = bytes.length / 10;
    if (count > this.keys.length) {
      free(this.keys);
      this.keys = new Float64Array(count * 2);
    }
    for (let at = 0; at < count; at += 1) this.keys[at] = bytes.readDoubleLE(at * 10);
    return this.keys.subarray(0, count);
  }
}

/** Nearly all names stand once: a set of all of them would take ten times the memory. */
function twiceIn(keys: Float64Array): ReadonlySet<number> {
  keys.sort();
  const twice = new Set<number>();
  for (let at = 1; at < keys.length; at += 1) if (keys[at] === keys[at - 1]) twice.add(keys[at] ?? 0);
  return twice;
}

/** A power of two: the last bits of a key tell where it is put. */
const nameSpills = 64;

function elsewhereOf(parts: readonly Spilled[], several: ReadonlyMap<number, ReadonlySet<number>>): Uint8Array[] {
  const found: Buffer[][] = parts.map(() => []);
  const reader = new DocumentReader();
  if (several.size > 0)
    for (const [part, spilled] of parts.entries()) {
      const bytes = readSpilled(spilled, reader);
      forEachRecord(bytes, (at, end) => {
        const others = several.get(bytes.readDoubleLE(at + keyOffset));
        if (others === undefined) return;
        for (const other of others) if (other !== part) found[other]?.push(Buffer.from(bytes.subarray(at, end)));
      });
    }
  return found.map((records) => inFileOrder(records));
}

/** Marks do not tell what belongs together: one part, in the order of the input. */
function together(parts: readonly Spilled[]): Spilled {
  const records: Buffer[] = [];
  for (const spilled of parts) {
    const bytes = readSpilled(spilled);
    forEachRecord(bytes, (at, end) => void records.push(bytes.subarray(at, end)));
  }
  return { bytes: inFileOrder(records) };
}

function inFileOrder(records: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const placed = records.map((bytes) => ({ bytes, piece: bytes.readUInt32LE(0), offset: bytes.readDoubleLE(8) }));
  placed.sort((one, other) => one.piece - other.piece || one.offset - other.offset);
  return new Uint8Array(Buffer.concat(placed.map(({ bytes }) => bytes)));
}

/** Results in the order of their tasks, with several under way. */
export async function* inTurn<Task, Result>(
  tasks: readonly Task[],
  atOnce: number,
  run: (task: Task, index: number) => Promise<Result> | Result,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for (const [index, task] of tasks.entries()) {
    const result = Promise.resolve(run(task, index));
    result.catch(() => {}); // it is awaited in its turn
    underWay.push(result);
    if (underWay.length < atOnce) continue;
    const next = underWay.shift();
    if (next !== undefined) yield await next;
  }
  for (const result of underWay) yield await result;
}
