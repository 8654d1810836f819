import { baseOf, canonicalReference } from '../core/fhir/address.ts';
import { isObject } from '../core/fhir/is-object.ts';
import { whereText } from '../core/fhir/passed-over.ts';
import { ReferenceIndex } from '../core/fhir/reference-index.ts';
import { type Deleted, maybeDeletedText } from './deletions.ts';
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
  /**
   * What names a patient of this id elsewhere, who is not here, in sentences: it was left out. And what was used
   * although a deletion may be of it.
   */
  readonly passedOver: readonly string[];
}

/** The groups of a pool in the order of their first medication order. */
export function groupByPatient(
  { kept, disputed, deleted, maybeDeleted }: Pick<Kept, 'kept' | 'disputed'> & Deleted,
  servers: Servers,
): readonly PatientGroup[] {
  const patients = kept.filter(({ type }) => type === 'Patient');
  const index = new ReferenceIndex(patients, servers.compared);
  const keyOf = (slot: Slot): string => {
    if (slot.type === 'Patient') return slot.key;
    return index.resolve(slot.owner, slot.base)?.key ?? wordsOf(slot, servers);
  };
  // The orders first, so that groups stand in the order of their first order.
  const personal = kept.filter((slot) => slot.isPersonal);
  const inOrder = [...personal.filter(isOrder), ...personal.filter((slot) => !isOrder(slot))];
  const byName = Map.groupBy(patients, ({ name }) => name);
  const groups = [...Map.groupBy(inOrder, keyOf)];
  const strangers = groups.flatMap(([key, slots]) => strangersOf(key, slots, { byName, servers }));
  const gone = new Set(deleted.flatMap(({ slot }) => (slot.type === 'Patient' ? servers.spelled(slot.key) : [])));
  const open = new Map(maybeDeleted.map((one) => [one.slot, `${maybeDeletedText(one)}.`]));
  const around = { disputed, byName, strangers, servers, gone, open };
  return groups.flatMap(([key, slots]) => groupOf(key, slots, around));
}

/** What a pool knows beside one group of it. */
interface Around {
  readonly disputed: ReadonlySet<string>;
  /** The Patients, by `Patient/1`. */
  readonly byName: ReadonlyMap<string, readonly Slot[]>;
  readonly strangers: readonly Stranger[];
  readonly servers: Servers;
  /** The keys of Patients that were deleted. */
  readonly gone: ReadonlySet<string>;
  /** What is said of resources of which a deletion is not clear. */
  readonly open: ReadonlyMap<Slot, string>;
}

/** Resources of a patient who is not here, beside one of the same id who is. */
interface Stranger {
  readonly name: string;
  readonly text: string;
}

function strangersOf(
  key: string,
  slots: readonly Slot[],
  { byName, servers }: Pick<Around, 'byName' | 'servers'>,
): Stranger[] {
  const name = nameIn(key);
  const [first] = slots;
  if (first === undefined || !byName.has(name) || slots.some(({ type }) => type === 'Patient')) return [];
  const stated = statedBy(first);
  const why =
    baseOf(stated) === undefined
      ? `${name} is named ${whereText(noAddress, servers.own)}`
      : `${stated} is not in the input`;
  // orders are outcomes of their own
  const others = Map.groupBy(
    slots.filter((slot) => !isOrder(slot)),
    ({ type }) => type,
  );
  return [...others].map(([type, { length }]) => {
    return { name, text: `${length} ${type} ${length === 1 ? 'was' : 'were'} left out: ${why}.` };
  });
}

function groupOf(key: string, slots: readonly Slot[], around: Around): PatientGroup[] {
  const orders = slots.filter(isOrder);
  if (orders.length === 0) return [];
  if (key === '') return [{ patient: undefined, orders, slots: orders, passedOver: [] }];
  const patient = slots.find((slot) => slot.type === 'Patient');
  if (patient === undefined)
    return [{ patient: nameIn(key), lost: lossOf(key, slots, around), orders, slots, passedOver: [] }];
  const passedOver = around.strangers.flatMap(({ name, text }) => (name === patient.name ? text : []));
  const open = slots.flatMap((slot) => around.open.get(slot) ?? []);
  return [{ patient: patient.name, orders, slots, passedOver: [...passedOver, ...open].sort() }];
}

function lossOf(key: string, slots: readonly Slot[], { disputed, byName, servers, gone }: Around): string {
  const name = nameIn(key);
  if (disputed.has(`Patient ${key}`))
    return `${name} stands twice with different content and nothing tells which is newer`;
  if (gone.has(key)) return `${name} was deleted`;
  // The same id at another server, or at none that is named, may be somebody else.
  const [namesake] = byName.get(name) ?? [];
  const [order] = slots;
  if (namesake === undefined || order === undefined) return `${name} is not in the input`;
  const stated = statedBy(order);
  const isAnybodys = baseOf(stated) === undefined && (servers.own?.several.length ?? 0) > 0;
  const meant = isAnybodys ? `${stated}, named ${whereText(noAddress, servers.own)},` : stated;
  const where = whereText(namesake, servers.own);
  return `${meant} is not in the input; the ${name} that is there is ${where} and was not taken for it`;
}

const noAddress = { base: undefined };

/** `Patient/1` */
function nameIn(key: string): string {
  return key.split('/').slice(-2).join('/');
}

/** The patient as a resource names it, with its own server. */
function statedBy({ owner, base }: Slot): string {
  const text = isObject(owner) ? owner.reference : owner;
  return typeof text === 'string' ? canonicalReference(text, base) : '';
}

/** What stands for a patient that is not here; empty where nothing but an identifier or a name tells who it is. */
function wordsOf(slot: Slot, { spelled }: Servers): string {
  return spelled(statedBy(slot));
}

function isOrder({ type }: Slot): boolean {
  return type === 'MedicationRequest';
}
