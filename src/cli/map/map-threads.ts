import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Inputs } from '../../batch/list-inputs.ts';
import { isDocument } from '../../batch/open-sources.ts';
import type { MapWork } from './map-work.ts';

/** The threads that a run starts. */
export interface ThreadPlan {
  readonly count: number;
  /** Megabytes that a thread has for what is new; V8 holds up to three times of it. */
  readonly newSpace: number;
}

/** Threads cost a second to start. */
const largeInput = 32 << 20;

/**
 * The threads for an input, as many as were asked for or as it can use; undefined where the one that runs is enough. A
 * document is read by one thread, however large: of a few documents there are no more tasks than that.
 */
export function threadsFor({ files }: Inputs, wanted: number | undefined): ThreadPlan | undefined {
  const isLarge = files.reduce((sum, { path }) => sum + (path === '-' ? 0 : statSync(path).size), 0) > largeInput;
  if (!isLarge && (wanted ?? 1) === 1) return undefined;
  const cores = availableParallelism();
  const isFewDocuments = files.length <= cores && files.every(({ path }) => isDocument(path));
  const count = wanted ?? (isFewDocuments ? files.length : cores);
  // A large document and what was parsed of it need the memory themselves.
  return { count, newSpace: isFewDocuments ? 32 : 64 };
}

/**
 * Of its own accord V8 lets garbage grow to many times what a run holds, the more of it the longer the run and the
 * busier the machine: a gigabyte for 200,000 patients. So it collects at a quarter more than what was held last; and
 * the memory of each thread for what is new has its full size from the beginning. It is so large that of the charts
 * under way little has to be copied: with an eighth of it a run takes half as much time again.
 *
 * V8 also learns from what is kept for long, of what many patients share, that all that the same code makes lives long:
 * over a million patients a tenth of what was new was put among what is old, and a quarter of the time went into
 * collecting it. And with several threads for what is new it takes twice the processor time, on cores that map anyway.
 *
 * The slower of V8's two compilers makes little of this code, which is wide and not deep, and each thread pays for it
 * anew: it is asked for what is called most only. It works in the thread itself: in threads beside it, which have
 * nothing to run on while others map, it is no faster, and a tenth of the memory of a run is what they keep.
 */
const flagsOf = ({ newSpace }: ThreadPlan) => [
  '--heap-growing-percent=25',
  `--min-semi-space-size=${newSpace}`,
  '--semi-space-growth-factor=1',
  '--no-allocation-site-pretenuring',
  '--no-parallel-scavenge',
  '--invocation-count-for-turbofan=30000',
  '--no-concurrent-recompilation',
];

/** Starts the threads of a plan. */
export function startThreads(plan: ThreadPlan, workerData: MapWork): readonly Worker[] {
  for (const flag of flagsOf(plan)) setFlagsFromString(flag);
  const resourceLimits = { maxYoungGenerationSizeMb: plan.newSpace * 3 };
  const entry = new URL(import.meta.url.endsWith('.ts') ? './map-thread.ts' : './map-thread.js', import.meta.url);
  return Array.from({ length: plan.count }, () => new Worker(entry, { workerData, resourceLimits }));
}
