import { sub } from 'date-fns/sub';
import { durationOf } from '../../config/keeping-time.ts';
import { asBridgeError } from '../../core/errors.ts';
import type { CaseContext } from '../context.ts';
import { webhookDays } from '../waiting-for.ts';

/**
 * Removes expired data, site by site: cases only if the site limits how long they are kept, audit rows after six years
 * by default, and webhook events that senders no longer retry. A failure at one site does not affect the others.
 */
export async function retain({ store, config, log }: Pick<CaseContext, 'store' | 'config' | 'log'>): Promise<void> {
  const before = (text: string) => sub(store.clock(), durationOf(text) ?? {}).toISOString();
  for (const { id, retention } of config.sites) {
    try {
      const cases = retention.cases === undefined ? 0 : await store.maintenance.purgeCases(id, before(retention.cases));
      if (retention.cases !== undefined) await store.used.purge(id, before(retention.cases));
      const audit = await store.audit.purge(id, before(retention.audit));
      if (cases + audit > 0) log.info({ site: id, cases, rows: audit }, 'removed by retention');
    } catch (thrown) {
      log.warn({ site: id, code: asBridgeError(thrown).code }, 'retention failed');
    }
  }
  await store.webhooks.purge(webhookDays * 24 * 3600);
  await store.maintenance.tidy();
}
