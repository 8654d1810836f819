import type { CaseContext } from '../cases/context.ts';
import { job } from '../cases/jobs.ts';
import { settleSeconds } from '../cases/send.ts';
import { asBridgeError } from '../errors.ts';
import type { CaseColumns } from '../store/types.ts';

/**
 * Takes up what nothing works on: requests without an answer, open cases without a next turn, writes that nobody is
 * planning. A process that was killed leaves such cases, and so does a job that failed too often. One case that cannot
 * be read keeps none of the others back. Returns how many jobs were queued.
 */
export async function recover(context: CaseContext, { atStart }: { readonly atStart: boolean }): Promise<number> {
  const { store } = context;
  const known = new Set(context.config.sites.map(({ id }) => id));
  tellOfGoneSites(context, await store.cases.counts(), known);
  let queued = 0;
  for (const { queue, cases } of await unattended(context, atStart)) {
    for (const one of cases) {
      if (!known.has(one.site)) continue;
      queued += await takeUp(context, queue, one, atStart);
    }
  }
  return queued;
}

interface Unattended {
  readonly queue: 'settle' | 'poll' | 'deliver';
  readonly cases: readonly CaseColumns[];
}

async function unattended({ store }: CaseContext, atStart: boolean): Promise<readonly Unattended[]> {
  // Alone in the store and only just started, nobody else can be sending: every answer is lost.
  const waitedFor = atStart && store.exclusive ? [] : ['settle'];
  return [
    { queue: 'settle', cases: await store.cases.unattended({ states: ['sending'] }, waitedFor) },
    { queue: 'poll', cases: await store.cases.unattended({ states: ['open'] }, ['poll']) },
    { queue: 'deliver', cases: await store.cases.unattended({ unwritten: true }, ['deliver', 'letter']) },
  ];
}

async function takeUp(
  context: CaseContext,
  queue: Unattended['queue'],
  { id, site, attempt, sentAt }: CaseColumns,
  atStart: boolean,
): Promise<number> {
  try {
    if (queue === 'settle') {
      const age = sentAt === undefined ? settleSeconds : (context.clock().getTime() - Date.parse(sentAt)) / 1000;
      const left = atStart && context.store.exclusive ? 0 : Math.max(0, settleSeconds - age);
      await context.store.enqueue([job('settle', site, { case: id, attempt }, left)]);
    } else await context.store.enqueue([job(queue, site, { case: id })]);
    return 1;
  } catch (thrown) {
    context.log.error({ case: id, queue, code: asBridgeError(thrown).code }, 'a case could not be taken up');
    return 0;
  }
}

const told = new WeakMap<CaseContext, Set<string>>();

// Said once for each site: its cases rest until it is back.
function tellOfGoneSites(
  context: CaseContext,
  counts: readonly { readonly site: string; readonly state: string; readonly count: number }[],
  known: ReadonlySet<string>,
): void {
  const before = told.get(context) ?? new Set();
  told.set(context, before);
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
