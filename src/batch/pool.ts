import type { Identifier } from 'fhir/r4.js';
import { canonicalReference, conditionalReference, logicalReference } from '../core/fhir/address.ts';
import { canonicalSystem } from '../core/fhir/codes/systems.ts';
import { isObject } from '../core/fhir/is-object.ts';
import type { OwnServer } from '../core/fhir/references/own-server.ts';
import { ReferenceIndex } from '../core/fhir/references/reference-index.ts';
import type { RefusalByStatus } from '../core/roles/refusal-by-status.ts';
import type { ParsedDocument } from './document.ts';
import { groupByPatient, type PatientGroup } from './groups.ts';
import type { InputPlace } from './report/order-outcome.ts';
import { type Servers, serversFrom, serversOf } from './servers.ts';
import { type Slot, slotOf } from './slot.ts';
import {
  deletionOf,
  type FoundDeletion,
  type PlacedDeletion,
  type Remaining,
  remainingOf,
} from './unused-resources.ts';

/** The resources that a pool shares with other pools. */
export interface SharedPool {
  /**
   * Resources that belong to no patient (practitioners, organizations, medications) that a reference of a resource at
   * `base` may refer to.
   */
  supporting(reference: unknown, base: string | undefined): readonly Slot[];
  /** A match that ignores the server, to report what was left out. */
  namesake(reference: unknown): Namesake | undefined;
  /** The PractitionerRoles that refer to a practitioner; `base`: the practitioner's server. */
  rolesOf(practitioner: Slot, base?: string): readonly Slot[];
  deletionOf(slot: Slot): FoundDeletion | undefined;
}

export interface Namesake {
  readonly slot: Slot;
  /** The server of resources that have no address in the input. */
  readonly own: OwnServer | undefined;
}

export interface PoolOptions {
  /**
   * Queried for supporting resources that this pool does not have; a patient's own data is never taken from another
   * pool.
   */
  readonly shared?: SharedPool | undefined;
  readonly deletions?: readonly PlacedDeletion[];
  readonly drafts?: ReadonlySet<string>;
  /** The servers of the whole pool if this is a part of it; else derived from its own addresses. */
  readonly servers?: Servers | undefined;
}

/**
 * Resources that belong together and may refer to each other: one chart, or all single resources and lines of one
 * folder. It keeps the place of each resource, not the resource, so that an export larger than memory can be grouped by
 * patient. Of repeated resources it uses one or none, and it uses no deleted ones.
 */
export class Pool implements SharedPool {
  readonly content: Remaining;
  /** One group per patient with a medication order, in input order. */
  readonly groups: readonly PatientGroup[];
  readonly drafts: ReadonlySet<string>;
  private readonly shared: SharedPool | undefined;
  private readonly deletions: readonly PlacedDeletion[];
  private readonly servers: Servers;
  /** An index of the resources that belong to no patient; most pools have only the patients of a part. */
  private readonly index: ReferenceIndex<Slot> | undefined;
  /** Keyed by the spelling of the reference to their practitioner. */
  private readonly roles: ReadonlyMap<string, readonly Slot[]>;

  constructor(slots: readonly Slot[], { shared, deletions = [], drafts = new Set(), servers }: PoolOptions = {}) {
    this.shared = shared;
    this.deletions = deletions;
    this.drafts = drafts;
    this.servers = servers ?? serversOf(slots);
    this.content = remainingOf(slots, this.servers.spelled, (slot) => this.deletionOf(slot));
    this.groups = groupByPatient(this.content, this.servers);
    const others = this.content.used.filter(({ isPersonal }) => !isPersonal);
    this.index = others.length === 0 ? undefined : new ReferenceIndex(others, this.servers.compared);
    this.roles = Map.groupBy(
      others.filter(({ type }) => type === 'PractitionerRole'),
      (role) => practitionerOf(role, this.servers),
    );
  }

  get patients(): number {
    return this.content.used.filter(({ type }) => type === 'Patient').length;
  }

  /** The server of resources without an address; undefined if none is stated. */
  get own(): OwnServer | undefined {
    return this.servers.own;
  }

  supporting(reference: unknown, base: string | undefined): readonly Slot[] {
    const own = this.index?.candidates(reference, base) ?? none;
    if (own.length > 0 || this.shared === undefined) return own;
    // outside of this pool the server must be stated
    return this.shared.supporting(reference, base ?? this.own?.base);
  }

  namesake(reference: unknown): Namesake | undefined {
    const [slot] = this.index?.namesakes(reference) ?? none;
    return slot === undefined ? this.shared?.namesake(reference) : { slot, own: this.own };
  }

  rolesOf(practitioner: Slot, base = practitioner.base): readonly Slot[] {
    const { roles, shared, servers } = this;
    const names = roles.size === 0 ? none : practitionerNames(practitioner, base, servers);
    const others = shared?.rolesOf(practitioner, base ?? this.own?.base) ?? none;
    return [...names.flatMap((name) => roles.get(name) ?? none), ...others];
  }

  deletionOf(slot: Slot): FoundDeletion | undefined {
    const found = [deletionOf(slot, this.deletions, this.servers), this.shared?.deletionOf(slot)];
    return found.find((one) => one?.unclear.length === 0) ?? found.find((one) => one !== undefined);
  }
}

const none: readonly never[] = [];

export function poolOf(
  { entries, deletions, drafts, server }: ParsedDocument,
  at: InputPlace,
  shared?: SharedPool,
  refusalOf?: RefusalByStatus,
): Pool {
  return new Pool(
    entries.map((entry) => {
      const refusal = drafts.size === 0 ? refusalOf?.(entry.resource) : undefined;
      return slotOf(entry, { place: { ...at, path: entry.path }, load: () => entry, refusal });
    }),
    {
      shared,
      deletions: deletions.map((deletion) => ({ deletion, place: { ...at, path: deletion.path } })),
      drafts,
      servers: server === undefined ? undefined : serversFrom([server]),
    },
  );
}

/**
 * The keys under which roles may refer to a practitioner. The reference index is not used: if a system gives everybody
 * the same identifier, a role with that identifier would belong to everybody.
 */
export function practitionerNames(
  practitioner: Slot,
  base: string | undefined,
  { spelled }: Pick<Servers, 'spelled'>,
): string[] {
  const names = [
    spelled(canonicalReference(practitioner.key, base)),
    ...(base === undefined ? [practitioner.name] : []),
    ...practitioner.identifiers().map(token),
  ];
  return [...new Set(names)];
}

export function practitionerOf({ practitioner, base }: Slot, { spelled }: Pick<Servers, 'spelled'>): string {
  const text = isObject(practitioner) ? practitioner.reference : practitioner;
  const logical = typeof text === 'string' ? conditionalReference(text) : logicalReference(practitioner);
  if (logical !== undefined) return token(logical.identifier);
  return typeof text === 'string' ? spelled(canonicalReference(text, base)) : '';
}

function token({ system = '', value = '' }: Identifier): string {
  return `${canonicalSystem(system)}|${value.trim()}`;
}
