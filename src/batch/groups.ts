import { canonicalReference } from '../fhir/address.ts';
import { isObject } from '../fhir/is-object.ts';
import { ReferenceIndex } from '../fhir/reference-index.ts';
import type { Kept } from './repeats.ts';
import type { Servers } from './servers.ts';
import type { Slot } from './slot.ts';

/** One patient of a pool who has a medication order. */
export interface PatientGroup {
  /** `Patient/1`. Undefined: orders that name no patient. */
  readonly patient: string | undefined;
  /** Why the patient's own resource cannot be used; absent when it is here. */
  readonly lost?: string;
  readonly orders: readonly Slot[];
  /** Everything about the patient, the orders and the Patient too. */
  readonly slots: readonly Slot[];
}

/** The groups of a pool in the order of their first medication order. */
export function groupByPatient({ kept, disputed }: Kept, servers: Servers): readonly PatientGroup[] {
  const patients = kept.filter(({ type }) => type === 'Patient');
  const index = new ReferenceIndex(patients, servers.isOne);
  const keyOf = (slot: Slot): string => {
    if (slot.type === 'Patient') return slot.key;
    return index.resolve(slot.owner, slot.base)?.key ?? wordsOf(slot, servers);
  };
  // The orders first, so that groups stand in the order of their first order.
  const personal = kept.filter((slot) => slot.isPersonal);
  const inOrder = [...personal.filter(isOrder), ...personal.filter((slot) => !isOrder(slot))];
  const names = new Set(patients.map(({ name }) => name));
  return [...Map.groupBy(inOrder, keyOf)].flatMap(([key, slots]) => groupOf(key, slots, { disputed, names }));
}

function groupOf(
  key: string,
  slots: readonly Slot[],
  pool: { readonly disputed: ReadonlySet<string>; readonly names: ReadonlySet<string> },
): PatientGroup[] {
  const orders = slots.filter(isOrder);
  if (orders.length === 0) return [];
  if (key === '') return [{ patient: undefined, orders, slots: orders }];
  const patient = slots.find((slot) => slot.type === 'Patient');
  if (patient !== undefined) return [{ patient: patient.name, orders, slots }];
  const name = key.split('/').slice(-2).join('/');
  return [{ patient: name, lost: lossOf(key, name, pool), orders, slots }];
}

function lossOf(
  key: string,
  name: string,
  { disputed, names }: { readonly disputed: ReadonlySet<string>; readonly names: ReadonlySet<string> },
): string {
  if (disputed.has(`Patient ${key}`))
    return `${name} stands twice with different content and nothing tells which is newer`;
  // The same id at another server, or at none that is named, may be somebody else.
  if (names.has(name))
    return (
      `${key} is not in the input; the ${name} that is there has another address, or none, and was not taken ` +
      'for it'
    );
  return `${name} is not in the input`;
}

/** What stands for a patient that is not here; empty where nothing but an identifier or a name tells who it is. */
function wordsOf({ owner, base }: Slot, { spelled }: Servers): string {
  const text = isObject(owner) ? owner.reference : owner;
  return typeof text === 'string' ? spelled(canonicalReference(text, base)) : '';
}

function isOrder({ type }: Slot): boolean {
  return type === 'MedicationRequest';
}
