import { textAlone } from '../core/fhir/address.ts';
import type { PlacedEntry } from '../core/fhir/bundle.ts';
import { passedOverText } from '../core/fhir/passed-over.ts';
import { referencesIn } from '../core/fhir/references-in.ts';
import type { PatientGroup } from './groups.ts';
import type { Pool } from './pool.ts';
import type { Slot } from './slot.ts';

/** The orders of a group and their patient: enough to tell which orders are candidates. */
export function loadOrders(group: PatientGroup): ReadonlyMap<Slot, PlacedEntry> {
  const loaded = new Map<Slot, PlacedEntry>();
  for (const slot of group.slots)
    if (slot.type === 'MedicationRequest' || slot.type === 'Patient') loaded.set(slot, slot.load());
  return loaded;
}

/** What a group's mapping may read, and what was left out for its address, in sentences. */
export interface LoadedGroup {
  readonly entries: readonly PlacedEntry[];
  readonly passedOver: readonly string[];
}

/**
 * All resources that a group's mapping may read: the patient's own, and the supporting ones they lead to. What was
 * loaded before is not read again.
 */
export function loadGroup(
  pool: Pool,
  { slots, passedOver }: PatientGroup,
  before: ReadonlyMap<Slot, PlacedEntry>,
): LoadedGroup {
  const loaded = new Map<Slot, PlacedEntry>();
  const load = (slot: Slot) => {
    if (!loaded.has(slot)) loaded.set(slot, before.get(slot) ?? slot.load());
  };
  const asked = new Asked();
  const notUsed: string[] = [];
  for (const slot of slots) load(slot);
  // What is loaded meanwhile comes behind and is looked at too.
  for (const [slot, entry] of loaded) {
    for (const reference of referencesOf(slot, entry))
      if (asked.isNew(reference, slot.base)) {
        const found = pool.supporting(reference, slot.base);
        if (found.length === 0) notUsed.push(...notUsedText(slot, reference, pool));
        else for (const one of found) load(one);
      }
    if (slot.type === 'Practitioner') for (const role of pool.rolesOf(slot)) load(role);
  }
  return { entries: [...loaded.values()], passedOver: [...passedOver, ...notUsed.sort()] };
}

function notUsedText(holder: Slot, reference: unknown, pool: Pool): string[] {
  const namesake = pool.namesake(reference);
  if (namesake === undefined) return [];
  return [passedOverText(holder, textAlone(reference) ?? '', namesake.slot, namesake.own)];
}

const known = new WeakMap<Slot, readonly unknown[]>();

// What is about nobody is loaded for many patients.
function referencesOf(slot: Slot, { resource }: PlacedEntry): readonly unknown[] {
  if (slot.isPersonal) return referencesIn(resource);
  const references = known.get(slot) ?? referencesIn(resource);
  known.set(slot, references);
  return references;
}

/** Tells references apart that were met before: nearly every resource of a chart refers to its patient. */
class Asked {
  private readonly texts = new Map<string | undefined, Set<string>>();

  isNew(reference: unknown, base: string | undefined): boolean {
    const text = textAlone(reference);
    if (text === undefined) return true;
    const texts = this.texts.get(base) ?? new Set();
    this.texts.set(base, texts);
    if (texts.has(text)) return false;
    texts.add(text);
    return true;
  }
}
