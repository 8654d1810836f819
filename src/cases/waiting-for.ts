import type { RecordKind } from '../core/contract/kinds.ts';
import type { CaseContext } from './context.ts';

/**
 * Days after a person's report that a request did not arrive, during which a webhook about it is still accepted. No
 * sender retries longer than this.
 */
export const webhookDays = 30;

/** Ids of the cases to which a record without a case may belong. */
export async function waitingFor(
  { store, clock }: Pick<CaseContext, 'store' | 'clock'>,
  { site, kind }: { readonly site: string; readonly kind: RecordKind },
): Promise<readonly string[]> {
  const lost = await store.cases.ids({ site, kind, states: ['sending', 'unknown'] });
  // The person may have checked before the request arrived.
  const since = new Date(clock().getTime() - webhookDays * 24 * 3_600_000).toISOString();
  return [...new Set([...lost, ...(await store.cases.ids({ site, kind, notArrivedSince: since }))])];
}
