import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel, type Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import type { Layout } from '../../src/batch/block.ts';
import { Engine } from '../../src/batch/engine.ts';
import { workInThread } from '../../src/batch/worker-thread.ts';
import { otherThreads, thisThread } from '../../src/batch/workers.ts';
import { BridgeError } from '../../src/errors.ts';

const layout: Layout = { format: 'ndjson', sources: false, printed: false };
const engine = () =>
  new Engine({
    map: () => [],
    roles: mappings.roles,
    site: {},
    now: new Date('2026-11-21T12:00:00'),
    isFast: true,
    choices: false,
  });

const { port1: here, port2: there } = new MessageChannel();
afterAll(() => here.close());

test('what waits for this thread has its turn before each thing that it does', async () => {
  const workers = thisThread(engine(), layout);
  for (const work of [() => workers.scan([], [], 0), () => workers.map({ kind: 'charts', charts: [] }, undefined)]) {
    let isTold = false;
    const waits = nextTurn().then(() => {
      isTold = true;
    });
    await work();
    expect(isTold).toBe(true);
    await waits;
  }
});

test('an error of ours keeps its code, facts and advice when it comes from another thread', async () => {
  const failing = engine();
  const cause = new Error('EIO');
  failing.scan = () => {
    throw new BridgeError('input_unreadable', { file: 'a.ndjson' }, { cause, next: 'Copy it to this machine.' });
  };
  workInThread(there, failing, layout);
  // a port says and hears what a Worker does
  const workers = otherThreads([here as unknown as Worker]);
  const error = await workers.scan([], [], 0).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BridgeError);
  expect(error).toMatchObject({
    code: 'input_unreadable',
    facts: { file: 'a.ndjson' },
    next: 'Copy it to this machine.',
  });
  expect(error).toMatchObject({ cause: { message: 'EIO' } });
});
