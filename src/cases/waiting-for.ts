import type { RecordKind } from '../core/contract/kinds.ts';
import type { CaseContext } from './context.ts';

/**
 * How long after a person reported that a request did not arrive its record may still be reported; no sender retries
 * longer than that.
 */
export const webhookDays = 30;

/** Cases of a kind that a record without a case may belong to: those whose answer was lost or was not trusted. */
export async function waitingFor(
  { store, clock }: Pick<CaseContext, 'store' | 'clock'>,
  { site, kind }: { readonly site: string; readonly kind: RecordKind },
): Promise<readonly string[]> {
  const lost = await store.cases.ids({ site, kind, states: ['sending', 'unknown'] });
  // A person may have checked too early, before the request arrived.
  const since = new Date(clock().getTime() - webhookDays * 24 * 3_600_000).toISOString();
  return [...new Set([...lost, ...(await store.cases.ids({ site, kind, notArrivedSince: since }))])];
}
