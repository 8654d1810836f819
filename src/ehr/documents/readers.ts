import { createReadingQueue } from './reading-queue.ts';

/**
 * Limits for reading documents in this process, both of charts and of attached files. docs/operate/running.md explains
 * these numbers.
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
