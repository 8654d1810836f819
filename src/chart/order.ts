import type { MedicationRequest } from 'fhir/r4.js';
import { hasCode } from '../fhir/concept.ts';
import type { Located } from '../fhir/graph.ts';
import { standing } from '../fhir/period.ts';
import type { Scene } from '../roles/scene.ts';

/**
 * Why a prior authorization cannot be made for an order; undefined when it can. Design: active, intent order, not reported, not "do not perform".
 * `isNamedDraft`: a CDS Hooks request names it as an order that is being written; then a draft can be prepared as well.
 */
export function orderRefusal(order: MedicationRequest, isNamedDraft = false): string | undefined {
  if (order.status !== 'active' && !(isNamedDraft && isDraft(order)))
    return `its status is ${order.status ?? 'missing'}`;
  if (!['order', 'original-order', 'reflex-order', 'filler-order', 'instance-order'].includes(order.intent))
    return `its intent is ${order.intent ?? 'missing'}`;
  if (order.doNotPerform === true) return 'it says not to give the drug';
  if (order.reportedBoolean === true) return 'it is reported, not ordered here';
  if (order.reportedReference !== undefined) return 'it is reported by someone else, not ordered here';
  if (/(^|\/)(Patient|RelatedPerson)\//.test(order.requester?.reference ?? ''))
    return 'its requester is the patient: it is self-reported';
  if (order.category?.some((category) => hasCode(category, 'inpatient'))) return 'it is given in the hospital';
  return undefined;
}

/** Whether an order is still being written: nobody has signed it. */
export function isDraft({ status }: MedicationRequest): boolean {
  return status === 'draft';
}

/** What the reader should know of an order that is taken. */
export function orderWarnings(
  { resource, reference }: Located<MedicationRequest>,
  scene: Pick<Scene, 'now'>,
): string[] {
  const warnings: string[] = [];
  const validity = resource.dispenseRequest?.validityPeriod?.end;
  if (validity !== undefined && standing({ end: validity.slice(0, 10) }, scene.now) === 'ended')
    warnings.push(`${reference} was valid until ${validity.slice(0, 10)}.`);
  if (resource.substitution?.allowedBoolean === false) warnings.push(`${reference} does not allow a substitution.`);
  return warnings;
}
