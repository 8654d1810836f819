import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Cluster } from '../support/postgres.ts';
import type { Process } from './processes.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** What was done to the bridge, and what came of it. */
export interface Violence {
  kills: number;
  stops: number;
  cuts: number;
  restarts: number;
  /** Milliseconds from the start of a process that was killed until it said that it is ready. */
  readonly recoveries: number[];
  /** Starts that failed, with what the process ended with. */
  readonly failedStarts: string[];
  /** Clocks that were wrong, in milliseconds. */
  readonly skews: number[];
}

export function noViolence(): Violence {
  return { kills: 0, stops: 0, cuts: 0, restarts: 0, recoveries: [], failedStarts: [], skews: [] };
}

interface Beating {
  readonly random: Random;
  readonly done: Violence;
  /** What somebody is at already: a database that is down cannot be stopped. */
  readonly busy: Set<Process | Cluster>;
  /** For how long a process is stopped at most. */
  readonly slowestMs: number;
}

/** Does one cruel thing to the bridge, and waits until what it did is over. Several may go on at the same time. */
export async function beat(world: World, { random, done, busy, slowestMs }: Beating): Promise<void> {
  const way = random.next();
  if (world.cluster !== undefined && way < 0.25) return cut(world.cluster.url, random, done);
  const { cluster } = world;
  if (cluster !== undefined && way < 0.3) return alone(cluster, busy, () => restart(cluster, random, done));
  const free = world.processes.filter((one) => !busy.has(one));
  if (free.length === 0) return;
  const victim = random.pick(free);
  await alone(victim, busy, () => (way < 0.5 ? stop(victim, { random, done, slowestMs }) : kill(victim, random, done)));
}

async function alone(victim: Process | Cluster, busy: Beating['busy'], what: () => Promise<void>): Promise<void> {
  if (busy.has(victim)) return;
  busy.add(victim);
  try {
    await what();
  } finally {
    busy.delete(victim);
  }
}

async function kill(victim: Process, random: Random, done: Violence): Promise<void> {
  victim.signal('SIGKILL');
  done.kills += 1;
  while (victim.isUp) await pause(5);
  await pause(random.between(0, 1500));
  await bring(victim, random, done);
}

/** Starts a process, with a clock that is wrong now and then, until it is ready. */
async function bring(victim: Process, random: Random, done: Violence): Promise<void> {
  const skew = random.chance(0.3) ? random.between(-40_000, 40_000) : 0;
  if (skew !== 0) done.skews.push(skew);
  victim.start(skew);
  try {
    done.recoveries.push(await victim.ready());
  } catch (error) {
    // The database may be away just now; a supervisor would try again too.
    done.failedStarts.push(String(error));
    victim.signal('SIGKILL');
    await pause(2000);
    victim.start(0);
    await victim.ready().catch((again: unknown) => done.failedStarts.push(String(again)));
  }
}

async function stop(
  victim: Process,
  { random, done, slowestMs }: Pick<Beating, 'random' | 'done' | 'slowestMs'>,
): Promise<void> {
  victim.signal('SIGSTOP');
  done.stops += 1;
  await pause(random.between(200, Math.min(15_000, slowestMs)));
  victim.signal('SIGCONT');
}

const terminate = `select pg_terminate_backend(pid) from (
  select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
  order by random() limit $1) as chosen`;

async function cut(url: string, random: Random, done: Violence): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  // Another may be restarting the database at this moment, or cut this connection too.
  try {
    await client.connect();
    await client.query(terminate, [random.between(1, 20)]);
    done.cuts += 1;
    await client.end();
  } catch {
    await pause(200);
  }
}

// A process that ends with the database stays down until the next kill or the peace: the judge is told of it.
async function restart(cluster: Cluster, random: Random, done: Violence): Promise<void> {
  if (random.chance(0.5)) cluster.kill();
  else cluster.stop();
  await pause(random.between(0, 2000));
  cluster.start();
  done.restarts += 1;
}

/** Nothing is stopped any more, and every process runs. */
export async function peace(world: World, random: Random, done: Violence): Promise<void> {
  for (const one of world.processes) {
    one.signal('SIGCONT');
    if (one.isUp) continue;
    done.failedStarts.push(`${one.name} had ended`);
    await bring(one, random, done);
  }
}
