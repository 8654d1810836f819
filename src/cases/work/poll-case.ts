import { setTimeout as sleep } from 'node:timers/promises';
import { asBridgeError } from '../../core/errors.ts';
import type { CaseColumns, Job } from '../../store/types.ts';
import { isReadAgain, isReadDue, readOnceMoreAfter } from '../after-end.ts';
import type { CaseContext } from '../context.ts';
import { readAll, readCase } from '../follow.ts';
import { type JobData, job } from '../jobs.ts';
import { pollDelay } from '../poll-delay.ts';

const readsPerMinute = 60;
const longestWaitMs = 2000;

/**
 * Polls a case once: reads the record or stores why it could not be read, and plans the next poll. All processes share
 * one rate limit for each site; the store assigns the time slots.
 */
export async function pollCase(context: CaseContext, data: JobData['poll']): Promise<void> {
  const { case: id, reserved, onceMore } = data;
  const { store, clock } = context;
  const current = await store.cases.columns(id);
  const isTurn = current?.state === 'open' || (current?.state === 'ended' && (onceMore || isReadDue(current, clock())));
  if (current === undefined || !isTurn) return;
  const site = context.siteOf(current.site);
  const pace = site.service.readsPerMinute ?? readsPerMinute;
  const wait = reserved === true ? 0 : await store.allowance.reserve(site.id, pace);
  // The worker does not wait for a later slot, because other jobs need the worker.
  if (wait > longestWaitMs)
    return await store.enqueue([job('poll', site.id, { ...data, reserved: true }, wait / 1000)]);
  await sleep(wait);
  const read = await readOrSay(context, current);
  const next = await store.cases.columns(id);
  const turn = next === undefined ? undefined : nextTurn(context, { next, read, wasEnded: current.state === 'ended' });
  if (turn !== undefined) await store.enqueue([turn]);
}

type Read = 'same' | 'changed' | 'failed';

function nextTurn(
  { config, clock }: CaseContext,
  { next, read, wasEnded }: { readonly next: CaseColumns; readonly read: Read; readonly wasEnded: boolean },
): Job | undefined {
  const { id, site, state } = next;
  if (state === 'open') return job('poll', site, { case: id }, pollDelay(next, config.pollSeconds, clock()));
  // The sweep plans the later readings of an ended case, so that no job waits for days.
  const isOnceMore = state === 'ended' && wasEnded && read !== 'same' && isReadAgain(next, clock());
  return isOnceMore ? job('poll', site, { case: id, onceMore: true }, readOnceMoreAfter) : undefined;
}

async function readOrSay(context: CaseContext, { id, site, problem }: CaseColumns): Promise<Read> {
  try {
    // The case's other records are read only if it has any.
    const next = await (problem === 'service_second_request' ? readAll(context, id) : readCase(context, id));
    return next === undefined ? 'same' : 'changed';
  } catch (thrown) {
    const error = asBridgeError(thrown);
    context.log.warn({ case: id, code: error.code }, 'record not read');
    const { retry_after_seconds: seconds } = error.facts;
    if (typeof seconds === 'number') await context.store.allowance.hold(site, seconds);
    await context.change(id, 'unread', { error });
    return 'failed';
  }
}
