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

/** What a pool gives to other pools. */
export interface SharedPool {
  /**
   * Returns the resources that belong to no patient (practitioners, organizations, medications) to which a reference
   * may refer. `base`: the server of the resource with the reference.
   */
  supporting(reference: unknown, base: string | undefined): readonly Slot[];
  /** Finds a match on any server, to report what was left out. */
  namesake(reference: unknown): Namesake | undefined;
  /** The PractitionerRoles that refer to a practitioner. `base`: the practitioner's server. */
  rolesOf(practitioner: Slot, base?: string): readonly Slot[];
  deletionOf(slot: Slot): FoundDeletion | undefined;
}

export interface Namesake {
  readonly slot: Slot;
  /** The server of resources that have no URL in the input. */
  readonly own: OwnServer | undefined;
}

export interface PoolOptions {
  /**
   * Asked for supporting resources that this pool does not have. A patient's own data never comes from another pool.
   */
  readonly shared?: SharedPool | undefined;
  readonly deletions?: readonly PlacedDeletion[];
  readonly drafts?: ReadonlySet<string>;
  /** The servers of the whole pool, if this is a part of it; by default, the servers in the resources' own URLs. */
  readonly servers?: Servers | undefined;
}

/**
 * Resources that may refer to each other: one chart, or all single resources and lines of a folder. A pool stores the
 * place of each resource and not the resource itself, so that an export larger than memory can be grouped by patient.
 * Deleted resources are not used. Of repeated resources, at most one is used.
 */
export class Pool implements SharedPool {
  readonly content: Remaining;
  /** One group per patient with a medication order, in input order. */
  readonly groups: readonly PatientGroup[];
  readonly drafts: ReadonlySet<string>;
  private readonly shared: SharedPool | undefined;
  private readonly deletions: readonly PlacedDeletion[];
  private readonly servers: Servers;
  /** An index of resources that belong to no patient. Most pools have only the patients of a part, and no index. */
  private readonly index: ReferenceIndex<Slot> | undefined;
  /** Keyed by the pool's spelling of the reference to the practitioner. */
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

  /** The server of resources without a URL; undefined if none is known. */
  get own(): OwnServer | undefined {
    return this.servers.own;
  }

  supporting(reference: unknown, base: string | undefined): readonly Slot[] {
    const own = this.index?.candidates(reference, base) ?? none;
    if (own.length > 0 || this.shared === undefined) return own;
    // in another pool, a reference without a server would be ambiguous
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
 * Returns the keys under which roles may refer to a practitioner. The reference index is not used: if a system gives
 * everybody the same identifier, a role with that identifier would belong to everybody.
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
