import { startOperations } from '../cases/metrics-port.ts';
import { BridgeError } from '../core/errors.ts';
import { isAnswering, openProcess, type ProcessOptions } from './process.ts';

export interface Worker {
  /** Starts no more jobs, waits for running jobs up to a limit, closes the store. */
  close(): Promise<void>;
}

/**
 * Runs jobs only. Any number of workers may run beside the processes that serve pages, on the same PostgreSQL. Throws
 * what `startBridge` throws, and config_invalid without PostgreSQL.
 */
export async function startWorker(options: ProcessOptions): Promise<Worker> {
  if (options.config.databaseUrl === undefined)
    throw new BridgeError('config_invalid', {
      problems: ['DATABASE_URL: not set; the embedded store belongs to one process, which does pages and jobs'],
    });
  const { config, store, cases, work, metrics, drain } = await openProcess(options);
  const state = { open: true };
  const started: { close(): Promise<unknown> }[] = [store];
  const close = async () => {
    state.open = false;
    for (const part of started.splice(0).reverse()) await part.close();
  };
  try {
    await work.prepare();
    const ready = async () => state.open && isAnswering(cases.counts());
    started.push(await startOperations({ config, metrics, ready }));
    started.push({ close: drain });
    work.start();
    return { close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
