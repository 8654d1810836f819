import { createHash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type ConstructorOptions, fromKysely, type PgBoss, type Queue, type Db as QueueDatabase } from 'pg-boss';
import type { Log } from '../base/log.ts';
import { BridgeError } from '../core/errors.ts';
import type { Database } from './schema.ts';
import type { Job } from './types.ts';

/** The queue library's tables stand in `<schema>_jobs`. */
export function bossOptions(schema: string): ConstructorOptions {
  return {
    schema: `${schema}_jobs`,
    schedule: false,
    registerInstance: false,
    // How soon the jobs of a process that gives no sign of life any more are given to another.
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  };
}

/**
 * Starts the queue library with every queue made: sending to one that it has not met yet hangs on the embedded
 * database. A queue that is stored is brought up to the options given, but for its policy, which stays.
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
 * Tells of jobs for now in the queues with `notify`; see `Store.listen`. The connection is one of its own and comes
 * back by itself. Where the database does not let it be made, nothing is told: workers then find jobs by the clock.
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

/** Where the queue library tells of the jobs of a schema (its own name for it is not exported). */
function channelOf(schema: string): string {
  return `pgboss_${createHash('sha224').update(schema).digest('hex').slice(0, 24)}`;
}

/** Jobs that a process was killed over, where no other process can be working on them: they are due at once. */
export async function releaseJobs(db: Kysely<Database>, schema: string): Promise<void> {
  const jobs = sql.table(`${schema}_jobs.job`);
  await sql`update ${jobs} set state = 'retry', start_after = now() where state = 'active'`.execute(db);
}

/**
 * Queues jobs; with `trx` they exist only if it commits.
 *
 * Jobs of one queue with one key are one while they wait. A job for now and a delayed one wait beside each other, so
 * that a retry in two hours never holds back what is to be done now; of two delayed ones the earlier time counts.
 *
 * A job that waits already is edited by the transaction, not only counted on: it stays locked until the commit, so that
 * no worker starts it before what the job is about can be read.
 */
export async function enqueue(queue: JobQueue, jobs: readonly Job[], trx?: Transaction<Database>): Promise<void> {
  const inOrder = jobs.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  for (const job of inOrder) await enqueueOne(queue, job, trx === undefined ? {} : { db: fromKysely(trx) });
}

export interface JobQueue {
  readonly boss: PgBoss;
  /** The database's own time in milliseconds since 1970. */
  readonly databaseMs: () => number;
}

// One order for all transactions, so that no two wait for each other.
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
    // None when a worker took the waiting job in between: then a new one is due.
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
