import { Worker } from 'node:worker_threads';
import type { ImageReading, TextReading } from './readings.ts';

export interface ReadJob {
  /** `photo`: an image that is written anew, without what a camera notes in it. */
  readonly kind: 'text' | 'image' | 'photo';
  readonly contentType: string;
  /** Base64 */
  readonly data: string;
}

export interface ReadingLimits {
  /** After this a document is given up, and the thread with it. */
  readonly milliseconds: number;
  readonly memoryMegabytes: number;
}

type Reading = TextReading | ImageReading;

/**
 * A thread that reads one document at a time. One that hangs it, breaks it or takes all its memory is unreadable, and
 * the thread is lost with it.
 */
export class ReadingThread {
  /** Nothing can be read by it any more. */
  isLost = false;
  private readonly worker: Worker;
  private answer: ((reading: Reading) => void) | undefined;

  constructor(private readonly limits: ReadingLimits) {
    // its output would stand among the log's lines, and libraries quote what they read
    this.worker = new Worker(entry, {
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMegabytes },
    });
    this.worker.unref();
    this.worker.on('message', (reading: Reading) => this.answer?.(reading));
    // It may also break between two documents; without a listener that would end the process.
    const broken = () => this.lose('it could not be read');
    this.worker.on('error', broken).on('messageerror', broken).on('exit', broken);
  }

  /** Resolves in any case, at the latest after the limit. */
  async read(job: ReadJob): Promise<Reading> {
    if (this.isLost) return { unreadable: 'it could not be read' };
    const timer = setTimeout(() => this.lose('reading it took too long'), this.limits.milliseconds);
    this.worker.ref(); // the process waits for it as long as it works
    const reading = await new Promise<Reading>((resolve) => {
      this.answer = resolve;
      this.worker.postMessage(job);
    });
    clearTimeout(timer);
    this.answer = undefined;
    this.worker.unref();
    return reading;
  }

  private lose(unreadable: string): void {
    if (!this.isLost) void this.worker.terminate();
    this.isLost = true;
    this.answer?.({ unreadable });
  }
}

const entry = new URL(import.meta.url.endsWith('.ts') ? './reading-worker.ts' : './reading-worker.js', import.meta.url);
