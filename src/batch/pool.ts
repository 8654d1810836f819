import type { Resource } from 'fhir/r4.js';
import type { Located } from './document.ts';
import type { Place } from './outcome.ts';
import { baseOf, canonical, identifiersOf, type Pointer, patientReference, pointers } from './references.ts';
import { type Kept, type Repeats, withoutRepeats } from './repeats.ts';
import type { Entry, Slot } from './slot.ts';

/**
 * Resources that belong together and may refer to each other: one bundle, or all single resources and lines of one folder.
 * It keeps where each resource stands, not the resource, so that an export larger than memory can be grouped by patient.
 */
export interface Pool {
  add(located: Located, place: Place, load: () => Located): void;
  /** Ends the adding; what stands twice is settled here. */
  close(): PoolFacts;
  /** One group per patient that has a medication order, in the order of the input. */
  groups(): readonly PatientGroup[];
  /** Resources about nobody (practitioners, organizations, medications) that a pointer leads to. */
  supporting(pointer: Pointer, base: string | undefined): readonly Slot[];
}

export interface PatientGroup {
  /** `Patient/1`. Undefined: orders that name no patient. */
  readonly patient: string | undefined;
  /** Why the patient's own resource cannot be used; absent when it is here. */
  readonly lost?: string;
  readonly orders: readonly Slot[];
  readonly slots: readonly Slot[];
}

export interface PoolFacts extends Repeats {
  readonly patients: number;
}

/** Types that are always about one patient: without a reference to one they belong to nobody's chart. */
const boundTypes = new Set(
  'AllergyIntolerance Condition Coverage DiagnosticReport DocumentReference Encounter MedicationAdministration MedicationDispense MedicationRequest MedicationStatement Observation Procedure'.split(
    ' ',
  ),
);

/** `shared` is asked for supporting resources that this pool does not hold itself; a patient's own data is never taken from another pool. */
export function createPool(shared?: Pool): Pool {
  const added: Entry[] = [];
  let index: Index | undefined;
  const settled = (): Index => {
    index ??= settle(added);
    return index;
  };
  return {
    add: (located, place, load) => void added.push(entryOf(located, place, load)),
    close: () => settled().facts,
    groups: () => settled().groups,
    supporting: (pointer, base) => {
      const own = find(settled(), pointer, base);
      return own.length > 0 ? own : (shared?.supporting(pointer, base) ?? []);
    },
  };
}

/** The orders of a group and their patient: enough to tell which orders are candidates. */
export function loadOrders(group: PatientGroup): ReadonlyMap<Slot, Located> {
  return new Map(
    group.slots
      .filter((slot) => slot.type === 'MedicationRequest' || slot.type === 'Patient')
      .map((slot) => [slot, slot.load()]),
  );
}

/** All resources that a group's mapping may read: the patient's own, and the supporting ones they lead to. What was loaded before is not read again. */
export function loadGroup(pool: Pool, group: PatientGroup, before: ReadonlyMap<Slot, Located>): Located[] {
  const taken = new Set<Slot>(group.slots);
  let wave: readonly Slot[] = group.slots;
  const loaded: Located[] = [];
  while (wave.length > 0) {
    const next = new Set<Slot>();
    for (const slot of wave) {
      const located = before.get(slot) ?? slot.load();
      loaded.push(located);
      for (const pointer of pointers(located.resource))
        for (const found of pool.supporting(pointer, slot.base)) if (!taken.has(found)) next.add(found);
      for (const found of rolesOf(slot, located, pool)) if (!taken.has(found)) next.add(found);
    }
    for (const slot of next) taken.add(slot);
    wave = [...next];
  }
  return loaded;
}

/** The PractitionerRoles that name a practitioner. Others with its identifier are not led to: where systems give everybody the same one, that would be everybody. */
function rolesOf(slot: Slot, { resource }: Located, pool: Pool): Slot[] {
  if (slot.type !== 'Practitioner') return [];
  const own: Pointer[] = [{ literal: slot.key }, ...identifiersOf(resource).map((identifier) => ({ identifier }))];
  return own
    .flatMap((pointer) => pool.supporting(pointer, slot.base))
    .filter((found) => found.type === 'PractitionerRole');
}

function entryOf({ resource, fullUrl }: Located, place: Place, load: () => Located): Entry {
  const base = baseOf(fullUrl);
  const about = resource.resourceType === 'Patient' ? undefined : patientReference(resource);
  const bound = resource.resourceType === 'Patient' || about !== undefined || boundTypes.has(resource.resourceType);
  const name = resource.id === undefined ? undefined : `${resource.resourceType}/${resource.id}`;
  return {
    type: resource.resourceType,
    key: keyOf(name, fullUrl, base),
    name: name ?? fullUrl ?? resource.resourceType,
    base,
    place,
    load,
    about: about === undefined ? undefined : canonical(about, base),
    bound,
    version: resource.meta?.versionId,
    updated: resource.meta?.lastUpdated,
    identifiers: bound ? [] : identifiersOf(resource),
    practitioner: resource.resourceType === 'PractitionerRole' ? practitionerOf(resource, base) : undefined,
  };
}

/** A fullUrl that is no server address (`urn:uuid:`) is the key; a resource without any identity is known by its content only. */
function keyOf(name: string | undefined, fullUrl: string | undefined, base: string | undefined): string {
  if (fullUrl !== undefined && base === undefined) return fullUrl;
  return name === undefined ? '' : canonical(name, base);
}

function practitionerOf(role: Resource, base: string | undefined): string | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...role };
  const [pointer] = pointers(fields.practitioner);
  return pointer?.literal === undefined ? pointer?.identifier : canonical(pointer.literal, base);
}

interface Index {
  readonly facts: PoolFacts;
  readonly groups: readonly PatientGroup[];
  readonly supportingByKey: ReadonlyMap<string, readonly Entry[]>;
  readonly local: (key: string) => string;
}

function settle(added: readonly Entry[]): Index {
  const local = localizer(added);
  const settled = withoutRepeats(added, local);
  const { kept, facts } = settled;
  const patients = new Map<string, Entry>();
  for (const entry of kept)
    if (entry.type === 'Patient') for (const key of keysOf(entry, local)) patients.set(key, entry);
  return {
    facts: { ...facts, patients: new Set(patients.values()).size },
    groups: groupByPatient(settled, patients, local),
    supportingByKey: indexSupporting(kept, local),
    local,
  };
}

/**
 * When everything in a pool stands at one server, its absolute addresses and relative ones mean the same.
 * With several servers, or relative references of unknown servers beside absolute ones, they are kept apart.
 */
function localizer(added: readonly Entry[]): (key: string) => string {
  const bases = new Set<string>();
  let loose = false;
  for (const entry of added) {
    for (const base of [entry.base, baseOf(entry.about)]) if (base !== undefined) bases.add(base);
    if (entry.base === undefined && entry.about !== undefined && /^[A-Z]/.test(entry.about)) loose = true;
  }
  const [only] = bases;
  return bases.size === 1 && !loose && only !== undefined
    ? (key) => (key.startsWith(`${only}/`) ? key.slice(only.length + 1) : key)
    : (key) => key;
}

/** In a bundle of `urn:uuid:` entries, references by type and id occur as well. */
function keysOf(entry: Entry, local: (key: string) => string): string[] {
  return entry.base === undefined && entry.name !== entry.key ? [entry.key, entry.name] : [local(entry.key)];
}

function groupByPatient(
  { kept, disputed }: Kept,
  patients: ReadonlyMap<string, Entry>,
  local: (key: string) => string,
): PatientGroup[] {
  const groups = new Map<string, Entry[]>();
  const names = new Set([...patients.values()].map((patient) => patient.name));
  const isOrder = (entry: Slot) => entry.type === 'MedicationRequest';
  // The orders first, so that groups stand in the order of their first order.
  for (const entry of [...kept.filter(isOrder), ...kept.filter((other) => !isOrder(other))]) {
    const about = entry.type === 'Patient' ? entry.key : entry.about;
    if (!entry.bound || (about === undefined && !isOrder(entry))) continue;
    const key = about === undefined ? '' : (patients.get(local(about))?.key ?? local(about));
    const slots = groups.get(key);
    if (slots === undefined) groups.set(key, [entry]);
    else slots.push(entry);
  }
  return [...groups].flatMap(([key, slots]): PatientGroup[] => {
    const orders = slots.filter(isOrder);
    const patient = slots.find((slot) => slot.type === 'Patient');
    if (orders.length === 0) return [];
    if (key === '') return [{ patient: undefined, orders, slots }];
    const name = patient?.name ?? key.split('/').slice(-2).join('/');
    return [
      { patient: name, ...(patient === undefined ? { lost: lossOf(key, name, disputed, names) } : {}), orders, slots },
    ];
  });
}

function lossOf(key: string, name: string, disputed: ReadonlySet<string>, names: ReadonlySet<string>): string {
  if (disputed.has(`Patient ${key}`))
    return `${name} stands twice with different content and nothing tells which is newer`;
  // The same id at another server, or at none that is named, may be somebody else.
  if (names.has(name))
    return `${key} is not in the input; the ${name} that is there has another address, or none, and was not taken for it`;
  return `${name} is not in the input`;
}

function indexSupporting(kept: readonly Entry[], local: (key: string) => string): Map<string, Entry[]> {
  const index = new Map<string, Entry[]>();
  const put = (key: string, entry: Entry) => {
    const list = index.get(key);
    if (list === undefined) index.set(key, [entry]);
    else list.push(entry);
  };
  for (const entry of kept) {
    if (entry.bound) continue;
    for (const key of new Set([
      ...keysOf(entry, local),
      ...entry.identifiers,
      ...(entry.practitioner === undefined ? [] : [local(entry.practitioner)]),
    ]))
      if (key !== '') put(key, entry);
  }
  return index;
}

function find({ supportingByKey, local }: Index, pointer: Pointer, base: string | undefined): readonly Slot[] {
  const key = pointer.literal === undefined ? pointer.identifier : local(canonical(pointer.literal, base));
  return key === undefined ? [] : (supportingByKey.get(key) ?? []);
}
