import { setTimeout as sleep } from 'node:timers/promises';
import type { CaseContext } from '../cases/context.ts';
import { readAll, readCase } from '../cases/follow.ts';
import { type JobData, job } from '../cases/jobs.ts';
import { pollDelay } from '../cases/poll-delay.ts';
import { asBridgeError } from '../errors.ts';
import type { CaseColumns } from '../store/types.ts';

const readsPerMinute = 60;
const longestWaitMs = 2000;

/**
 * The turn of an open case at its site's pace: read it, or say why not, and plan the next turn. All cases of a site, in
 * all processes, share one pace; its places are given out by the store.
 */
export async function pollCase(context: CaseContext, { case: id, reserved }: JobData['poll']): Promise<void> {
  const { store } = context;
  const current = await store.cases.columns(id);
  if (current?.state !== 'open') return;
  const site = context.siteOf(current.site);
  const pace = site.service.readsPerMinute ?? readsPerMinute;
  const wait = reserved === true ? 0 : await store.allowance.reserve(site.id, pace);
  // A place further away is not waited for here: the slot is for others.
  if (wait > longestWaitMs)
    return await store.enqueue([job('poll', site.id, { case: id, reserved: true }, wait / 1000)]);
  await sleep(wait);
  await readOrSay(context, current);
  const next = await store.cases.columns(id);
  if (next?.state !== 'open') return;
  const delay = pollDelay(next, context.config.pollSeconds, context.clock());
  await store.enqueue([job('poll', site.id, { case: id }, delay)]);
}

async function readOrSay(context: CaseContext, { id, site, problem }: CaseColumns): Promise<void> {
  try {
    // Only a case with further records of ours asks after these too.
    await (problem === 'service_second_request' ? readAll(context, id) : readCase(context, id));
  } catch (thrown) {
    const error = asBridgeError(thrown);
    context.log.warn({ case: id, code: error.code }, 'record not read');
    const { retry_after_seconds: seconds } = error.facts;
    if (typeof seconds === 'number') await context.store.allowance.hold(site, seconds);
    await context.change(id, 'unread', { error });
  }
}
