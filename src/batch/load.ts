import type { PlacedEntry } from '../fhir/bundle.ts';
import { isObject } from '../fhir/is-object.ts';
import { referencesIn } from '../fhir/references-in.ts';
import type { PatientGroup } from './groups.ts';
import type { Pool } from './pool.ts';
import type { Slot } from './slot.ts';

/** The orders of a group and their patient: enough to tell which orders are candidates. */
export function loadOrders(group: PatientGroup): ReadonlyMap<Slot, PlacedEntry> {
  return new Map(
    group.slots
      .filter(({ type }) => type === 'MedicationRequest' || type === 'Patient')
      .map((slot) => [slot, slot.load()]),
  );
}

/**
 * All resources that a group's mapping may read: the patient's own, and the supporting ones they lead to. What was
 * loaded before is not read again.
 */
export function loadGroup(
  pool: Pool,
  { slots }: PatientGroup,
  before: ReadonlyMap<Slot, PlacedEntry>,
): readonly PlacedEntry[] {
  const loaded = new Map<Slot, PlacedEntry>();
  const supporting = supportingOf(pool);
  let wave: readonly Slot[] = slots;
  while (wave.length > 0) {
    for (const slot of wave) loaded.set(slot, before.get(slot) ?? slot.load());
    wave = [...new Set(wave.flatMap((slot) => ledTo(slot, loaded.get(slot), pool, supporting)))].filter(
      (slot) => !loaded.has(slot),
    );
  }
  return [...loaded.values()];
}

/** What a resource refers to, and the roles that name a practitioner. */
function ledTo(
  slot: Slot,
  entry: PlacedEntry | undefined,
  pool: Pool,
  supporting: Pool['supporting'],
): readonly Slot[] {
  const roles = slot.type === 'Practitioner' ? pool.rolesOf(slot) : [];
  return [...referencesIn(entry?.resource).flatMap((reference) => supporting(reference, slot.base)), ...roles];
}

/** The same as the pool says, which is asked once for what many resources of a chart refer to: its patient. */
function supportingOf(pool: Pool): Pool['supporting'] {
  const known = new Map<string, Map<string | undefined, readonly Slot[]>>();
  return (reference, base) => {
    const text = isObject(reference) && reference.identifier === undefined ? reference.reference : reference;
    if (typeof text !== 'string') return pool.supporting(reference, base);
    const ofText = known.get(text) ?? new Map<string | undefined, readonly Slot[]>();
    known.set(text, ofText);
    const found = ofText.get(base) ?? pool.supporting(reference, base);
    ofText.set(base, found);
    return found;
  };
}
