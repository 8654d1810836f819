import { asBridgeError } from '../core/errors.ts';
import { caseOf } from './assemble.ts';
import { type Case, isSent, type Sent } from './case.ts';
import type { CaseContext } from './context.ts';
import { isSameRequest } from './duplicate.ts';

type Context = Pick<CaseContext, 'store' | 'get' | 'change' | 'log'>;

/**
 * Marks the patient's ended requests for the same order, or the same drug and prescriber, as followed by this one, so
 * that a colleague does not send a second one. Failures are only logged, because the request has been sent.
 */
export async function noteFollowed(context: Context, one: Case): Promise<void> {
  if (!isSent(one)) return;
  try {
    for (const earlier of await earlierOf(context, one))
      await context.change(earlier.id, 'follow', { by: { case: one.id, at: one.sentAt } });
  } catch (error) {
    context.log.warn(
      { case: one.id, code: asBridgeError(error).code },
      'earlier requests do not say that they are followed',
    );
  }
}

/** A canceled request replaces nothing: the mark on the requests that it followed is removed. */
export async function noteFollowerCanceled(context: Context, one: Case): Promise<void> {
  const isCanceled = one.state === 'ended' && 'status' in one && one.status === 'cancelled';
  if (!isCanceled) return;
  const ofPatient = (await context.store.cases.forPatient(one.site, one.patient)).map(caseOf);
  for (const { id } of ofPatient.filter(({ followed }) => followed?.case === one.id))
    await context.change(id, 'follow', {});
}

async function earlierOf({ store, get }: Context, sent: Sent): Promise<readonly Case[]> {
  const ofPatient = (await store.cases.forPatient(sent.site, sent.patient)).map(caseOf);
  const ended = ofPatient.filter(
    ({ id, kind, state, followed }) =>
      id !== sent.id && kind === sent.kind && state === 'ended' && followed === undefined,
  );
  // The list leaves the bodies in the store.
  const whole = await Promise.all(ended.map((one) => get(one.id)));
  return whole.filter((one) => one.order === sent.order || (isSent(one) && isSameRequest(one, sent)));
}
