import { isDenied } from '../../cases/appeal.ts';
import { isApproved } from '../../cases/approved.ts';
import { present } from '../../cases/assemble.ts';
import { type Case, type Ended, isSent, outcomeOf } from '../../cases/case.ts';
import { chartLacks } from '../../cases/chart-standing.ts';
import { asksSameDrug } from '../../cases/duplicate.ts';
import type { Deps } from '../http/deps.ts';
import type { Draft } from './draft.ts';

/** The patient's other requests, as the pages of a request refer to them. */
export interface OtherRequests {
  /** Finished requests of this kind for the same order, newest first; the reasons of denials are included. */
  readonly earlier: readonly Ended[];
  /** How many requests of this patient are incomplete or wrong in the chart. */
  readonly lacking: number;
  /** The last approval for the same drug, which this request may renew. */
  readonly approved?: ApprovedBefore;
}

/** A current or past approval of the patient. */
export interface ApprovedBefore {
  readonly payer?: string;
  /** From the service; absent if it does not state it. */
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
  return {
    ...(approved === undefined ? {} : { approved: approvedBefore(approved) }),
    earlier: await Promise.all(
      all
        .filter((one): one is Ended => one.state === 'ended' && one.kind === kind && one.order === order)
        .map((one) => (isDenied(one) ? whole({ cases }, one) : one)),
    ),
    lacking: all.filter((one) => isSent(one) && chartLacks(one).length > 0).length,
  };
}

// Lists do not load bodies.
async function whole({ cases }: Pick<Deps, 'cases'>, one: Ended): Promise<Ended> {
  const found = await cases.get(one.id);
  return found.state === 'ended' ? found : one;
}

/** The newest approved request for this order or this drug. */
async function approvalOf(
  { cases }: Pick<Deps, 'cases'>,
  approved: readonly Case[],
  { case: { order }, result }: Pick<Draft, 'case' | 'result'>,
): Promise<Case | undefined> {
  const asked = result.status === 'complete' ? result.body : result.draft;
  for (const one of approved) {
    if (one.order === order) return one;
    // Lists do not load bodies.
    const whole = await cases.get(one.id);
    if (isSent(whole) && asksSameDrug(asked, whole.body)) return one;
  }
  return undefined;
}

function approvedBefore(one: Case): ApprovedBefore {
  const { authorizationStart: from, authorizationExpiration: until } = outcomeOf(one) ?? {};
  const decidedAt = 'endedAt' in one ? one.endedAt : one.updatedAt;
  return { decidedAt, ...present({ payer: one.payer, from, until }) };
}
