import type { Communication, DocumentReference } from 'fhir/r4.js';
import { BridgeError } from '../errors.ts';
import type { Delivery } from './delivery.ts';
import { lettersInChart } from './ledger.ts';

/**
 * Throws `ehr_change_not_shown` where `error` is the refusal of a Task, and a letter that the Task may name is in the
 * ledger and not yet in the chart: an EHR that checks references refuses it until the letter is there.
 */
export async function assertLettersShown(delivery: Delivery, error: unknown): Promise<void> {
  if (!(error instanceof BridgeError) || error.code !== 'ehr_write_refused') return;
  for (const { reference } of lettersInChart(delivery.rows())) {
    if (reference === undefined || (await isShown(delivery, reference))) continue;
    throw new BridgeError('ehr_change_not_shown', { case: delivery.facts.id }, { cause: error });
  }
}

// An EHR that does not let it be read leaves open whether it is there.
async function isShown({ api }: Delivery, reference: string): Promise<boolean> {
  const [type, id = ''] = reference.split('/');
  try {
    const found =
      type === 'Communication'
        ? await api.read<Communication>('Communication', id)
        : await api.read<DocumentReference>('DocumentReference', id);
    return found !== undefined;
  } catch (error) {
    if (error instanceof BridgeError) return true;
    throw error;
  }
}
