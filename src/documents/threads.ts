import { availableParallelism } from 'node:os';
import { createReadingThreads } from './reading-threads.ts';

/** The threads of this process, for documents of charts and for files that people attach alike. */
export const threads = createReadingThreads({
  threads: Math.min(4, Math.max(2, availableParallelism())),
  waiting: 1000,
  milliseconds: 30_000,
  memoryMegabytes: 512,
});
