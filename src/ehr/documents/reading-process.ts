import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import type { ImageReading, TextReading } from '../../core/fhir/documents/readings.ts';
import type { EnclosedPdf, PacketReading, PagesReading } from './enclosed-pages.ts';

/** One file. */
export interface FileJob {
  /**
   * `photo`: an image that is re-encoded without the data that a camera stores; `pages`: whether the pages of a PDF can
   * be enclosed in another.
   */
  readonly kind: 'text' | 'image' | 'photo' | 'pages';
  readonly contentType: string;
  /** Base64 */
  readonly data: string;
}

/** A PDF of ours in base64, and PDFs whose pages are drawn onto its pages. */
export interface PacketJob {
  readonly kind: 'packet';
  readonly data: string;
  readonly enclosed: readonly EnclosedPdf[];
}

export type ReadJob = FileJob | PacketJob;

export interface ReadingLimits {
  /** After this time reading the document is aborted, and the process is ended. */
  readonly milliseconds: number;
  /** The limit in processor time, which other work on the machine does not use up. */
  readonly processorMilliseconds: number;
  /** How much memory a process may use, its own code included, while it reads a document of each kind. */
  readonly megabytes: Readonly<Record<ReadJob['kind'], number>>;
  /** A process that still uses more after reading a document reads no other. */
  readonly keptMegabytes: number;
  /** A process that is idle for this long exits, which frees its memory. */
  readonly idleMilliseconds: number;
}

export type Reading = TextReading | ImageReading | PagesReading | PacketReading;

/** A question to the process, and its answer. */
export interface ProcessQuestion {
  readonly job: ReadJob;
  readonly megabytes: number;
  readonly processorMilliseconds: number;
}
export interface ProcessAnswer {
  readonly reading: Reading;
  /** The memory that the process uses now. */
  readonly megabytes: number;
}

/**
 * A process that reads one document at a time, because only a process can limit the memory and time that a library
 * takes. A document that hangs or crashes the process, or exceeds its memory, is unreadable, and the process is lost
 * with it.
 */
export class ReadingProcess {
  /** true once the process cannot read any more documents. */
  isLost = false;
  private readonly ended: Promise<void>;
  private readonly limits: ReadingLimits;
  private readonly child: ChildProcess;
  private answer: ((answer: Reading | ProcessAnswer) => void) | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(limits: ReadingLimits) {
    this.limits = limits;
    const cache = getCompileCacheDir();
    this.child = fork(entry, {
      // collects the heap before the memory of the process is used up
      execArgv: ['--max-old-space-size=96', '--max-semi-space-size=2', '--expose-gc'],
      // the process reads untrusted documents, so it gets no secret of this process
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) },
      // its output would be mixed into the log, and libraries quote what they read
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.ended = new Promise((resolve) => {
      this.child.once('exit', () => resolve());
      // for a process that never started, or cannot be signaled
      this.child.once('error', () => resolve());
    });
    this.child.on('message', (answer: ProcessAnswer) => this.answer?.(answer));
    // It may also crash between two documents; without a listener that would end this process.
    this.child.on('error', () => this.lose('it could not be read'));
    this.child.on('exit', (_code, signal) => this.lose(whyEnded(signal)));
    this.release();
  }

  /** Always resolves, at the latest after the limit. */
  async read(job: ReadJob): Promise<Reading> {
    if (this.isLost) return { unreadable: 'it could not be read' };
    clearTimeout(this.idle);
    const timer = setTimeout(() => this.lose('reading it took too long'), this.limits.milliseconds);
    // this process stays alive while the child works
    this.child.ref();
    this.child.channel?.ref();
    const answer = await new Promise<Reading | ProcessAnswer>((resolve) => {
      this.answer = resolve;
      const { processorMilliseconds, megabytes } = this.limits;
      const question: ProcessQuestion = { job, processorMilliseconds, megabytes: megabytes[job.kind] };
      this.child.send(question, (failed) => {
        if (failed !== null) this.lose('it could not be read');
      });
    });
    clearTimeout(timer);
    this.answer = undefined;
    if (!('reading' in answer)) return answer;
    if (answer.megabytes > this.limits.keptMegabytes) this.end();
    else this.idle = setTimeout(() => this.end(), this.limits.idleMilliseconds).unref();
    this.release();
    return answer.reading;
  }

  /** Resolves once the process has ended and its memory is free; this process stays alive until then. */
  async whenEnded(): Promise<void> {
    this.child.ref();
    await this.ended;
  }

  /** The child exits by itself once its parent is gone. */
  private end(): void {
    this.isLost = true;
    if (this.child.connected) this.child.disconnect();
  }

  private release(): void {
    this.child.unref();
    this.child.channel?.unref();
  }

  private lose(unreadable: string): void {
    clearTimeout(this.idle);
    this.isLost = true;
    this.child.kill('SIGKILL');
    this.release();
    this.answer?.({ unreadable });
  }
}

/** Ended by watch-limits.ts, or by V8 when its heap is full. */
function whyEnded(signal: NodeJS.Signals | null): string {
  if (signal === 'SIGVTALRM') return 'reading it took too long';
  return signal === 'SIGKILL' || signal === 'SIGABRT'
    ? 'reading it takes more memory than it may'
    : 'it could not be read';
}

const entry = new URL(import.meta.url.endsWith('.ts') ? './reading-main.ts' : './reading-main.js', import.meta.url);
