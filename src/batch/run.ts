import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError } from '../core/errors.ts';
import type { Block } from './block.ts';
import { DigestTable } from './digest-table.ts';
import { duplicateReason } from './duplicates.ts';
import type { PartNotes } from './engine.ts';
import { fileLines, lineAt } from './file-lines.ts';
import { foldersOf, problemsOf } from './folders.ts';
import type { InputFile, Inputs } from './input.ts';
import { type Layout, lineFiles } from './layout.ts';
import type { FileLedger } from './ledger.ts';
import { tellNotes } from './notes.ts';
import type { CountedFacts } from './order-facts.ts';
import type { OrderLine } from './order-line.ts';
import { type Checkpoint, type EarlierRun, GrowingFile, RunFiles } from './output.ts';
import { type FolderPlan, inTurn, planFolder } from './plan.ts';
import { createReporter, type Report, type Reporter } from './report.ts';
import type { Temporary } from './temporary.ts';
import { freePieces, piecesOf, textOf } from './text-pieces.ts';
import type { Workers } from './workers.ts';
import { writeReport } from './write-report.ts';

export interface RunRequest {
  readonly inputs: Inputs;
  readonly workers: Workers;
  readonly layout: Layout;
  readonly mapping: string;
  readonly now: Date;
  readonly stdin: AsyncIterable<Buffer>;
  readonly temporary: Temporary;
  /** Where the run that this one goes on with was stopped. */
  readonly before?: Checkpoint;
  /** Equal for runs over the same input with the same options. */
  readonly fingerprint: string;
  /** An earlier run: orders whose request says the same as then are left out. */
  readonly changedSince?: EarlierRun;
  /** Stops the run when so many lines, files and orders could not be read or mapped. */
  readonly maxErrors?: number;
  readonly print: (lines: string) => void;
  readonly onProgress?: (progress: RunProgress) => void;
}

export interface RunProgress {
  readonly step: 'reading' | 'mapping';
  readonly files: number;
  readonly of: number;
  readonly orders: number;
  /** The part of all files whose orders are mapped: 0 to 1. */
  readonly done: number;
}

/** The report, and where its lines stand until `end`. */
export interface RunResult {
  readonly report: Report;
  readonly lines: string;
  /** Removes what only the run itself needed. */
  readonly end: () => Promise<void>;
}

/**
 * Maps all of the input by its workers and puts what comes out in the order of the input: the files of the layout, what
 * is printed, the report. The same for any number of threads, and for a run that was stopped and went on. Throws
 * `too_many_errors`; what was done until then stays and can be gone on with.
 */
export async function runMap(request: RunRequest): Promise<RunResult> {
  const run = new Run(request);
  try {
    return await run.all();
  } finally {
    await run.close();
  }
}

class Run {
  private readonly reporter: Reporter;
  private readonly digests = new DigestTable();
  private readonly earlierDigests: DigestTable | undefined;
  private readonly output: RunFiles | undefined;
  private readonly orders: GrowingFile;
  private progress: RunProgress;
  private errors = 0;
  /** Files of folders that are done. */
  private mapped = 0;

  constructor(private readonly request: RunRequest) {
    const { layout, before, temporary, mapping, now, inputs, changedSince } = request;
    this.earlierDigests = changedSince === undefined ? undefined : digestsOf(changedSince);
    this.reporter = createReporter({ mapping, now });
    this.output = layout.folder === undefined ? undefined : new RunFiles(layout.folder, layout, before);
    this.orders = this.output?.file('orders') ?? new GrowingFile(temporary.path());
    this.progress = { step: 'reading', files: 0, of: inputs.files.length, orders: 0, done: 0 };
  }

  async all(): Promise<RunResult> {
    const { inputs, layout } = this.request;
    for (const outcome of problemsOf(inputs)) {
      this.reporter.file(outcome);
      this.fail(outcome.problems.length);
    }
    const earlier = this.earlier();
    for (const [index, files] of foldersOf(inputs).entries()) await this.folder(files, index, earlier);
    const report = this.reporter.report();
    const lines = this.orders.path;
    if (layout.folder !== undefined) writeReport(join(layout.folder, 'report.json'), { report, lines });
    return { report, lines, end: async () => this.output?.end() };
  }

  async close(): Promise<void> {
    await this.output?.close();
    if (this.output === undefined) this.orders.close();
  }

  private async folder(files: readonly InputFile[], index: number, earlier: Iterator<EarlierPart>): Promise<void> {
    const { workers, stdin, temporary, before } = this.request;
    const plan = await planFolder(files, {
      stdin,
      temporary,
      atOnce: workers.atOnce,
      scan: (pieces, sources, task) => workers.scan(pieces, sources, task),
      onFile: () => this.tell({ step: 'reading', files: this.progress.files + 1 }),
    });
    const ledgers = new Map(plan.ledgers.map((ledger) => [ledger.file, ledger]));
    this.fail(plan.ledgers.reduce((sum, { problems }) => sum + problems, 0));
    const done =
      before === undefined || index > before.folder ? 0 : index < before.folder ? plan.parts.length : before.part;
    for (let part = 0; part < done; part += 1) this.replay(earlier, ledgers);
    workers.open(plan.facts);
    await this.parts(plan, { index, done, ledgers, files: files.length });
    this.mapped += files.length;
    workers.close();
    for (const ledger of plan.ledgers) this.reporter.file(ledger.outcome());
  }

  private async parts({ parts }: FolderPlan, { index, done, ledgers, files }: FolderToMap): Promise<void> {
    const { workers, fingerprint, now } = this.request;
    const blocks = inTurn(parts.slice(done), workers.atOnce, ({ part, task }) => workers.map(part, task));
    let part = done;
    const tell = () =>
      this.tell({ step: 'mapping', done: (this.mapped + files * (part / parts.length)) / this.progress.of });
    if (parts.length > 0) tell();
    for await (const block of blocks) {
      part += 1;
      this.block(block, ledgers);
      this.output?.checkpoint({ fingerprint, now: now.toISOString(), folder: index, part });
      tell();
    }
  }

  private block(block: Block, ledgers: Ledgers): void {
    const { folder, printed } = this.request.layout;
    const lines = block.lines.map((text) => JSON.parse(text) as OrderLine); // made by makeBlock
    const { repeats, texts } = this.withoutRepeats(lines, block);
    const output = repeats.size === 0 ? block.output : withoutLines(block.output, lines, repeats);
    for (const at of repeats.keys()) remove(folder, lines[at]?.written);
    this.orders.append(texts.join(''));
    if (printed) this.request.print(textOf(output.printed));
    this.output?.append(output);
    for (const pieces of Object.values(block.output)) freePieces(pieces);
    this.output?.file('digests').append(block.digests.map((digest) => `${digest}\n`).join(''));
    this.output?.file('notes').append(`${JSON.stringify({ facts: block.facts, notes: block.notes })}\n`);
    for (const [at, line] of repeats) lines[at] = line;
    for (const [at, line] of lines.entries()) this.count(line, block.facts[at] ?? null, ledgers);
    this.notes(block.notes, ledgers);
    this.fail(lines.filter(({ state }) => state === 'cannot_map').length);
  }

  /** Lines whose request was made in an earlier run are left out, in a part before they become duplicates of it. */
  private withoutRepeats(
    lines: readonly OrderLine[],
    { lines: given, digests }: Pick<Block, 'lines' | 'digests'>,
  ): { readonly repeats: Map<number, OrderLine>; readonly texts: string[] } {
    const repeats = new Map<number, OrderLine>();
    const texts: string[] = [];
    let offset = this.orders.length;
    for (const [at, line] of lines.entries()) {
      const digest = digests[at] ?? '';
      const first = digest === '' ? undefined : this.digests.add(digest, offset);
      const told = this.told(line, digest, first);
      if (told !== line) repeats.set(at, told);
      const text = `${told === line ? given[at] : JSON.stringify(told)}\n`;
      texts.push(text);
      offset += Buffer.byteLength(text);
    }
    return { repeats, texts };
  }

  private told(line: OrderLine, digest: string, first: number | undefined): OrderLine {
    const { changedSince } = this.request;
    const isMade = line.state === 'ready' || line.state === 'needs_information';
    if (isMade && changedSince !== undefined && this.earlierDigests?.has(digest) === true)
      return unchangedLine(line, changedSince.folder);
    if (first === undefined || first >= this.orders.length) return line;
    return duplicateOf(line, JSON.parse(lineAt(this.orders.path, first)));
  }

  private count(line: OrderLine, facts: CountedFacts | null, ledgers: Ledgers): void {
    this.reporter.order(line, facts);
    ledgers.get(line.file)?.order(line.state);
    this.progress = { ...this.progress, orders: this.progress.orders + 1 };
  }

  private notes(notes: PartNotes, ledgers: Ledgers): void {
    this.reporter.patients(notes.patients);
    tellNotes(notes, ledgers);
    this.fail(notes.unread.length);
  }

  private fail(count: number): void {
    this.errors += count;
    const { maxErrors, layout } = this.request;
    if (maxErrors === undefined || count === 0 || this.errors < maxErrors) return;
    const out = layout.folder === undefined ? {} : { out: layout.folder };
    throw new BridgeError('too_many_errors', { errors: this.errors, ...out });
  }

  private tell(progress: Partial<RunProgress>): void {
    this.progress = { ...this.progress, ...progress };
    this.request.onProgress?.(this.progress);
  }

  /** What the stopped run had done, part by part. */
  private *earlier(): Generator<EarlierPart> {
    const { before } = this.request;
    if (before === undefined || this.output === undefined) return;
    const [lines, digests] = ['orders', 'digests'].map((name) => linesOf(this.output, name));
    for (const text of linesOf(this.output, 'notes')) {
      const { facts, notes } = JSON.parse(text) as Pick<Block, 'facts' | 'notes'>; // written by `block`
      const next = (of: CountedFacts | null) => {
        return { facts: of, text: lines?.next().value ?? '', digest: digests?.next().value ?? '' };
      };
      yield { notes, lines: facts.map(next) };
    }
  }

  private replayed = 0;

  private replay(earlier: Iterator<EarlierPart>, ledgers: Ledgers): void {
    const next = earlier.next();
    if (next.done === true) return;
    for (const { text, digest, facts } of next.value.lines) {
      if (digest !== '') this.digests.add(digest, this.replayed);
      this.replayed += Buffer.byteLength(text) + 1;
      this.count(JSON.parse(text) as OrderLine, facts, ledgers); // written by `block`
    }
    this.notes(next.value.notes, ledgers);
  }
}

type Ledgers = ReadonlyMap<string, FileLedger>;

interface FolderToMap {
  readonly index: number;
  /** Parts that a stopped run had done. */
  readonly done: number;
  readonly ledgers: Ledgers;
  /** How many files it has. */
  readonly files: number;
}

interface EarlierPart {
  readonly notes: PartNotes;
  readonly lines: readonly { readonly text: string; readonly digest: string; readonly facts: CountedFacts | null }[];
}

function linesOf(output: RunFiles | undefined, name: string): Generator<string> {
  const file = output?.files.get(name);
  if (file === undefined) throw new RangeError('every run keeps these');
  return fileLines(file.path, file.length);
}

function digestsOf({ path }: EarlierRun): DigestTable {
  const table = new DigestTable();
  for (const digest of fileLines(path)) if (digest !== '') table.add(digest, 1);
  return table;
}

function unchangedLine({ missing, advice, why, written, ...line }: OrderLine, folder: string): OrderLine {
  return { ...line, state: 'left_out', reason: `it says what it said in ${folder}` };
}

function duplicateOf({ missing, advice, why, written, ...line }: OrderLine, first: OrderLine): OrderLine {
  const { order, file, line: number, path } = first;
  const place = { file, ...(number === undefined ? {} : { line: number }), ...(path === undefined ? {} : { path }) };
  return { ...line, state: 'duplicate', reason: duplicateReason({ order, place }) };
}

/** The output of a part without the orders at these places; what is printed of them says what they repeat. */
function withoutLines(
  output: Block['output'],
  lines: readonly OrderLine[],
  repeats: ReadonlyMap<number, OrderLine>,
): Block['output'] {
  const texts = Object.fromEntries(
    Object.entries(output).map(([name, pieces]) => [name, textOf(pieces).split('\n').slice(0, -1)]),
  );
  const next: Record<string, number> = {};
  const left: Record<string, string[]> = { requests: [], drafts: [], sources: [], printed: [] };
  const move = (name: string, other?: string) => {
    const at = next[name] ?? 0;
    next[name] = at + 1;
    const text = other ?? texts[name]?.[at];
    if (text !== undefined && text !== '') left[name]?.push(`${text}\n`);
  };
  for (const [at, { written }] of lines.entries()) {
    const repeat = repeats.get(at);
    move('printed', repeat === undefined ? undefined : JSON.stringify(repeat));
    const file = lineFiles.find((name) => written === `${name}.ndjson`);
    if (file === undefined) continue;
    for (const name of [file, 'sources']) move(name, repeat === undefined ? undefined : '');
  }
  const joined = (name: string) => piecesOf((left[name] ?? []).join(''));
  return {
    requests: joined('requests'),
    drafts: joined('drafts'),
    sources: joined('sources'),
    printed: texts.printed?.length === 0 ? [] : joined('printed'),
  };
}

function remove(folder: string | undefined, written: string | undefined): void {
  if (folder === undefined || written === undefined || written.endsWith('.ndjson')) return;
  rmSync(join(folder, written), { force: true });
  rmSync(join(folder, 'sources', written.split('/').at(-1) ?? ''), { force: true });
}
