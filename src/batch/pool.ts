import type { Identifier } from 'fhir/r4.js';
import { canonicalReference, conditionalReference, logicalReference } from '../core/fhir/address.ts';
import type { PlacedEntry } from '../core/fhir/bundle.ts';
import type { Deletion } from '../core/fhir/deletion.ts';
import { isObject } from '../core/fhir/is-object.ts';
import type { OwnServer } from '../core/fhir/own-server.ts';
import { ReferenceIndex } from '../core/fhir/reference-index.ts';
import { canonicalSystem } from '../core/fhir/systems.ts';
import {
  type Deleted,
  type DeletedSlot,
  deletedOf,
  type FoundDeletion,
  deletionOf as ownDeletionOf,
  type PlacedDeletion,
} from './deletions.ts';
import { groupByPatient, type PatientGroup } from './groups.ts';
import type { Place } from './outcome.ts';
import { type Repeats, withoutRepeats } from './repeats.ts';
import { type Servers, serversOf } from './servers.ts';
import { type Slot, slotOf } from './slot.ts';

/** What other pools may take from one. */
export interface SharedPool {
  /**
   * Resources about nobody (practitioners, organizations, medications) that a reference of a resource at `base` may
   * mean.
   */
  supporting(reference: unknown, base: string | undefined): readonly Slot[];
  /** One of the same, if its server did not matter: to say what was passed over. */
  namesake(reference: unknown): Namesake | undefined;
  /** The PractitionerRoles that name a practitioner; `base`: of the server that the practitioner is at. */
  rolesOf(practitioner: Slot, base?: string): readonly Slot[];
  /** What says that a resource was deleted. */
  deletionOf(slot: Slot): FoundDeletion | undefined;
}

/** A resource that a reference names, wherever it is. */
export interface Namesake {
  readonly slot: Slot;
  /** The server of what has no address where the resource stands. */
  readonly own: OwnServer | undefined;
}

/**
 * Resources that belong together and may refer to each other: one chart, or all single resources and lines of one
 * folder. It keeps where each resource stands, not the resource, so that an export larger than memory can be grouped by
 * patient.
 */
export interface Pool extends SharedPool {
  add(entry: PlacedEntry, place: Place, load: () => PlacedEntry, isElsewhere?: boolean): void;
  /** Adds what is said to be deleted. */
  delete(deletion: Deletion, place: Place): void;
  /** Ends the adding; of what stands twice one is kept, or none, and of what was deleted none. */
  close(): PoolFacts;
  /** One group per patient that has a medication order, in the order of the input. */
  groups(): readonly PatientGroup[];
  /** The orders being written that a CDS Hooks request names. */
  readonly drafts: ReadonlySet<string>;
  /** The server of what has no address; undefined where none is named. */
  readonly own: OwnServer | undefined;
}

export interface PoolFacts extends Repeats, Deleted {
  readonly patients: number;
}

export interface PoolOptions {
  /**
   * Asked for supporting resources that this pool does not hold itself; a patient's own data is never taken from
   * another pool.
   */
  readonly shared?: SharedPool;
  readonly drafts?: ReadonlySet<string>;
  /** Of the whole, when this is a part of it; else what its own addresses say. */
  readonly servers?: Servers | undefined;
}

export function createPool({ shared, drafts = new Set(), servers }: PoolOptions = {}): Pool {
  const added: Slot[] = [];
  const deletions: PlacedDeletion[] = [];
  let closed: ClosedPool | undefined;
  const pool = (): ClosedPool => {
    closed ??= closePool(added, servers ?? serversOf(added), deletionOf);
    return closed;
  };
  const deletionOf = (slot: Slot, servers: Servers) => {
    const found = [ownDeletionOf(slot, deletions, servers), shared?.deletionOf(slot)];
    return found.find((one) => one?.unclear.length === 0) ?? found.find((one) => one !== undefined);
  };
  return {
    drafts,
    get own() {
      return pool().servers.own;
    },
    add: (entry, place, load, isElsewhere) => void added.push(slotOf(entry, place, load, isElsewhere)),
    delete: (deletion, place) => void deletions.push({ deletion, place }),
    deletionOf: (slot) => deletionOf(slot, pool().servers),
    close: () => pool().facts,
    groups: () => pool().groups,
    supporting: (reference, base) => {
      // most pools have the patients of a part alone
      const own = pool().supporting?.candidates(reference, base) ?? none;
      if (own.length > 0 || shared === undefined) return own;
      // outside of this pool it has to be said which server is meant
      return shared.supporting(reference, base ?? pool().servers.own?.base);
    },
    namesake: (reference) => {
      const [slot] = pool().supporting?.namesakes(reference) ?? none;
      return slot === undefined ? shared?.namesake(reference) : { slot, own: pool().servers.own };
    },
    rolesOf: (practitioner) => {
      const own = pool().roles.size === 0 ? none : rolesNaming(pool(), practitioner);
      const others = shared?.rolesOf(practitioner, practitioner.base ?? pool().servers.own?.base) ?? none;
      return own.length === 0 ? others : [...own, ...others];
    },
  };
}

interface ClosedPool {
  readonly facts: PoolFacts;
  readonly groups: readonly PatientGroup[];
  /** Of what is about nobody, if there is any. */
  readonly supporting?: ReferenceIndex<Slot>;
  /** By the spelling of the reference to their practitioner. */
  readonly roles: ReadonlyMap<string, readonly Slot[]>;
  readonly servers: Servers;
}

function closePool(
  added: readonly Slot[],
  servers: Servers,
  deletionOf: (slot: Slot, servers: Servers) => FoundDeletion | undefined,
): ClosedPool {
  const once = withoutRepeats(added, servers.spelled);
  const { deleted, maybeDeleted } = deletedOf(once.kept, (slot) => deletionOf(slot, servers));
  const kept = { ...once, kept: without(once.kept, deleted), deleted, maybeDeleted };
  const others = kept.kept.filter(({ isPersonal }) => !isPersonal);
  return {
    facts: {
      ...kept.facts,
      deleted,
      maybeDeleted,
      patients: kept.kept.filter(({ type }) => type === 'Patient').length,
    },
    groups: groupByPatient(kept, servers),
    ...(others.length === 0 ? {} : { supporting: new ReferenceIndex(others, servers.compared) }),
    roles: Map.groupBy(
      others.filter(({ type }) => type === 'PractitionerRole'),
      (role) => practitionerOf(role, servers),
    ),
    servers,
  };
}

const none: readonly never[] = [];

/** What of a pool its server still has. */
export function without(slots: readonly Slot[], deleted: readonly DeletedSlot[]): readonly Slot[] {
  if (deleted.length === 0) return slots;
  const gone = new Set(deleted.map(({ slot }) => slot));
  return slots.filter((slot) => !gone.has(slot));
}

// Not by the reference index: where systems give everybody the same identifier, a role that names one would be
// everybody's.
export function rolesNaming(
  { roles, servers }: { readonly roles: Pick<ClosedPool['roles'], 'get'>; readonly servers: Servers },
  practitioner: Slot,
  base = practitioner.base,
): readonly Slot[] {
  const names = new Set([
    servers.spelled(canonicalReference(practitioner.key, base)),
    ...(base === undefined ? [practitioner.name] : []),
    ...practitioner.identifiers().map(token),
  ]);
  return [...names].flatMap((name) => roles.get(name) ?? []);
}

/** How the practitioner of a PractitionerRole is named. */
export function practitionerOf({ practitioner, base }: Slot, { spelled }: Servers): string {
  const text = isObject(practitioner) ? practitioner.reference : practitioner;
  const logical = typeof text === 'string' ? conditionalReference(text) : logicalReference(practitioner);
  if (logical !== undefined) return token(logical.identifier);
  return typeof text === 'string' ? spelled(canonicalReference(text, base)) : '';
}

function token({ system = '', value = '' }: Identifier): string {
  return `${canonicalSystem(system)}|${value.trim()}`;
}
