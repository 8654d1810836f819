import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel, type Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { BatchEngine } from '../../src/batch/engine.ts';
import type { Layout } from '../../src/batch/report/mapped-part.ts';
import { otherThreads, thisThread, workInThread } from '../../src/batch/workers.ts';
import { BridgeError } from '../../src/core/errors.ts';

const layout: Layout = { format: 'ndjson', sources: false, printed: false };
const engine = () =>
  new BatchEngine({
    map: () => [],
    roles: mappings.roles,
    site: {},
    now: new Date('2026-11-21T12:00:00'),
    isFast: true,
    choices: false,
  });

const channels: MessageChannel[] = [];
afterAll(() => {
  for (const { port1 } of channels) port1.close();
});

/** Both ends of what a run and a thread say to each other. A port says and hears what a Worker does. */
function channel() {
  const made = new MessageChannel();
  channels.push(made);
  return { here: made.port1 as unknown as Worker, there: made.port2 };
}

test('what waits for this thread has its turn before each thing that it does', async () => {
  const workers = thisThread(engine(), layout);
  for (const work of [() => workers.scan([], [], 0), () => workers.close()]) {
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
  failing.scan = async () => {
    throw new BridgeError('input_unreadable', { file: 'a.ndjson' }, { cause, next: 'Copy it to this machine.' });
  };
  const { here, there } = channel();
  const { workers, about } = otherThreads([here]);
  workInThread(there, () => ({ engine: failing, layout, about: 'a name' }));
  expect(await about).toBe('a name');
  const error = await workers.scan([], [], 0).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BridgeError);
  expect(error).toMatchObject({
    code: 'input_unreadable',
    facts: { file: 'a.ndjson' },
    next: 'Copy it to this machine.',
  });
  expect(error).toMatchObject({ cause: { message: 'EIO' } });
});

test('a thread that cannot begin says why', async () => {
  const { here, there } = channel();
  const { about } = otherThreads([here]);
  workInThread(there, () => {
    throw new BridgeError('config_invalid', { site: 'north' });
  });
  await expect(about).rejects.toMatchObject({ code: 'config_invalid', facts: { site: 'north' } });
});

test('a thread that ends before it said anything is an error', async () => {
  const here = new EventEmitter();
  const { about } = otherThreads([here as unknown as Worker]);
  here.emit('exit');
  await expect(about).rejects.toThrow('a thread of the run ended');
});
