import { deliver, outstanding } from '../writeback/deliver.ts';
import { type LedgerEntry, record } from '../writeback/ledger.ts';
import { judge, type Verdict } from '../writeback/verdict.ts';
import { type Actor, type Case, isSent, patientReference, recordOf } from './case.ts';
import type { CaseContext } from './context.ts';
import { factsOf } from './facts.ts';
import { type JobData, job } from './jobs.ts';
import { keptLetter } from './letter.ts';
import { letterIsDue } from './letter-state.ts';

/** After so many tries, over about a day, a person must look. */
const mostTries = 20;
const longestSeconds = 2 * 3600;

/**
 * Brings the chart up to date with the case, alone for this case. Never throws for what the EHR does: the ledger says
 * it.
 */
export async function deliverCase(context: CaseContext, data: JobData['deliver']): Promise<Case> {
  const { case: id } = data;
  return await context.store.exclusively(`deliver|${id}`, async (held) => {
    const current = await context.get(id);
    const { siteOf } = context;
    const due = outstanding(siteOf(current.site), factsOf(current));
    const stopped = due.length === 0 ? undefined : await tryDelivery(context, current, data, held);
    return await noted(context, id, stopped, data);
  });
}

interface Stopped {
  readonly verdict: Verdict;
  /** Absent when the rows say it. */
  readonly reason?: string;
}

/** undefined when every row has its end, or what stopped the delivery. */
async function tryDelivery(
  context: CaseContext,
  current: Case,
  { launch, author }: JobData['deliver'],
  held: { assert(): void },
): Promise<Stopped | undefined> {
  const site = context.siteOf(current.site);
  try {
    const { patient } = current;
    const access = await context.access({ site, patient, launch: launch ?? current.launch });
    if ('waiting' in access) return { verdict: 'wait', reason: 'next launch' };
    const determination = await keptLetter(context, current);
    const { retry } = await deliver({
      site,
      bridgeUrl: context.config.url,
      item: factsOf(current),
      api: access.api,
      token: access.by,
      ...(author === undefined ? {} : { author: userKnown(current, author) }),
      mappings: context.mappings,
      ...(determination === undefined ? {} : { determination }),
      save: async (entry) => {
        await context.change(current.id, 'write', { rows: [entry] });
        if (entry.state === 'failed' || entry.state === 'skipped')
          context.metrics?.writeFailed({ site: site.id, what: entry.what, state: entry.state });
        // Whoever has lost the lock writes nothing more: another may be at it.
        held.assert();
      },
      refused: context.refused(site.id),
      clock: context.clock,
      log: context.log,
    });
    return retry ? { verdict: 'retry' } : undefined;
  } catch (thrown) {
    const { verdict, reason } = judge(thrown);
    context.log.warn({ case: current.id, verdict, reason }, 'write-back');
    return { verdict, reason };
  }
}

/**
 * What is left, on the rows that the chart lacks, and the next try. A write whose answer was lost stays `unknown`: it
 * is looked for before anything else.
 */
async function noted(
  context: CaseContext,
  id: string,
  stopped: Stopped | undefined,
  { launch, author, tries = 0 }: JobData['deliver'],
): Promise<Case> {
  const current = await context.get(id);
  const again = stopped?.verdict === 'retry' && tries < mostTries;
  const rows = stopped === undefined ? [] : rowsOf(context, current, stopped, again);
  const after = factsOf(current, rows.reduce<readonly LedgerEntry[]>(record, current.writes));
  const letter = letterIsDue(recordOf(current), current.events);
  if (letter) await context.store.enqueue([job('letter', current.site, { case: id }, 1)]);
  const left = outstanding(context.siteOf(current.site), after).some((row) => isDue(row.state));
  return await context.change(id, 'write', {
    rows,
    unwritten: left || letter,
    ...(again
      ? {
          again: {
            ...(launch === undefined ? {} : { launch }),
            ...(author === undefined ? {} : { author }),
            tries: tries + 1,
            afterSeconds: Math.min(longestSeconds, context.config.pollSeconds * 2 ** tries),
          },
        }
      : {}),
  });
}

function rowsOf(context: CaseContext, current: Case, { verdict, reason }: Stopped, again: boolean): LedgerEntry[] {
  const givenUp = verdict === 'wait' ? 'waiting' : 'failed';
  const state = again ? 'planned' : givenUp;
  return outstanding(context.siteOf(current.site), factsOf(current))
    .filter((row) => row.state !== 'unknown')
    .map((row): LedgerEntry => ({ ...row, state, ...(reason === undefined ? {} : { reason }), at: context.now() }));
}

function isDue(state: LedgerEntry['state']): boolean {
  return state === 'planned' || state === 'in_flight' || state === 'unknown';
}

/** The user with the name under which the case knows them: jobs carry references only. */
function userKnown(one: Case, fhirUser: string): { readonly fhirUser: string; readonly name?: string } {
  const users = [...(isSent(one) ? [one.sentBy] : []), ...one.history.map((entry) => entry.by)];
  const name = users.findLast((user) => user !== 'bridge' && user.fhirUser === fhirUser && user.name !== undefined);
  return { fhirUser, ...(name === undefined || name === 'bridge' ? {} : { name: name.name ?? fhirUser }) };
}

/** See `Cases.retryWriteback`. */
export async function retryDelivery(context: CaseContext, id: string, by: Actor, launch?: string): Promise<Case> {
  const { site } = await context.change(id, 'ask-write', { by });
  context.refused(site).clear();
  const author = by === 'bridge' || by.fhirUser === undefined ? {} : { author: by.fhirUser };
  return await deliverCase(context, { case: id, ...(launch === undefined ? {} : { launch, ...author }) });
}

/** See `Cases.flushWaiting`. */
export async function flushWaiting(
  { store }: Pick<CaseContext, 'store'>,
  launch: { readonly id: string; readonly site: string; readonly patient: string; readonly fhirUser?: string },
): Promise<number> {
  const cases = await store.cases.forPatient(launch.site, patientReference(launch.patient));
  const waiting = cases.filter((each) => each.waiting || each.unwritten);
  const author = launch.fhirUser === undefined ? {} : { author: launch.fhirUser };
  await store.enqueue(
    waiting.map((each) => job('deliver', each.site, { case: each.id, launch: launch.id, ...author })),
  );
  return waiting.length;
}
