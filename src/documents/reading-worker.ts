import { parentPort } from 'node:worker_threads';
import { readCardImage } from './card-image.ts';
import { readText } from './read-text.ts';
import type { ReadJob } from './reading-thread.ts';

// One document at a time, as reading-thread.ts sends them.
parentPort?.on('message', ({ kind, contentType, data }: ReadJob) => {
  const reading = kind === 'text' ? readText(contentType, data) : readCardImage(data);
  void reading.then((result) => parentPort?.postMessage(result));
});
