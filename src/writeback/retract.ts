import type { Provenance } from 'fhir/r4.js';
import { presetOf } from '../config/presets/presets.ts';
import { BridgeError } from '../core/errors.ts';
import type { ChangeCondition, PatchOperation } from '../core/fhir/api.ts';
import { ifMatchOf, sendBound } from './bound-change.ts';
import { type ChannelStep, channelStep, type Writable } from './channel-plan.ts';
import { beginDelivery, type Delivery, type DeliveryRequest, noteRefusal, Unsaved } from './delivery.ts';
import { assertAbout, type Ours } from './find.ts';
import { because, type LedgerEntry, letterInChart, toDoByHand, type Why } from './ledger.ts';
import { judgeFailure } from './retry.ts';

/**
 * Marks a letter that the bridge wrote as entered in error, because a person reported it as wrong. The returned row is
 * `retracted`; or `done` with the reason why the EHR does not allow it. The letter is not written again. Throws
 * `bad_request` for a reference that is no letter of this case, and the errors of an unreachable EHR.
 */
export async function retractLetter(request: DeliveryRequest, reference: string): Promise<LedgerEntry> {
  const row = letterInChart(request.facts.writes, reference);
  if (row === undefined) throw new BridgeError('bad_request', { fields: ['reference'] });
  try {
    const delivery = await beginDelivery(request);
    const refusal = await markInError(delivery, stepTo(delivery, writableType(reference)), reference);
    const retracted: LedgerEntry = { ...row, state: 'retracted', reason: 'a person marked it as entered in error' };
    const kept = because(row, { ...refusal, reason: byHand(reference, refusal?.reason ?? '') });
    return await delivery.put({ ...(refusal === undefined ? retracted : kept), at: delivery.now() });
  } catch (error) {
    throw error instanceof Unsaved ? error.cause : error;
  }
}

/** Says what a person must do if the EHR does not let the bridge do it. */
export function byHand(reference: string, refusal: string): string {
  const what =
    writableType(reference) === 'Provenance' ? `remove ${reference}` : `mark ${reference} as entered in error`;
  return `${what} ${toDoByHand} (${refusal})`;
}

export function stepTo(delivery: Delivery, type: Writable): ChannelStep {
  const refused = delivery.refusals.of(delivery.facts.id);
  return channelStep(type, delivery.statement, delivery.api.scopes, refused, presetOf(delivery.site));
}

export function writableType(reference: string): Writable {
  const type = (['Task', 'DocumentReference', 'Communication', 'Provenance'] as const).find((each) =>
    reference.startsWith(`${each}/`),
  );
  if (type !== undefined) return type;
  throw new BridgeError('internal');
}

/**
 * Sets `entered-in-error` on a resource that the bridge wrote, by update, else by patch, else deletes it. A Provenance
 * has no status, so it can only be deleted. Returns undefined if that worked; else why the EHR does not allow it.
 * Throws temporary errors.
 */
export async function markInError(delivery: Delivery, step: ChannelStep, reference: string): Promise<Why | undefined> {
  const { type, reach } = step;
  const ways = waysOf(type).filter((way) => reach[way]);
  let refusal: Why = {
    reason: type === 'Provenance' ? 'no Provenance.delete' : `no ${type}.update, ${type}.patch or ${type}.delete`,
  };
  if (ways.length === 0 && reach.read && !(await isInForce(delivery, type, reference))) return undefined;
  for (const way of ways) {
    const before = await delivery.api.readVersion<Ours>(type, reference.replace(`${type}/`, ''));
    if (before?.resource.id === undefined || isInError(before.resource)) return undefined;
    assertAbout(delivery, before.resource);
    try {
      await send(delivery, way, { ...before.resource, id: before.resource.id }, ifMatchOf(delivery, before));
      return undefined;
    } catch (error) {
      const judgement = judgeFailure(error);
      const { verdict } = judgement;
      if (verdict === 'wait' || verdict === 'retry') throw error;
      noteRefusal(delivery, `${type}.${way}`, judgement);
      refusal = judgement;
    }
  }
  return refusal;
}

type Way = 'update' | 'patch' | 'delete';

function waysOf(type: Writable): readonly Way[] {
  return type === 'Provenance' ? ['delete'] : ['update', 'patch', 'delete'];
}

function isInError(current: Ours): boolean {
  return current.resourceType !== 'Provenance' && current.status === 'entered-in-error';
}

/** Returns false if somebody has removed the resource, or marked it as entered in error. */
async function isInForce({ api }: Delivery, type: Writable, reference: string): Promise<boolean> {
  const current = await api.read<Ours>(type, reference.replace(`${type}/`, ''));
  return current !== undefined && !isInError(current);
}

async function send(
  { api }: Delivery,
  way: Way,
  current: Ours & { id: string },
  ifMatch: string | undefined,
): Promise<unknown> {
  if (way === 'delete' || current.resourceType === 'Provenance') return await api.delete(current);
  const inError: Exclude<Ours, Provenance> & { id: string } = { ...current, status: 'entered-in-error' };
  const status: PatchOperation = { op: 'replace', path: '/status', value: inError.status };
  const change = (condition: ChangeCondition) =>
    way === 'patch' ? api.patch(current, [status], condition) : api.update(inError, condition);
  return await sendBound({ ifMatch, isSettled: false }, change);
}
