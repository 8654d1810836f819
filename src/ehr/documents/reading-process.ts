import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import type { ImageReading, TextReading } from '../../core/fhir/documents/readings.ts';
import type { EnclosedPdf, PacketReading, PagesReading } from './enclosed-pages.ts';

export interface FileJob {
  /**
   * `photo`: an image that is re-encoded without a camera's metadata. `pages`: checks whether a PDF can be enclosed in
   * another.
   */
  readonly kind: 'text' | 'image' | 'photo' | 'pages';
  readonly contentType: string;
  /** Base64. */
  readonly data: string;
}

/** The bridge's own PDF in base64, and the PDFs to draw onto its pages. */
export interface PacketJob {
  readonly kind: 'packet';
  readonly data: string;
  readonly enclosed: readonly EnclosedPdf[];
}

export type ReadJob = FileJob | PacketJob;

export interface ReadingLimits {
  readonly milliseconds: number;
  /** Limit of CPU time in milliseconds. Other work on the machine does not use it up. */
  readonly processorMilliseconds: number;
  /** Megabytes that a process may use while it reads a document of each kind, including its own code. */
  readonly megabytes: Readonly<Record<ReadJob['kind'], number>>;
  /** A process that uses more than this after a document reads no other document. */
  readonly keptMegabytes: number;
  /** A process that is idle for this long exits, to free its memory. */
  readonly idleMilliseconds: number;
}

export type Reading = TextReading | ImageReading | PagesReading | PacketReading;

/** A message to the reading process, and its answer. */
export interface ProcessQuestion {
  readonly job: ReadJob;
  readonly megabytes: number;
  readonly processorMilliseconds: number;
}
export interface ProcessAnswer {
  readonly reading: Reading;
  readonly megabytes: number;
}

/**
 * A process that reads one document at a time, because only a process can limit the memory and time of a library. A
 * document that hangs, crashes or exceeds its memory is unreadable, and its process is ended.
 */
export class ReadingProcess {
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
      // collects garbage before the process reaches its memory limit
      execArgv: ['--max-old-space-size=96', '--max-semi-space-size=2', '--expose-gc'],
      // the process reads untrusted documents, so it gets no secrets from the environment
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) },
      // its output would be mixed into the log, and libraries quote the documents that they read
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.ended = new Promise((resolve) => {
      this.child.once('exit', () => resolve());
      // for a process that never started or cannot be signaled
      this.child.once('error', () => resolve());
    });
    this.child.on('message', (answer: ProcessAnswer) => this.answer?.(answer));
    // The process may also crash between two documents. An error event without a listener would end this process.
    this.child.on('error', () => this.lose('it could not be read'));
    this.child.on('exit', (_code, signal) => this.lose(whyEnded(signal)));
    this.release();
  }

  /** Always resolves, at the latest after the time limit. */
  async read(job: ReadJob): Promise<Reading> {
    if (this.isLost) return { unreadable: 'it could not be read' };
    clearTimeout(this.idle);
    const timer = setTimeout(() => this.lose('reading it took too long'), this.limits.milliseconds);
    // keeps this process alive while the child works
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

  /** Resolves when the process has ended and its memory is free; keeps this process alive until then. */
  async whenEnded(): Promise<void> {
    this.child.ref();
    await this.ended;
  }

  /** If this process ends first, the child exits by itself. */
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

/** SIGVTALRM and SIGKILL come from watch-limits.ts; SIGABRT comes from V8 if its heap is full. */
function whyEnded(signal: NodeJS.Signals | null): string {
  if (signal === 'SIGVTALRM') return 'reading it took too long';
  return signal === 'SIGKILL' || signal === 'SIGABRT'
    ? 'reading it takes more memory than it may'
    : 'it could not be read';
}

const entry = new URL(import.meta.url.endsWith('.ts') ? './reading-main.ts' : './reading-main.js', import.meta.url);
