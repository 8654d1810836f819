import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { readCardImage, readPhoto } from './card-image.ts';
import { readText } from './read-text.ts';
import type { ProcessAnswer, ProcessQuestion, Reading, ReadJob } from './reading-process.ts';

function readingOf(job: ReadJob): Promise<Reading> {
  switch (job.kind) {
    case 'text':
      return readText(job.contentType, job.data);
    case 'image':
      return readCardImage(job.data);
    case 'photo':
      return readPhoto(job.data);
    case 'pages':
      return enclosing(({ readPages }) => readPages(job.data));
    case 'packet':
      return enclosing(({ fillPages }) => fillPages(job.data, job.enclosed));
  }
}

// The library takes a second to load, and other documents need not wait for that.
async function enclosing<T>(work: (pages: typeof import('./enclosed-pages.ts')) => Promise<T>): Promise<T> {
  return await work(await import('./enclosed-pages.ts'));
}

/** The limits for the current document: memory in MiB, and the CPU time in milliseconds at which reading ends. */
const limits = new Int32Array(new SharedArrayBuffer(8));
const watcher = new URL(import.meta.url.endsWith('.ts') ? './watch-limits.ts' : './watch-limits.js', import.meta.url);
new Worker(watcher, {
  workerData: limits,
  resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
}).unref();

// Answering requests has priority over reading documents. On Linux the watching thread keeps its own priority, so it
// can stop the reading in time.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// The parent decides when this process ends. A signal to all processes of the bridge must not interrupt the current
// document.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

// reading-process.ts sends one document at a time.
process.on('message', ({ job, megabytes, processorMilliseconds }: ProcessQuestion) => {
  const { user, system } = process.cpuUsage();
  Atomics.store(limits, 1, (user + system) / 1000 + processorMilliseconds);
  Atomics.store(limits, 0, megabytes);
  Atomics.notify(limits, 0);
  void readingOf(job).then((reading) => {
    Atomics.store(limits, 0, 0);
    globalThis.gc?.();
    process.send?.({ reading, megabytes: process.memoryUsage.rss() / 2 ** 20 } satisfies ProcessAnswer);
  });
});
