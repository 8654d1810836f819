import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
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

/** Does one cruel thing to the bridge, and waits until what it did is over. */
export async function beat(world: World, random: Random, done: Violence): Promise<void> {
  const victim = random.pick(world.processes);
  const way = random.next();
  if (world.cluster !== undefined && way < 0.25) return cut(world.cluster.url, random, done);
  if (world.cluster !== undefined && way < 0.3) return restart(world, random, done);
  if (way < 0.5) return stop(victim, random, done);
  return kill(victim, random, done);
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
    done.failedStarts.push(String(error));
    victim.signal('SIGKILL');
    await pause(500);
    victim.start(0);
    await victim.ready();
  }
}

async function stop(victim: Process, random: Random, done: Violence): Promise<void> {
  victim.signal('SIGSTOP');
  done.stops += 1;
  await pause(random.between(200, 15_000));
  victim.signal('SIGCONT');
}

async function cut(url: string, random: Random, done: Violence): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const many = random.between(1, 20);
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() order by random() limit $1',
    [many],
  );
  await client.end();
  done.cuts += 1;
}

async function restart({ cluster, processes }: World, random: Random, done: Violence): Promise<void> {
  if (random.chance(0.5)) cluster?.kill();
  else cluster?.stop();
  await pause(random.between(0, 2000));
  cluster?.start();
  done.restarts += 1;
  // A process that ends with the database is started again, as any supervisor would; the judge is told.
  for (const one of processes) {
    if (one.isUp) continue;
    done.failedStarts.push(`${one.name} ended when the database was restarted`);
    await bring(one, random, done);
  }
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
