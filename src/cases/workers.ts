import type { JobResult } from 'pg-boss';
import { asBridgeError } from '../errors.ts';
import { deliverCase } from './delivering.ts';
import { type Job, type JobData, type QueueName, queues } from './jobs.ts';
import type { Room } from './room.ts';
import { settleSeconds } from './sending.ts';
import { lookAt, matchRecord, pollCase, settle } from './tracking.ts';
import { lastClaim, purgeWebhooks } from './webhooks.ts';

const handlers: { readonly [Name in QueueName]: (room: Room, data: JobData[Name]) => Promise<unknown> } = {
  look: (room, data) => lookAt(room, data, (site, serviceId) => lastClaim(room, site, serviceId)),
  poll: pollCase,
  match: matchRecord,
  settle,
  deliver: deliverCase,
};

/** Starts the workers and takes up what an earlier process left. */
export async function startWorkers(room: Room): Promise<void> {
  await recover(room);
  const pace = Math.min(2, Math.max(0.5, room.config.pollSeconds));
  for (const { name } of queues) await startWorker(room, name, pace);
}

export async function stopWorkers(room: Room): Promise<void> {
  await Promise.all(queues.map(({ name }) => room.store.boss.offWork(name, { wait: true })));
}

async function startWorker<Name extends QueueName>(room: Room, name: Name, pace: number): Promise<void> {
  const handle = handlers[name];
  const options = {
    batchSize: 20,
    perJobResults: true,
    localConcurrency: 2,
    pollingIntervalSeconds: pace,
    notifyPollingIntervalSeconds: 5,
  } as const;
  await room.store.boss.work<JobData[Name]>(name, options, (jobs) =>
    Promise.all(jobs.map(async ({ id, data }) => ({ id, ...(await guarded(room, name, () => handle(room, data))) }))),
  );
}

// The queue library stores what comes of a job, in the clear: only the code may get there.
async function guarded(
  room: Room,
  name: QueueName,
  work: () => Promise<unknown>,
): Promise<Pick<JobResult, 'status' | 'output'>> {
  try {
    await work();
    return { status: 'completed' };
  } catch (thrown) {
    const { code } = asBridgeError(thrown);
    room.log.warn({ queue: name, code }, 'job failed');
    return { status: 'failed', output: { code } };
  }
}

/**
 * A process that was killed leaves requests without an answer, cases whose next look was being worked on, and writes
 * under
 * way. Jobs that still exist are not doubled; repeating a look or a delivery has no effect.
 */
async function recover(room: Room): Promise<void> {
  for (const id of await room.rows.ids({ states: ['sending'] })) {
    const { sentAt } = await room.rows.get(id);
    const old = sentAt !== undefined && room.clock().getTime() - Date.parse(sentAt) > settleSeconds * 1000;
    // Alone in the store, nobody else can be sending.
    if (room.store.exclusive || old) await settle(room, { case: id });
  }
  const open = await room.rows.ids({ states: ['open'] });
  const unwritten = await room.rows.ids({ unwritten: true });
  const jobs: Job[] = [
    ...open.map((id): Job => ({ queue: 'poll', data: { case: id } })),
    ...unwritten.map((id): Job => ({ queue: 'deliver', data: { case: id } })),
  ];
  await room.store.enqueue(jobs);
  await purgeWebhooks(room);
}
