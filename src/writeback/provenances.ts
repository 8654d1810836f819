import { attempt, skip } from './attempt.ts';
import { asksProvenance } from './channel-plan.ts';
import { createOnce } from './create-once.ts';
import type { Delivery } from './delivery.ts';
import { isSettled, writtenByUs } from './ledger.ts';
import { identifierOf } from './resources/common.ts';
import { provenanceResource } from './resources/provenance.ts';
import { stepTo } from './retract.ts';

/**
 * Writes one Provenance for each resource that the bridge wrote, once that is in the chart. No other write depends on
 * it. If the EHR does not accept it, the row says why.
 */
export async function deliverProvenances(delivery: Delivery): Promise<void> {
  if (!asksProvenance(delivery.site)) return;
  const step = stepTo(delivery, 'Provenance');
  const targets = writtenByUs(delivery.rows()).filter((target) => !isSettled(delivery.rows(), 'provenance', target));
  for (const target of targets) {
    const passed = await attempt(delivery, step, 'provenance', target, async (row) => {
      const make = async () => provenanceResource(delivery, target, isPayers(delivery, target), delivery.now());
      await createOnce(delivery, { row, step, identifier: identifierOf(delivery, 'provenance', target), make });
    });
    if (passed !== undefined) await skip(delivery, 'provenance', target, passed);
  }
}

function isPayers({ rows }: Delivery, target: string): boolean {
  return rows().some(({ what, reference }) => what === 'determination' && reference === target);
}
