import type { MessagePort } from 'node:worker_threads';
import { BridgeError } from '../core/errors.ts';
import { openTextCache } from '../core/text-cache.ts';
import { makeBlock, memoryOf } from './block.ts';
import type { Engine } from './engine.ts';
import type { Layout } from './layout.ts';
import type { WorkerAnswer, WorkerRequest } from './workers.ts';

/** What a thread works with, and what it tells of that first. */
export interface ThreadWork<About> {
  readonly engine: Engine;
  readonly layout: Layout;
  readonly about: About;
}

/** Does what a run asks of one of its threads, one thing after the other. It tells first that it can, or why not. */
export function workInThread<About>(port: MessagePort, begin: () => ThreadWork<About>): void {
  openTextCache();
  let work: ThreadWork<About>;
  try {
    work = begin();
  } catch (error) {
    port.postMessage(failed(error));
    return;
  }
  port.postMessage({ value: work.about });
  let before = Promise.resolve();
  port.on('message', (request: WorkerRequest) => {
    before = before.then(() => answer(request, port, work));
  });
}

async function answer(
  request: WorkerRequest,
  port: MessagePort,
  { engine, layout }: Pick<ThreadWork<unknown>, 'engine' | 'layout'>,
): Promise<void> {
  if (request.kind === 'open') return engine.open(request.facts);
  if (request.kind === 'close') return engine.close();
  try {
    if (request.kind === 'map') {
      const value = await makeBlock(engine, request.part, layout);
      return port.postMessage({ value }, memoryOf(value));
    }
    const value = engine.scan(request.pieces, request.sources);
    port.postMessage({ value }, [value.records.buffer]);
  } catch (error) {
    port.postMessage(failed(error));
  }
}

function failed(error: unknown): WorkerAnswer {
  if (!(error instanceof BridgeError)) return { error };
  const { code, facts, next, cause } = error;
  return { told: { code, facts, next, cause: cause instanceof Error ? cause : undefined } };
}
