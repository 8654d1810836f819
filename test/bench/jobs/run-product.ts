import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { silentLog } from '../../../src/base/log.ts';
import { queues } from '../../../src/cases/work/queues.ts';
import { openProcess } from '../../../src/cli/process.ts';
import { type JobLimits, loadConfig } from '../../../src/config/config.ts';
import { body, mappedBy } from '../../cases/clinic.ts';
import { requestOf, sender } from './said.ts';
import { type Run, used } from './table.ts';
import { parentOf, secondsOf, secondsOfFamily } from './usage.ts';
import type { BenchWorld } from './world.ts';

/** A job of each queue and site, as often as it was done. */
export interface JobCount {
  readonly queue: string;
  readonly site: string;
  readonly count: number;
}

export interface Life extends Run {
  readonly what: string;
  readonly jobs: readonly JobCount[];
}

export interface Product {
  readonly limits: JobLimits;
  /** Lets so many new cases run their whole life, with so many processes that do jobs. Throws when one got less. */
  run(cases: number, workers: number): Promise<Life>;
  close(): Promise<void>;
}

const together = 16;
const longestSeconds = 600;

/** People who send, in this process; what they cost is told apart. */
export async function openProduct(world: BenchWorld, sites: readonly string[]): Promise<Product> {
  const config = loadConfig(world.env);
  const { cases: life, store } = await openProcess({ config, log: silentLog });
  const sql = new pg.Client(world.env.DATABASE_URL);
  await sql.connect();
  const server = parentOf((await one<{ pid: number }>('select pg_backend_pid() as pid')).pid);
  let made = 0;

  async function one<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row> {
    const { rows } = await sql.query<Row>(text, [...values]);
    return rows[0] as Row; // each of these questions has one row
  }

  async function send(nth: number): Promise<void> {
    const site = sites[nth % sites.length] ?? '';
    const { patient, order } = requestOf(Math.floor(nth / sites.length));
    const banner = { name: 'Canary Bench' };
    const draft = await life.openDraft({
      ...{ site, patient, order, banner, kind: 'prior-auth', launch: 'bench', title: 'adalimumab', mappedBy },
    });
    await life.send(draft.id, {
      body: { ...body, patient: { ...body.patient, internal_id: `MRN-${nth}` } },
      ...{ provenance: [], gaps: [], mappedBy, by: { fhirUser: sender, name: 'Dr. Deva Loper' } },
      expectedPatient: life.patientMark(site, patient),
    });
  }

  async function isWritten(): Promise<void> {
    const deadline = performance.now() + longestSeconds * 1000;
    const question = `select count(*)::int as left from bridge.cases where state <> 'ended' or unwritten`;
    while ((await one<{ left: number }>(question)).left > 0) {
      if (performance.now() > deadline) throw new Error('the cases did not end');
      await pause(50);
    }
  }

  return {
    limits: config.jobs,
    async run(cases, workers) {
      const processes = await world.workers(workers);
      try {
        // Of an earlier round: what was planned for later.
        for (const { name } of queues) await store.boss.deleteQueuedJobs(name);
        const accounts = () => ({
          workers: processes.reduce((sum, { pid }) => sum + secondsOf(pid), 0),
          database: secondsOfFamily(server),
          webhooks: secondsOf(world.pages),
          senders: secondsOf(process.pid),
          'service and EHRs': secondsOf(world.fakes),
        });
        const before = accounts();
        const { at } = await one<{ at: Date }>('select clock_timestamp() as at');
        const numbers = Array.from({ length: cases }, () => made++);
        await inTurns(numbers, send);
        await isWritten();
        const cpu = used(before, accounts());
        await assertWhole(made);
        const { rows } = await sql.query<JobCount & { last: Date }>(
          `select name as queue, group_id as site, count(*)::int as count, max(completed_on) as last
            from bridge_jobs.job where state = 'completed' and completed_on >= $1 group by 1, 2`,
          [at],
        );
        const jobsDone = rows.reduce((sum, { count }) => sum + count, 0);
        const seconds = (Math.max(...rows.map(({ last }) => last.getTime())) - at.getTime()) / 1000;
        const what = `${cases} cases, ${(cases / seconds).toFixed(1)} a second, ${jobsOf(rows)}`;
        return { what, jobs: rows, jobsDone, seconds, perSecond: jobsDone / seconds, cpu };
      } finally {
        await Promise.all(processes.map((each) => each.end()));
      }
    },
    async close() {
      await sql.end();
      await store.close();
    },
  };

  async function assertWhole(all: number): Promise<void> {
    const { rows } = await sql.query<{ what: string; count: number }>(
      `select what, count(distinct case_id)::int as count from bridge.writes where state = 'done' group by 1`,
    );
    for (const what of ['task', 'document', 'determination']) {
      const count = rows.find((row) => row.what === what)?.count ?? 0;
      if (count !== all) throw new Error(`${count} of ${all} cases have their ${what} in the chart`);
    }
  }
}

function jobsOf(jobs: readonly JobCount[]): string {
  const byQueue = Map.groupBy(jobs, ({ queue }) => queue);
  return [...byQueue].map(([queue, rows]) => `${queue} ${rows.reduce((sum, { count }) => sum + count, 0)}`).join(', ');
}

/** So many at a time. */
export async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const turn = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: together }, turn));
}
