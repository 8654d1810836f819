import { isDenied } from '../../cases/appeal.ts';
import { isApproved } from '../../cases/approved.ts';
import { present } from '../../cases/assemble.ts';
import { type Ended, isSent, type ListedCase, type ListedEnded, outcomeOf } from '../../cases/case.ts';
import { chartLacks } from '../../cases/chart-standing.ts';
import { asksSameDrug } from '../../cases/same-request.ts';
import type { Deps } from '../http/deps.ts';
import type { Draft } from './draft.ts';

/** What the pages of a request say about the patient's other requests. */
export interface OtherRequests {
  /** Finished requests of this kind for the same order, newest first. */
  readonly earlier: readonly ListedEnded[];
  /** The `earlier` requests that were denied, with their content. */
  readonly denied: readonly Ended[];
  /** The number of this patient's requests that are missing or wrong in the chart. */
  readonly lacking: number;
  /** The last approval for the same drug, which this request may renew. */
  readonly approved?: ApprovedBefore;
}

export interface ApprovedBefore {
  readonly payer?: string;
  /** From the service's record; absent if the record does not have it. */
  readonly from?: string;
  readonly until?: string;
  /** When the decision arrived, ISO 8601. */
  readonly decidedAt: string;
}

export async function othersOf(
  { cases }: Pick<Deps, 'cases'>,
  draft: Pick<Draft, 'kind' | 'case' | 'result'>,
): Promise<OtherRequests> {
  const { kind, case: one } = draft;
  const { site, patient, order } = one;
  const all = await cases.forPatient(site, patient);
  const approved = await approvalOf(
    { cases },
    all.filter((other) => other.kind === kind && isApproved(other)),
    draft,
  );
  const ofOrder = all.filter((other) => other.kind === kind && other.order === order);
  const earlier = ofOrder.filter((other) => other.state === 'ended');
  return {
    ...(approved === undefined ? {} : { approved: approvedBefore(approved) }),
    earlier,
    denied: await wholeOf({ cases }, earlier.filter(isDenied)),
    lacking: all.filter((one) => isSent(one) && chartLacks(one).length > 0).length,
  };
}

async function wholeOf({ cases }: Pick<Deps, 'cases'>, listed: readonly ListedEnded[]): Promise<Ended[]> {
  const found = await Promise.all(listed.map(({ id }) => cases.get(id)));
  return found.filter((one) => one.state === 'ended');
}

/** The newest approved request for this order or this drug. */
async function approvalOf(
  { cases }: Pick<Deps, 'cases'>,
  approved: readonly ListedCase[],
  { case: { order }, result }: Pick<Draft, 'case' | 'result'>,
): Promise<ListedCase | undefined> {
  const asked = result.status === 'complete' ? result.body : result.draft;
  for (const one of approved) {
    if (one.order === order) return one;
    const whole = await cases.get(one.id);
    if (isSent(whole) && asksSameDrug(asked, whole.body)) return one;
  }
  return undefined;
}

function approvedBefore(one: ListedCase): ApprovedBefore {
  const { authorizationStart: from, authorizationExpiration: until } = outcomeOf(one) ?? {};
  const decidedAt = 'endedAt' in one ? one.endedAt : one.updatedAt;
  return { decidedAt, ...present({ payer: one.payer, from, until }) };
}
