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

// The library takes a second to load, which no other document waits for.
async function enclosing<T>(work: (pages: typeof import('./enclosed-pages.ts')) => Promise<T>): Promise<T> {
  return await work(await import('./enclosed-pages.ts'));
}

/** The limits of what is being read: bytes in MiB, and the processor's time at which it is given up. */
const limits = new Int32Array(new SharedArrayBuffer(8));
const watcher = new URL(import.meta.url.endsWith('.ts') ? './watch-memory.ts' : './watch-memory.js', import.meta.url);
new Worker(watcher, {
  workerData: limits,
  resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
}).unref();

// Requests are answered before documents are read, and memory is watched before more of it is taken: on Linux the
// watching thread keeps the priority that it began with.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// Who asks says when it is enough: a signal for all processes of the bridge lets it end what it reads.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

// One document at a time, as reading-process.ts sends them.
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
