import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { silentLog } from '../../../src/base/log.ts';
import { queues } from '../../../src/cases/work/queues.ts';
import { bossOptions, startQueues } from '../../../src/store/queue.ts';
import { startScript } from '../../torture/processes.ts';
import { inTurns, type JobCount } from './run-product.ts';
import type { BareOptions } from './said.ts';
import { type Run, used } from './table.ts';
import { parentOf, secondsOf, secondsOfFamily } from './usage.ts';

const script = fileURLToPath(new URL('./bare.ts', import.meta.url));
const schema = 'bare';

/** As many jobs of each queue and site through pg-boss alone: sent one by one, fetched, done with nothing to do. */
export async function runBare(
  url: string,
  {
    workers,
    jobs,
    limits,
  }: Pick<BareOptions, 'limits'> & {
    readonly workers: number;
    readonly jobs: readonly JobCount[];
  },
): Promise<Run> {
  const options: BareOptions = { url, schema, limits };
  const boss = new PgBoss({ ...bossOptions(schema), connectionString: url, max: 10 });
  const sql = new pg.Client(url);
  const ending: (() => Promise<unknown>)[] = [];
  try {
    await sql.connect();
    ending.push(() => sql.end());
    await startQueues(boss, queues, silentLog);
    ending.push(() => boss.stop({ graceful: false }));
    const processes = await Promise.all(Array.from({ length: workers }, () => startScript(script, options)));
    ending.push(() => Promise.all(processes.map((each) => each.close())));
    const { rows: own } = await sql.query<{ pid: number; at: Date }>(
      'select pg_backend_pid() as pid, clock_timestamp() as at',
    );
    const [{ pid, at } = { pid: 0, at: new Date() }] = own;
    const server = parentOf(pid);
    const accounts = () => ({
      workers: processes.reduce((sum, each) => sum + secondsOf(each.pid), 0),
      database: secondsOfFamily(server),
      senders: secondsOf(process.pid),
    });
    const before = accounts();
    await inTurns(shuffled(jobs), async ({ queue, site }) => {
      await boss.send(queue, { case: randomUUID() }, { singletonKey: randomUUID(), group: { id: site } });
    });
    const last = await done();
    const cpu = used(before, accounts());
    const jobsDone = jobs.reduce((sum, { count }) => sum + count, 0);
    const seconds = (last.getTime() - at.getTime()) / 1000;
    await sql.query(`delete from ${schema}_jobs.job`);
    return { jobsDone, seconds, perSecond: jobsDone / seconds, cpu };
  } finally {
    for (const end of ending.reverse()) await end();
  }

  async function done(): Promise<Date> {
    for (;;) {
      const { rows } = await sql.query<{ left: number; last: Date }>(
        `select count(*) filter (where state <> 'completed')::int as left, max(completed_on) as last
          from ${schema}_jobs.job`,
      );
      const [row] = rows;
      if (row?.left === 0) return row.last;
      await pause(20);
    }
  }
}

/** The jobs one by one, the sites and queues in turns as cases have them. */
function shuffled(jobs: readonly JobCount[]): readonly Pick<JobCount, 'queue' | 'site'>[] {
  const placed = jobs.flatMap(({ queue, site, count }) =>
    Array.from({ length: count }, (_, nth) => ({ queue, site, place: nth / count })),
  );
  return placed.sort((one, other) => one.place - other.place);
}
