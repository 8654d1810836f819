import type { CaseColumns, Job } from '../../store/types.ts';
import { readAgainAfter, readAgainUntil } from '../after-end.ts';
import type { CaseContext } from '../context.ts';
import { job } from '../jobs.ts';
import { settleSeconds } from '../send.ts';

/**
 * Recovers cases that no job works on: requests without an answer, open cases without a next poll, ended cases whose
 * record is due, and writes without a planned delivery. Such cases remain when a process was killed or a job failed too
 * often. Nothing is unsealed, so an unreadable case does not block the others.
 */
export async function recover(context: CaseContext, { atStart }: { readonly atStart: boolean }): Promise<number> {
  const { store } = context;
  const known = new Set(context.config.sites.map(({ id }) => id));
  reportGoneSites(context, await store.cases.counts(), known);
  const jobs = (await unattended(context, atStart)).flatMap(({ queue, cases }) =>
    cases.filter(({ site }) => known.has(site)).map((one) => jobFor(context, queue, { one, atStart })),
  );
  for (let first = 0; first < jobs.length; first += atOnce) await store.enqueue(jobs.slice(first, first + atOnce));
  return jobs.length;
}

// After a backup is restored, thousands of cases may be found. A transaction for each case would take minutes.
const atOnce = 200;

interface Unattended {
  readonly queue: 'settle' | 'poll' | 'deliver' | 'round';
  readonly cases: readonly CaseColumns[];
}

async function unattended({ store }: CaseContext, atStart: boolean): Promise<readonly Unattended[]> {
  // If this process has just started and is alone in the store, no other process is sending, so every missing answer is
  // lost.
  const waitedFor = atStart && store.exclusive ? [] : ['settle'];
  const unreadAfter = { seconds: readAgainAfter, untilSeconds: readAgainUntil };
  return [
    { queue: 'settle', cases: await store.cases.unattended({ states: ['sending'] }, waitedFor) },
    { queue: 'poll', cases: await store.cases.unattended({ states: ['open'] }, ['poll']) },
    { queue: 'poll', cases: await store.cases.unattended({ states: ['ended'], unreadAfter }, ['poll']) },
    { queue: 'round', cases: await store.cases.unattended({ states: ['open', 'ended'], hasWork: true }, ['round']) },
    { queue: 'deliver', cases: await store.cases.unattended({ unwritten: true }, ['deliver', 'letter']) },
  ];
}

function jobFor(
  context: CaseContext,
  queue: Unattended['queue'],
  { one, atStart }: { readonly one: CaseColumns; readonly atStart: boolean },
): Job {
  const { id, site, attempt, sentAt } = one;
  if (queue !== 'settle') return job(queue, site, { case: id });
  const age = sentAt === undefined ? settleSeconds : (context.clock().getTime() - Date.parse(sentAt)) / 1000;
  const left = atStart && context.store.exclusive ? 0 : Math.max(0, settleSeconds - age);
  return job('settle', site, { case: id, attempt }, left);
}

const reported = new WeakMap<CaseContext, Set<string>>();

// Logged once for each site. The cases of the site wait until it is configured again.
function reportGoneSites(
  context: CaseContext,
  counts: readonly { readonly site: string; readonly state: string; readonly count: number }[],
  known: ReadonlySet<string>,
): void {
  const before = reported.get(context) ?? new Set();
  reported.set(context, before);
  const live = Map.groupBy(
    counts.filter(({ site, state }) => !known.has(site) && ['sending', 'unknown', 'open'].includes(state)),
    ({ site }) => site,
  );
  for (const [site, rows] of live) {
    if (before.has(site)) continue;
    before.add(site);
    const count = rows.reduce((sum, row) => sum + row.count, 0);
    context.log.error({ site, count, code: 'site_gone' }, 'a site with open cases is not in the sites file');
  }
}
