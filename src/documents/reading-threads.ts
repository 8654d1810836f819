import { Worker } from 'node:worker_threads';
import type { ImageReading, TextReading } from './readings.ts';

export interface ReadJob {
  readonly kind: 'text' | 'image';
  readonly contentType: string;
  /** Base64 */
  readonly data: string;
}

/** Reads documents away from the thread that answers requests, one after the other. */
export interface ReadingThread {
  read(job: ReadJob & { readonly kind: 'text' }): Promise<TextReading>;
  read(job: ReadJob & { readonly kind: 'image' }): Promise<ImageReading>;
}

export interface ReadingLimits {
  /** After this a document is given up, and the thread with it. */
  readonly milliseconds: number;
  readonly memoryMegabytes: number;
}

type Reading = TextReading | ImageReading;

/**
 * A thread that starts with the first document and ends with the process. A document that hangs it, breaks it or takes all its memory is
 * unreadable; the next one gets a new thread.
 */
export function createReadingThread({ milliseconds, memoryMegabytes }: ReadingLimits): ReadingThread {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const start = (): Worker => {
    // its output would stand among the log's lines, and libraries quote what they read
    const started = new Worker(entry, {
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
    });
    started.unref();
    return started;
  };

  const run = (job: ReadJob): Promise<Reading> => {
    const thread = worker ?? start();
    worker = thread;
    return new Promise((resolve) => {
      const end = (reading: Reading, isLost: boolean) => {
        clearTimeout(timer);
        thread.off('message', answered).off('error', broken).off('exit', broken);
        thread.unref();
        if (isLost) {
          worker = undefined;
          thread.once('error', () => undefined); // what it says while it is ended concerns nobody
          void thread.terminate();
        }
        resolve(reading);
      };
      const answered = (reading: Reading) => end(reading, false);
      const broken = () => end({ unreadable: 'it could not be read' }, true);
      const timer = setTimeout(() => end({ unreadable: 'reading it took too long' }, true), milliseconds);
      thread.on('message', answered).on('error', broken).on('exit', broken);
      thread.ref(); // the process waits for it as long as it works
      thread.postMessage(job);
    });
  };

  const read = (job: ReadJob): Promise<Reading> => {
    const reading = last.then(() => run(job));
    last = reading;
    return reading;
  };
  return { read: read as ReadingThread['read'] }; // the worker answers each kind of job with its kind of reading
}

const entry = new URL(import.meta.url.endsWith('.ts') ? './reading-worker.ts' : './reading-worker.js', import.meta.url);
