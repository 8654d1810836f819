import { type Ended, isSent } from '../../cases/case.ts';
import { chartLacks } from '../../cases/chart-standing.ts';
import type { Deps } from '../http/deps.ts';
import type { Draft } from './draft.ts';

/** What the pages of a request say of the patient's other requests. */
export interface OtherRequests {
  /** Finished requests of this kind for the same order, newest first. */
  readonly earlier: readonly Ended[];
  /** How many requests of this patient are not in the chart as they should be. */
  readonly lacking: number;
}

export async function othersOf(
  { cases }: Pick<Deps, 'cases'>,
  { kind, case: { site, patient, order } }: Pick<Draft, 'kind' | 'case'>,
): Promise<OtherRequests> {
  const all = await cases.forPatient(site, patient);
  return {
    earlier: all.filter((one): one is Ended => one.state === 'ended' && one.kind === kind && one.order === order),
    lacking: all.filter((one) => isSent(one) && chartLacks(one).length > 0).length,
  };
}
