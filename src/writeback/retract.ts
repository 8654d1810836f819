import { BridgeError } from '../errors.ts';
import { begin, type Delivery, type DeliveryRequest, noteRefusal, Unsaved } from './delivery.ts';
import { assertAbout, type Ours } from './find.ts';
import { type Step, stepOf, type Writable } from './ladder.ts';
import { type LedgerEntry, letterInChart } from './ledger.ts';
import { judge } from './retry.ts';

/**
 * Marks a letter that the bridge wrote as entered in error, because a person says that it is wrong. The row that comes
 * back is `retracted`, or `done` with the reason why the EHR does not let it be; the letter is not written again.
 * Throws `bad_request` for a reference that is no letter of this case, and the errors of an EHR that cannot be asked.
 */
export async function retractLetter(request: DeliveryRequest, reference: string): Promise<LedgerEntry> {
  const row = letterInChart(request.facts.writes, reference);
  if (row === undefined) throw new BridgeError('bad_request', { fields: ['reference'] });
  try {
    const delivery = await begin(request);
    const refusal = await markInError(delivery, stepTo(delivery, typeOf(reference)), reference);
    const retracted: LedgerEntry = { ...row, state: 'retracted', reason: 'a person marked it as entered in error' };
    const kept: LedgerEntry = { ...row, reason: byHand(reference, refusal ?? '') };
    return await delivery.put({ ...(refusal === undefined ? retracted : kept), at: delivery.now() });
  } catch (error) {
    throw error instanceof Unsaved ? error.cause : error;
  }
}

/** What a person has to do where the EHR lets nothing be done. */
export function byHand(reference: string, refusal: string): string {
  return `mark ${reference} as entered in error in the EHR: it does not let the bridge do it (${refusal})`;
}

export function stepTo(delivery: Delivery, type: Writable): Step {
  return stepOf(type, delivery.statement, delivery.api.scopes, delivery.refusals.of(delivery.facts.id));
}

export function typeOf(reference: string): Writable {
  const type = reference.split('/')[0];
  if (type === 'Task' || type === 'DocumentReference' || type === 'Communication') return type;
  throw new BridgeError('internal');
}

/**
 * Sets `entered-in-error` on a resource of ours, by update, else by patch, else removes it. undefined when it is not in
 * force any more; else why the EHR does not let it be. Throws what may pass.
 */
export async function markInError(delivery: Delivery, step: Step, reference: string): Promise<string | undefined> {
  const { type, reach } = step;
  const ways = (['update', 'patch', 'delete'] as const).filter((way) => reach[way]);
  let refusal = `no ${type}.update, ${type}.patch or ${type}.delete`;
  for (const way of ways) {
    const current = await delivery.api.read<Ours>(type, reference.replace(`${type}/`, ''));
    if (current?.id === undefined || current.status === 'entered-in-error') return undefined;
    assertAbout(delivery, current);
    try {
      await send(delivery, way, { ...current, id: current.id });
      return undefined;
    } catch (error) {
      const judgement = judge(error);
      const { verdict, reason } = judgement;
      if (verdict === 'wait' || verdict === 'retry') throw error;
      noteRefusal(delivery, `${type}.${way}`, judgement);
      refusal = reason;
    }
  }
  return refusal;
}

async function send(delivery: Delivery, way: 'update' | 'patch' | 'delete', current: Ours & { id: string }) {
  const ifMatch = current.meta?.versionId;
  const condition = ifMatch === undefined ? {} : { ifMatch };
  const { api } = delivery;
  if (way === 'delete') return await api.delete(current);
  if (way === 'patch')
    return await api.patch(current, [{ op: 'replace', path: '/status', value: 'entered-in-error' }], condition);
  const inError: Ours & { id: string } = { ...current, status: 'entered-in-error' };
  return await api.update(inError, condition);
}
