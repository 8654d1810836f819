import { createReadingQueue } from './reading-queue.ts';

/**
 * The readers of documents in this process, for charts and attached files alike. docs/operate/running.md documents
 * these numbers for operators.
 */
export const readingLimits = {
  processes: 1,
  waiting: 1000,
  milliseconds: 30_000,
  processorMilliseconds: 15_000,
  megabytes: { text: 160, image: 256, photo: 256, pages: 256, packet: 288 },
  keptMegabytes: 110,
  idleMilliseconds: 30_000,
} as const;

export const readers = createReadingQueue(readingLimits);
