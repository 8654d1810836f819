import type { PlacedEntry } from '../fhir/bundle.ts';
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
  let wave: readonly Slot[] = slots;
  while (wave.length > 0) {
    for (const slot of wave) loaded.set(slot, before.get(slot) ?? slot.load());
    wave = [...new Set(wave.flatMap((slot) => ledTo(pool, slot, loaded.get(slot))))].filter(
      (slot) => !loaded.has(slot),
    );
  }
  return [...loaded.values()];
}

/** What a resource refers to, and the roles that name a practitioner. */
function ledTo(pool: Pool, slot: Slot, entry: PlacedEntry | undefined): readonly Slot[] {
  const roles = slot.type === 'Practitioner' ? pool.rolesOf(slot) : [];
  return [...referencesIn(entry?.resource).flatMap((reference) => pool.supporting(reference, slot.base)), ...roles];
}
