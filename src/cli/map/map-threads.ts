import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Inputs } from '../../batch/list-inputs.ts';
import { isDocument } from '../../batch/open-sources.ts';
import type { MapWork } from './map-work.ts';

export interface ThreadPlan {
  readonly count: number;
  /** Semi-space size in megabytes. The young generation of a thread takes up to three times as much. */
  readonly newSpace: number;
}

/** Bytes. Starting threads takes a second, which smaller input does not gain back. */
const largeInput = 32 << 20;

/**
 * Returns the number of threads requested or useful; undefined if the current thread is enough. One thread reads a
 * document, so there are at most as many threads as documents.
 */
export function threadsFor({ files }: Inputs, wanted: number | undefined): ThreadPlan | undefined {
  const isLarge = files.reduce((sum, { path }) => sum + (path === '-' ? 0 : statSync(path).size), 0) > largeInput;
  if (!isLarge && (wanted ?? 1) === 1) return undefined;
  const cores = availableParallelism();
  const isFewDocuments = files.length <= cores && files.every(({ path }) => isDocument(path));
  const count = wanted ?? (isFewDocuments ? files.length : cores);
  // A large document and its parsed form need the memory that a larger young generation would take.
  return { count, newSpace: isFewDocuments ? 32 : 64 };
}

/**
 * Flags of V8, each measured with exports of up to a million patients:
 * - heap-growing-percent: by default garbage grows to many times the live data, a gigabyte for 200,000 patients. With
 *   25, V8 collects when the heap is a quarter larger than the live data of the last collection.
 * - semi-space: the young generation has its full size from the start, so that few objects of the current charts are
 *   copied. With an eighth of it a run takes 1.5 times as long.
 * - allocation-site-pretenuring: V8 would allocate a tenth of the new objects in the old generation, because code that
 *   made long-lived objects also makes short-lived ones. Collecting them took a quarter of the time.
 * - parallel-scavenge: several threads per young collection take twice the CPU time, on cores that are already mapping.
 * - invocation-count-for-turbofan: every thread compiles on its own, and optimizing gains little on this code, so only
 *   the most called functions are optimized.
 * - concurrent-recompilation: compiler threads are no faster, since all cores are mapping, and they take a tenth of a
 *   run's memory.
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

export function startThreads(plan: ThreadPlan, workerData: MapWork): readonly Worker[] {
  for (const flag of flagsOf(plan)) setFlagsFromString(flag);
  const resourceLimits = { maxYoungGenerationSizeMb: plan.newSpace * 3 };
  const entry = new URL(import.meta.url.endsWith('.ts') ? './map-thread.ts' : './map-thread.js', import.meta.url);
  return Array.from({ length: plan.count }, () => new Worker(entry, { workerData, resourceLimits }));
}
