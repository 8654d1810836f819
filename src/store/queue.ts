import { createHash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type ConstructorOptions, fromKysely, type PgBoss, type Queue, type Db as QueueDatabase } from 'pg-boss';
import type { Log } from '../base/log.ts';
import { BridgeError } from '../core/errors.ts';
import type { Database } from './schema.ts';
import type { Job } from './types.ts';

/** The queue library's tables are in `<schema>_jobs`. */
export function bossOptions(schema: string): ConstructorOptions {
  return {
    schema: `${schema}_jobs`,
    schedule: false,
    registerInstance: false,
    // How soon the jobs of an unresponsive process are given to another one.
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  };
}

/**
 * Starts the queue library and creates every queue, since sending to an unknown queue hangs on the embedded database.
 * An existing queue gets the given options but keeps its policy.
 */
export async function startQueues(boss: PgBoss, queues: readonly Queue[], log: Log): Promise<void> {
  boss.on('error', (error) => log.warn({ error: error.name }, 'job queue'));
  await boss.start();
  for (const { name, policy, partition, ...options } of queues) {
    await boss.createQueue(name, {
      ...options,
      ...(policy === undefined ? {} : { policy }),
      ...(partition === undefined ? {} : { partition }),
    });
    await boss.updateQueue(name, options);
  }
}

/**
 * Implements `Store.listen`. Reports immediate jobs of queues with `notify`. Uses a connection of its own, which is
 * restored if it breaks. If the database refuses that connection, nothing is reported and workers find jobs by polling.
 */
export async function listenForJobs(
  boss: PgBoss,
  schema: string,
  onDue: (queue: string | undefined) => void,
  log: Log,
): Promise<() => Promise<void>> {
  try {
    const listening = await boss.getDb().listen?.(channelOf(`${schema}_jobs`), onDue, () => onDue(undefined));
    return async () => await listening?.close();
  } catch {
    log.warn({}, 'the queue tells of no jobs: they are looked for by the clock');
    return async () => {};
  }
}

/** The channel on which the queue library announces the jobs of a schema. The library does not export this name. */
function channelOf(schema: string): string {
  return `pgboss_${createHash('sha224').update(schema).digest('hex').slice(0, 24)}`;
}

/** Makes the jobs of a killed process due at once. Only for a store without other processes. */
export async function releaseJobs(db: Kysely<Database>, schema: string): Promise<void> {
  const jobs = sql.table(`${schema}_jobs.job`);
  await sql`update ${jobs} set state = 'retry', start_after = now() where state = 'active'`.execute(db);
}

/**
 * Queues jobs; with `trx`, they exist only if it commits. Waiting jobs of one queue with the same key are merged. An
 * immediate job and a delayed job may both wait, so that a retry in two hours does not delay work that is due now. Of
 * two delayed jobs, the earlier time applies. A waiting job is updated too: that locks it until the commit, so that no
 * worker starts it before it can read the transaction's data.
 */
export async function enqueue(queue: JobQueue, jobs: readonly Job[], trx?: Transaction<Database>): Promise<void> {
  const inOrder = jobs.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  for (const job of inOrder) await enqueueOne(queue, job, trx === undefined ? {} : { db: fromKysely(trx) });
}

export interface JobQueue {
  readonly boss: PgBoss;
  /** The database's time in milliseconds since 1970. */
  readonly databaseMs: () => number;
}

// All transactions use the same order, so that no two wait for each other.
function placeOf({ queue, key }: Job): string {
  return `${queue}|${key}`;
}

async function enqueueOne(queue: JobQueue, job: Job, within: { readonly db?: QueueDatabase }): Promise<void> {
  const { boss } = queue;
  const delay = job.afterSeconds ?? 0;
  const singletonKey = delay > 0 ? `later|${job.key}` : job.key;
  for (let tries = 0; tries < 10; tries += 1) {
    const startAfter = delay > 0 ? { startAfter: delay } : {};
    const group = { id: job.site };
    if ((await boss.send(job.queue, job.data, { singletonKey, group, ...startAfter, ...within })) !== null) return;
    const earlier = delay > 0 && (await waitsLonger(queue, job, singletonKey, within)) ? startAfter : {};
    const { updated } = await boss.update(job.queue, job.data, { singletonKey, ...earlier, ...within });
    // If a worker took the waiting job in the meantime, nothing was updated and a new job is needed.
    if (updated > 0) return;
  }
  throw new BridgeError('store_unavailable', { queue: job.queue });
}

async function waitsLonger(
  { boss, databaseMs }: JobQueue,
  { queue, afterSeconds = 0 }: Job,
  key: string,
  within: { readonly db?: QueueDatabase },
): Promise<boolean> {
  const [waiting] = await boss.findJobs(queue, { key, queued: true, ...within });
  return waiting !== undefined && new Date(waiting.startAfter).getTime() > databaseMs() + afterSeconds * 1000;
}
