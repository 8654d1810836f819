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
  /** Megabytes of a thread's young generation; V8 uses up to three times as much. */
  readonly newSpace: number;
}

/** Starting threads takes a second. */
const largeInput = 32 << 20;

/**
 * The threads for an input: as many as requested or as it can use; undefined if the current thread is enough. A
 * document is read by one thread, however large, so a few documents make no more tasks than their number.
 */
export function threadsFor({ files }: Inputs, wanted: number | undefined): ThreadPlan | undefined {
  const isLarge = files.reduce((sum, { path }) => sum + (path === '-' ? 0 : statSync(path).size), 0) > largeInput;
  if (!isLarge && (wanted ?? 1) === 1) return undefined;
  const cores = availableParallelism();
  const isFewDocuments = files.length <= cores && files.every(({ path }) => isDocument(path));
  const count = wanted ?? (isFewDocuments ? files.length : cores);
  // A large document and its parsed form need the memory themselves.
  return { count, newSpace: isFewDocuments ? 32 : 64 };
}

/**
 * By default V8 lets garbage grow to many times the live data of a run, more so in a long run on a busy machine: a
 * gigabyte for 200,000 patients. So it is set to collect when the heap is a quarter larger than the live data of the
 * last collection. Each thread's young generation has its full size from the start, large enough that few objects of
 * the current charts are copied: with an eighth of it a run takes 1.5 times as long. V8 also learns from long-lived
 * data, which many patients share, to allocate objects of the same code in the old generation: over a million patients
 * a tenth of new objects were allocated there, and collecting them took a quarter of the time. Several threads per
 * young collection take twice the CPU time, on cores that are already mapping. The optimizing compiler gains little on
 * this code, which is wide and not deep, and each thread compiles anew, so only the most called functions are
 * optimized. It compiles in the thread itself: compiler threads are no faster, since other threads use all cores to
 * map, and they take a tenth of a run's memory.
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
