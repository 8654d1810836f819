import { parentPort, workerData } from 'node:worker_threads';
import { type Layout, tellsChoices } from '../batch/block.ts';
import { Engine } from '../batch/engine.ts';
import type { Only } from '../batch/only.ts';
import { workInThread } from '../batch/worker-thread.ts';
import type { MappingOptions } from './mapping-options.ts';
import { chooseMapping } from './mappings.ts';

/** What a thread of `map` is started with. */
export interface ThreadData {
  readonly options: MappingOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: number;
  readonly isFast: boolean;
  readonly only: readonly Only[];
  readonly layout: Layout;
}

const { options, env, now, isFast, only, layout } = workerData as ThreadData; // started by workersFor
const { map, reads, roles, site } = chooseMapping(options, { env });
const engine = new Engine({ map, reads, roles, site, now: new Date(now), isFast, only, choices: tellsChoices(layout) });
if (parentPort !== null) workInThread(parentPort, engine, layout);
