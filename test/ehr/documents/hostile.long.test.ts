import { expect, test } from 'vitest';
import { readingLimits } from '../../../src/ehr/documents/readers.ts';
import { createReadingQueue } from '../../../src/ehr/documents/reading-queue.ts';
import { hostileFiles, hostilePdfs, pdfOfPages } from '../../support/hostile.ts';
import { watchMemory } from '../../support/memory.ts';

/** What a process takes in the milliseconds until its watch looks again. */
const spare = 48;

test('no PDF takes more than that when its pages are enclosed, and none takes longer than it may', async () => {
  const readers = createReadingQueue(readingLimits);
  const tooMuch: string[] = [];
  for (const { what, job } of [...(await hostilePdfs(1000)), pdfOfPages(100_000)]) {
    const watch = watchMemory(process.pid);
    const began = performance.now();
    const reading = await readers.read({ ...job, kind: 'pages' }, what);
    const { oneOfThem } = await watch.stop();
    const milliseconds = Math.round(performance.now() - began);
    const line = `${what}: ${Math.round(oneOfThem)} MB, ${JSON.stringify(reading).slice(0, 80)} ${milliseconds} ms`;
    process.stdout.write(`${line}\n`);
    const isMuch =
      oneOfThem > readingLimits.megabytes.pages + spare || milliseconds > readingLimits.milliseconds + 2000;
    if (isMuch) tooMuch.push(line);
  }
  expect(tooMuch).toEqual([]);
});

test('no file takes more than the memory that is stated, whatever it unfolds to [E8]', async () => {
  const readers = createReadingQueue(readingLimits);
  const tooMuch: string[] = [];
  for (const { what, job } of await hostileFiles(1000)) {
    const watch = watchMemory(process.pid);
    const began = performance.now();
    const reading = await readers.read(job as typeof job & { kind: 'text' }, what);
    const { oneOfThem } = await watch.stop();
    const line = `${what}: ${Math.round(oneOfThem)} MB, ${JSON.stringify(reading).slice(0, 80)}`;
    process.stdout.write(`${line} ${Math.round(performance.now() - began)} ms\n`);
    if (oneOfThem > readingLimits.megabytes[job.kind] + spare) tooMuch.push(line);
  }
  expect(tooMuch).toEqual([]);
});
