import type { Store } from '../store/types.ts';
import { caseOf, listedOf } from './assemble.ts';
import { type Case, isSent, type ListedCase, type ListedEnded } from './case.ts';
import type { CaseContext } from './context.ts';
import type { JobData } from './jobs.ts';
import { isSameRequest } from './same-request.ts';

/**
 * Marks the patient's ended requests as followed by this case, so that no colleague sends a second request, and removes
 * the marks if this case is canceled. An ended request is followed by the first request that was sent after its end for
 * the same order, or the same drug and prescriber, and that the service has. A valid mark is kept. A mark that names
 * another case is left to that case's job.
 */
export async function markFollowed(
  { store, change }: Pick<CaseContext, 'store' | 'change'>,
  { case: id }: JobData['follow'],
): Promise<void> {
  const stored = await store.cases.find(id);
  // The case was erased.
  if (stored === undefined) return;
  const { site, patient, kind } = caseOf(stored);
  // Jobs of one patient run one after the other, so that each job sees the marks of the job before it.
  await store.exclusively(`follow|${store.mark(`${site}|${patient}`)}`, async () => {
    const ofKind = (await store.cases.forPatient(site, patient)).map(listedOf).filter((one) => one.kind === kind);
    const atService = ofKind.filter(isAtService).toSorted(inOrderSent);
    const isFollowedBy = comparing(store);
    for (const one of ofKind) {
      if (one.state !== 'ended' || (one.followed !== undefined && one.followed.case !== id)) continue;
      const follower = await followerOf(one, atService, isFollowedBy);
      if (follower?.id === one.followed?.case) continue;
      await change(one.id, 'follow', follower === undefined ? {} : { by: { case: follower.id, at: follower.sentAt } });
    }
  });
}

// Requests sent in the same millisecond have a fixed order, so that each job names the same one.
function inOrderSent(one: AtService, other: AtService): number {
  const [first, second] = [one, other].map(({ sentAt, id }) => `${sentAt} ${id}`) as [string, string];
  return first < second ? -1 : 1;
}

type AtService = Extract<ListedCase, { readonly state: 'open' | 'ended' }>;

/** A canceled request replaces nothing. */
function isAtService(one: ListedCase): one is AtService {
  return one.state === 'open' || (one.state === 'ended' && !('status' in one && one.status === 'cancelled'));
}

async function followerOf(
  one: ListedEnded,
  atService: readonly AtService[],
  isFollowedBy: Compare,
): Promise<AtService | undefined> {
  const newer = atService.filter((other) => other.id !== one.id && other.sentAt >= one.endedAt);
  const current = newer.filter((other) => other.id === one.followed?.case);
  for (const other of [...current, ...newer]) if (await isFollowedBy(one, other)) return other;
  return undefined;
}

type Compare = (one: AtService, newer: AtService) => Promise<boolean>;

/** Reads a sent body only if the orders differ, and each body only once. */
function comparing({ cases }: Store): Compare {
  const whole = new Map<string, Promise<Case | undefined>>();
  const read = (id: string) => {
    const reading = whole.get(id) ?? cases.find(id).then((found) => (found === undefined ? undefined : caseOf(found)));
    whole.set(id, reading);
    return reading;
  };
  return async (one, newer) => {
    if (one.order === newer.order) return true;
    const [earlier, later] = await Promise.all([read(one.id), read(newer.id)]);
    if (earlier === undefined || later === undefined || !isSent(earlier) || !isSent(later)) return false;
    return isSameRequest(earlier, later);
  };
}
