import { expect, test } from 'vitest';
import { readingLimits } from '../../../src/ehr/documents/readers.ts';
import { createReadingQueue } from '../../../src/ehr/documents/reading-queue.ts';
import { hostileFiles } from '../../support/hostile.ts';
import { watchMemory } from '../../support/memory.ts';

/** What a process takes in the milliseconds until its watch looks again. */
const spare = 48;

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
