import { createHash } from 'node:crypto';
import { addressOf, canonicalReference } from '../core/fhir/address.ts';
import { type Deletion, isDeletedBy } from '../core/fhir/deletion.ts';
import { contentText } from '../core/fhir/same-content.ts';
import { isNewer } from '../core/fhir/version.ts';
import { type InputPlace, type InputProblem, type OrderOutcome, placeWords } from './report/order-outcome.ts';
import type { Servers } from './servers.ts';
import type { Slot } from './slot.ts';

export interface Unused {
  readonly slot: Slot;
  /**
   * `deleted`: its server has deleted it. `repeated`: the same content came before. `replaced`: the input has a newer
   * version. `disputed`: other content came before, and neither is known to be newer.
   */
  readonly why: 'deleted' | 'repeated' | 'replaced' | 'disputed';
  /** The place of the deletion or of the other resource. */
  readonly at: InputPlace;
}

/** The resources that are left after deleted and repeated resources are removed. */
export interface Remaining {
  readonly used: readonly Slot[];
  readonly unused: readonly Unused[];
  /** Resources that are used although a deletion may name them. */
  readonly maybeDeleted: readonly MaybeDeleted[];
  /** Keys of resources that are repeated with other content. */
  readonly disputed: ReadonlySet<string>;
}

export interface PlacedDeletion {
  readonly deletion: Deletion;
  readonly place: InputPlace;
}

export interface FoundDeletion {
  readonly by: InputPlace;
  /** The servers that the resource may be from, if it has no URL and the input names several; else empty. */
  readonly unclear: readonly string[];
}

interface MaybeDeleted extends FoundDeletion {
  readonly slot: Slot;
}

export function remainingOf(
  slots: readonly Slot[],
  spelled: (key: string) => string,
  deletionOf: (slot: Slot) => FoundDeletion | undefined,
): Remaining {
  const { kept, disputed, unused } = withoutRepeats(slots, spelled);
  const found = kept.flatMap((slot) => {
    const deletion = deletionOf(slot);
    return deletion === undefined ? [] : { slot, ...deletion };
  });
  if (found.length === 0) return { used: kept, unused, maybeDeleted: [], disputed };
  const deleted = found.filter(({ unclear }) => unclear.length === 0);
  const gone = new Set(deleted.map(({ slot }) => slot));
  return {
    used: kept.filter((slot) => !gone.has(slot)),
    unused: [...unused, ...deleted.map(({ slot, by }): Unused => ({ slot, why: 'deleted', at: by }))],
    maybeDeleted: found.filter(({ unclear }) => unclear.length > 0),
    disputed,
  };
}

/** Returns the deletion of a resource. A certain match takes precedence over a possible one. */
export function deletionOf(
  slot: Slot,
  deletions: readonly PlacedDeletion[],
  { spelled, own }: Pick<Servers, 'spelled' | 'own'>,
): FoundDeletion | undefined {
  if (deletions.length === 0 || slot.id === undefined) return undefined;
  const several = own?.several ?? [];
  const key = spelled(slot.key);
  const later = deletions.filter(
    ({ deletion }) => addressOf(deletion.reference)?.type === slot.type && isDeletedBy(deletion, slot.version),
  );
  const certain = later.find(({ deletion }) => spelled(deletion.reference) === key);
  if (certain !== undefined) return { by: certain.place, unclear: [] };
  const unclear = several.length === 0 ? undefined : later.find(({ deletion }) => deletion.reference === slot.name);
  return unclear === undefined ? undefined : { by: unclear.place, unclear: several };
}

function withoutRepeats(added: readonly Slot[], spelled: (key: string) => string) {
  const disputed = new Set<string>();
  const digestOf = digests(spelled);
  const first = new Map<string, Slot>();
  const dropped = new Set<Slot>();
  const unused: Unused[] = [];
  const leave = (slot: Slot, why: Unused['why'], other: Slot) => {
    dropped.add(slot);
    unused.push({ slot, why, at: other.place });
  };
  for (const slot of added) {
    const key = slot.key === '' ? `content ${digestOf(slot)}` : `${slot.type} ${spelled(slot.key)}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, slot);
    else if (digestOf(earlier) === digestOf(slot)) leave(slot, 'repeated', earlier);
    else if (isNewer(earlier.version, slot.version)) leave(slot, 'replaced', earlier);
    else if (isNewer(slot.version, earlier.version)) {
      leave(earlier, 'replaced', slot);
      first.set(key, slot);
    } else {
      if (!dropped.has(earlier)) leave(earlier, 'disputed', slot);
      leave(slot, 'disputed', earlier);
      disputed.add(key);
    }
  }
  return {
    kept: added.filter((slot) => !slot.isElsewhere && !dropped.has(slot)),
    unused: unused.filter(({ slot }) => !slot.isElsewhere),
    disputed,
  };
}

/**
 * Returns a function that makes the digest of a resource's content, with references in the pool's spelling. Only
 * repeated resources need it, since hashing all costs more than grouping them.
 */
function digests(spelled: (key: string) => string): (slot: Slot) => string {
  const known = new Map<Slot, string>();
  const digestOf = (slot: Slot): string => {
    try {
      const text = contentText(slot.load().resource, (reference) => spelled(canonicalReference(reference, slot.base)));
      return createHash('sha256').update(text).digest('base64');
    } catch (error) {
      // The resource is nested too deeply to be compared, so it equals no other.
      if (error instanceof RangeError) return JSON.stringify(slot.place);
      throw error;
    }
  };
  return (slot) => {
    const digest = known.get(slot) ?? digestOf(slot);
    known.set(slot, digest);
    return digest;
  };
}

/** Types whose loss is reported, since a chart may lack something because of it. */
const chartTypes = new Set(
  (
    'AllergyIntolerance Binary Condition Coverage DiagnosticReport DocumentReference Encounter Location Medication ' +
    'MedicationDispense MedicationStatement Observation Organization Patient Practitioner PractitionerRole'
  ).split(' '),
);

type Unmapped = Extract<OrderOutcome, { reason: string }>;

/**
 * Returns repeated or deleted orders as outcomes. Other resources that were deleted, or differ, are reported with their
 * file.
 */
export function outcomesOfUnused(
  { unused, maybeDeleted }: Pick<Remaining, 'unused' | 'maybeDeleted'>,
  report: (problem: InputProblem & InputPlace) => void,
): readonly OrderOutcome[] {
  const reportSlot = ({ place }: Slot, reason: string) => report({ ...place, reason });
  const because = (why: Unused['why']) => unused.filter((one) => one.why === why);
  for (const { slot, at } of because('disputed').filter(({ slot }) => chartTypes.has(slot.type)))
    reportSlot(slot, `${slot.name} ${disputedText(at)}: neither was used`);
  for (const { slot, at } of because('deleted').filter(({ slot }) => chartTypes.has(slot.type)))
    reportSlot(slot, `${slot.name} was deleted (${placeWords(at)})`);
  for (const one of maybeDeleted.filter(({ slot }) => slot.isOrder || chartTypes.has(slot.type)))
    reportSlot(one.slot, maybeDeletedText(one));
  const outcomes = (why: Unused['why'], state: Unmapped['state'], reason: (at: InputPlace) => string) =>
    because(why).flatMap(({ slot: { isOrder, place, name }, at }) =>
      isOrder ? [{ place, order: name, state, reason: reason(at) }] : [],
    );
  return [
    ...outcomes('deleted', 'not_eligible', () => 'it was deleted in the EHR'),
    ...outcomes('repeated', 'duplicate', (at) => `the same order as ${placeWords(at)}`),
    ...outcomes('replaced', 'duplicate', () => 'an older version of an order that the input holds in a newer one'),
    ...outcomes('disputed', 'cannot_map', disputedText),
  ];
}

function disputedText(other: InputPlace): string {
  return `stands twice with different content and nothing tells which is newer (the other: ${placeWords(other)})`;
}

export function maybeDeletedText({ slot, by, unclear }: MaybeDeleted): string {
  return (
    `${slot.name} may have been deleted: the deletion (${placeWords(by)}) is without an address, and the input names ` +
    `several servers (${unclear.join(', ')})`
  );
}
