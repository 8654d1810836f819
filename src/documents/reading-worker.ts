import { parentPort } from 'node:worker_threads';
import { readCardImage, readPhoto } from './card-image.ts';
import { readText } from './read-text.ts';
import type { ReadJob } from './reading-thread.ts';

const readers: Readonly<Record<ReadJob['kind'], (contentType: string, data: string) => Promise<unknown>>> = {
  text: readText,
  image: (_, data) => readCardImage(data),
  photo: (_, data) => readPhoto(data),
};

// One document at a time, as reading-thread.ts sends them.
parentPort?.on('message', ({ kind, contentType, data }: ReadJob) => {
  void readers[kind](contentType, data).then((result) => parentPort?.postMessage(result));
});
