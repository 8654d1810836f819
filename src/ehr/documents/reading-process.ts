import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import type { ImageReading, TextReading } from '../../core/fhir/documents/readings.ts';
import type { EnclosedPdf, PacketReading, PagesReading } from './enclosed-pages.ts';

/** One file. */
export interface FileJob {
  /**
   * `photo`: an image that is written anew, without what a camera notes in it; `pages`: whether the pages of a PDF can
   * be enclosed in another.
   */
  readonly kind: 'text' | 'image' | 'photo' | 'pages';
  readonly contentType: string;
  /** Base64 */
  readonly data: string;
}

/** A PDF of ours in base64, and PDFs whose pages go on its pages. */
export interface PacketJob {
  readonly kind: 'packet';
  readonly data: string;
  readonly enclosed: readonly EnclosedPdf[];
}

export type ReadJob = FileJob | PacketJob;

export interface ReadingLimits {
  /** After this a document is given up, and the process with it. */
  readonly milliseconds: number;
  /** The same in time of the processor, which other work of the machine does not use up. */
  readonly processorMilliseconds: number;
  /** What a process may hold, its own code included, while it reads a document of each kind. */
  readonly megabytes: Readonly<Record<ReadJob['kind'], number>>;
  /** A process that still holds more after reading a document reads no other. */
  readonly keptMegabytes: number;
  /** A process that is idle for this long exits, which frees its memory. */
  readonly idleMilliseconds: number;
}

export type Reading = TextReading | ImageReading | PagesReading | PacketReading;

/** What the process is asked, and what it answers. */
export interface ProcessQuestion {
  readonly job: ReadJob;
  readonly megabytes: number;
  readonly processorMilliseconds: number;
}
export interface ProcessAnswer {
  readonly reading: Reading;
  /** What the process holds now. */
  readonly megabytes: number;
}

/**
 * A process that reads one document at a time: what a document makes a library take is bounded only there. One that
 * hangs it, breaks it or takes more than its memory is unreadable, and the process is lost with it.
 */
export class ReadingProcess {
  /** Nothing can be read by it any more. */
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
      // a heap that is collected before the memory of the process is used up
      execArgv: ['--max-old-space-size=96', '--max-semi-space-size=2', '--expose-gc'],
      // no secret of this process is where a stranger's document is read
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) },
      // its output would stand among the log's lines, and libraries quote what they read
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.ended = new Promise((resolve) => {
      this.child.once('exit', () => resolve());
      // of one that never started, or cannot be told to end
      this.child.once('error', () => resolve());
    });
    this.child.on('message', (answer: ProcessAnswer) => this.answer?.(answer));
    // It may also break between two documents; without a listener that would end this process.
    this.child.on('error', () => this.lose('it could not be read'));
    this.child.on('exit', (_code, signal) => this.lose(whyEnded(signal)));
    this.release();
  }

  /** Resolves in any case, at the latest after the limit. */
  async read(job: ReadJob): Promise<Reading> {
    if (this.isLost) return { unreadable: 'it could not be read' };
    clearTimeout(this.idle);
    const timer = setTimeout(() => this.lose('reading it took too long'), this.limits.milliseconds);
    // this process waits for it as long as it works
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

  /** Resolves once the process is no more, and its memory is free; this process waits for it as long. */
  async whenEnded(): Promise<void> {
    this.child.ref();
    await this.ended;
  }

  /** It ends by itself once nobody is left to ask it. */
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

/** As watch-memory.ts ends it, or V8 where its heap is full. */
function whyEnded(signal: NodeJS.Signals | null): string {
  if (signal === 'SIGVTALRM') return 'reading it took too long';
  return signal === 'SIGKILL' || signal === 'SIGABRT'
    ? 'reading it takes more memory than it may'
    : 'it could not be read';
}

const entry = new URL(import.meta.url.endsWith('.ts') ? './reading-main.ts' : './reading-main.js', import.meta.url);
