import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type BenchBundle, benchBundles } from './bundles.ts';
import { syntheaBundles } from './synthea.ts';

/** Charts of each kind, by what the kind is called. */
export type BenchCharts = Readonly<Record<string, readonly BenchBundle[]>>;

const kib = 1024;

/**
 * The kinds of charts: what an EHR exports for one order, in the size that the requirement names; Synthea's shape; a
 * small one.
 */
export function benchCharts(count: number): BenchCharts {
  return {
    'one chart of 20 KiB': benchBundles({ size: 20 * kib, count }),
    'Synthea-shaped, 20 KiB': syntheaBundles({ size: 20 * kib, count }),
    'one chart of 4 KiB': benchBundles({ size: 4 * kib, count }),
  };
}

/**
 * The same, made in a thread of its own. Making them reads hundreds of fixtures and keeps them, with code of this build
 * alone: V8 learns from it that what a reader allocates lives long, puts it among the old objects from then on, and
 * each chart that this build maps stays until the next full collection. No other build would pay for that.
 */
export async function benchChartsApart(count: number): Promise<BenchCharts> {
  const worker = new Worker(new URL('./charts-worker.ts', import.meta.url), { workerData: count });
  const [charts]: unknown[] = await once(worker, 'message');
  return Object.fromEntries(
    // what the worker sends is what benchCharts gives; a Buffer arrives as its bytes
    Object.entries(charts as BenchCharts).map(([kind, bundles]) => [
      kind,
      bundles.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) })),
    ]),
  );
}
