import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { linesOf } from '../base/lines.ts';
import type { Temporary } from '../base/temporary.ts';
import { BridgeError } from '../core/errors.ts';
import type { Ledgers } from './file-ledger.ts';
import type { InputFile, Inputs } from './list-inputs.ts';
import { foldersOf, inTurn, planFolder, problemsOf } from './plan.ts';
import type { Block, Layout, MadeOrder } from './report/mapped-part.ts';
import type { CountedFacts } from './report/order-facts.ts';
import type { OrderLine } from './report/order-line.ts';
import { duplicateReason } from './report/order-outcome.ts';
import { digestsOf, endRun, LineFiles, recordPath, removeWritten } from './report/output.ts';
import { Reporter } from './report/report.ts';
import { type Checkpoint, RunRecord, recordedLines } from './report/run-record.ts';
import { type WholeReport, writeReport } from './report/write-report.ts';
import type { Workers } from './workers.ts';

export interface RunRequest {
  readonly inputs: Inputs;
  readonly workers: Workers;
  readonly layout: Layout;
  readonly mapping: string;
  readonly now: Date;
  readonly stdin: AsyncIterable<Buffer>;
  readonly temporary: Temporary;
  readonly before?: Checkpoint;
  /** The same for runs over the same input with the same options. */
  readonly fingerprint: string;
  /** The folder of an earlier run. Orders whose request has not changed since then are left out. */
  readonly changedSince?: string;
  /** Stops the run after this many lines, files and orders that could not be read or mapped. */
  readonly maxErrors?: number;
  readonly print: (lines: string) => void;
  readonly onProgress?: (progress: RunProgress) => void;
}

export interface RunProgress {
  readonly step: 'reading' | 'mapping';
  readonly files: number;
  readonly of: number;
  readonly orders: number;
  /** The share of the input whose orders are mapped, 0 to 1. */
  readonly done: number;
}

/** A report whose lines can be read until `end` is called. */
export interface RunResult extends WholeReport {
  readonly end: () => Promise<void>;
}

/**
 * Maps all input and writes the output in input order: files, printed lines and the report. The output does not depend
 * on the number of threads, or on whether the run was stopped and resumed. Throws `too_many_errors`; what was written
 * stays, and the run can be resumed.
 */
export async function runMap(request: RunRequest): Promise<RunResult> {
  const run = new Run(request);
  try {
    return await run.all();
  } finally {
    run.close();
  }
}

/** Milliseconds of work that a stop loses at most. Saving after every part would take a twentieth of a run. */
const betweenSaves = 1000;

class Run {
  private readonly reporter: Reporter;
  private readonly record: RunRecord;
  private readonly files: LineFiles;
  private progress: RunProgress;
  private errors = 0;
  private mapped = 0;
  private saved = Date.now();

  constructor(private readonly request: RunRequest) {
    const { layout, before, temporary, inputs } = request;
    this.reporter = new Reporter(request);
    const path = layout.folder === undefined ? temporary.path() : recordPath(layout.folder);
    this.record = new RunRecord(path);
    this.files = new LineFiles(layout, before);
    this.progress = { step: 'reading', files: 0, of: inputs.files.length, orders: this.record.orders, done: 0 };
  }

  async all(): Promise<RunResult> {
    const { inputs, layout, changedSince } = this.request;
    const earlier = changedSince === undefined ? [] : linesOf(createReadStream(digestsOf(changedSince)));
    for await (const { bytes } of earlier) this.record.addEarlier(bytes.toString());
    for (const outcome of problemsOf(inputs)) {
      this.reporter.file(outcome);
      this.fail(outcome.problems.length);
    }
    for (const [index, files] of foldersOf(inputs).entries()) await this.folder(files, index);
    this.save();
    const whole = { report: this.reporter.report(), lines: () => recordedLines(this.record.path) };
    const { folder } = layout;
    if (folder === undefined) return { ...whole, end: async () => {} };
    writeReport(join(folder, 'report.json'), whole);
    return { ...whole, end: () => endRun(folder) };
  }

  close(): void {
    this.record.close();
    this.files.close();
  }

  private async folder(files: readonly InputFile[], index: number): Promise<void> {
    const { workers, stdin, temporary } = this.request;
    const { facts, parts, ledgers } = await planFolder(files, {
      stdin,
      temporary,
      atOnce: workers.atOnce,
      scan: workers.scan,
      onFile: () => this.emit({ step: 'reading', files: this.progress.files + 1 }),
    });
    this.fail(ledgers.problems);
    await workers.open(facts);
    let done = this.record.notesOf(index).length;
    const emit = () =>
      this.emit({ step: 'mapping', done: (this.mapped + files.length * (done / parts.length)) / this.progress.of });
    if (parts.length > 0) emit();
    for await (const block of inTurn(parts.slice(done), workers.atOnce, workers.map)) {
      const errors = block.orders.filter(({ state }) => state === 'cannot_map').length;
      this.fail(errors, () => this.write(block, index));
      if (Date.now() - this.saved > betweenSaves) this.save();
      done += 1;
      emit();
    }
    await workers.close();
    this.mapped += files.length;
    this.count(index, ledgers);
  }

  private write({ orders, notes }: Block, folder: number): void {
    const texts = { requests: '', drafts: '', sources: '', printed: '' };
    for (const order of orders) {
      const { line, output, printed } = this.withoutRepeat(order);
      for (const [name, text] of Object.entries({ ...output, printed })) texts[name as keyof typeof texts] += text;
      this.record.addOrder(folder, order.digest, { line, facts: JSON.stringify(order.facts ?? null) });
    }
    this.files.append(texts);
    this.record.addPart(folder, notes);
    if (this.request.layout.printed) this.request.print(texts.printed);
    this.progress = { ...this.progress, orders: this.progress.orders + orders.length };
  }

  /** If the same request was made before, nothing is written, and the order's line says where that request is. */
  private withoutRepeat(order: MadeOrder): Pick<MadeOrder, 'line' | 'output' | 'printed'> {
    const { digest } = order;
    if (digest === undefined) return order;
    const { changedSince, layout } = this.request;
    const first = this.record.isEarlier(digest) ? 'earlier' : this.record.firstWith(digest);
    if (first === undefined) return order;
    const { missing, advice, why, written, ...line } = JSON.parse(order.line) as OrderLine; // `makeBlock` wrote it
    removeWritten(layout.folder, written);
    const repeat: Pick<OrderLine, 'state' | 'reason'> =
      first === 'earlier'
        ? { state: 'left_out', reason: `it says what it said in ${changedSince}` }
        : { state: 'duplicate', reason: duplicateReason(JSON.parse(first) as OrderLine) };
    const text = JSON.stringify({ ...line, ...repeat });
    return { line: text, output: {}, printed: layout.printed ? `${text}\n` : '' };
  }

  /** Counts the results of a folder, including those from before a stop. */
  private count(folder: number, ledgers: Ledgers): void {
    for (const recorded of this.record.ordersOf(folder)) {
      const line = JSON.parse(recorded.line) as OrderLine; // `write` wrote the line
      this.reporter.order(line, JSON.parse(recorded.facts) as CountedFacts | null);
      ledgers.of(line.file).order(line.state);
    }
    for (const notes of this.record.notesOf(folder)) {
      this.reporter.patients(notes.patients);
      ledgers.note(notes);
    }
    for (const ledger of ledgers.all) this.reporter.file(ledger.outcome());
  }

  private save(): void {
    const { fingerprint, now } = this.request;
    this.record.save({ fingerprint, now: now.toISOString(), lengths: this.files.sync() });
    this.saved = Date.now();
  }

  /**
   * Counts input that could not be read or mapped. At the limit, calls `write` and ends the run, which resumes before
   * that input.
   */
  private fail(count: number, write = () => {}): void {
    this.errors += count;
    const { maxErrors, layout } = this.request;
    const isOver = maxErrors !== undefined && count > 0 && this.errors >= maxErrors;
    if (isOver) this.save();
    write();
    if (!isOver) return;
    const out = layout.folder === undefined ? {} : { out: layout.folder };
    throw new BridgeError('too_many_errors', { errors: this.errors, ...out });
  }

  private emit(progress: Partial<RunProgress>): void {
    this.progress = { ...this.progress, ...progress };
    this.request.onProgress?.(this.progress);
  }
}
