import type { MessagePort } from 'node:worker_threads';
import { BridgeError } from '../errors.ts';
import { type Layout, makeBlock } from './block.ts';
import type { Engine } from './engine.ts';
import type { WorkerAnswer, WorkerRequest } from './workers.ts';

/** Does what a run asks of one of its threads, one thing after the other. */
export function workInThread(port: MessagePort, engine: Engine, layout: Layout): void {
  let before = Promise.resolve();
  port.on('message', (request: WorkerRequest) => {
    before = before.then(() => answer(request, port, engine, layout));
  });
}

async function answer(request: WorkerRequest, port: MessagePort, engine: Engine, layout: Layout): Promise<void> {
  if (request.kind === 'open') return engine.open(request.facts);
  if (request.kind === 'close') return engine.close();
  try {
    if (request.kind === 'map') return port.postMessage({ value: await makeBlock(engine, request.part, layout) });
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
