import {
  addressOf,
  baseOf,
  conditionalReference,
  logicalReference,
  plainAddress,
  textAlone,
} from '../core/fhir/address.ts';
import type { PlacedEntry } from '../core/fhir/bundle.ts';
import type { Deletion } from '../core/fhir/deletion.ts';
import { isObject } from '../core/fhir/is-object.ts';
import { type Namesake, Pool, practitionerNames, type SharedPool } from './pool.ts';
import type { InputPlace } from './report/order-outcome.ts';
import type { Kept, StoreReader } from './resource-store.ts';
import { isOneServer, type Servers } from './servers.ts';
import { personalTypes, type Slot, tailOf } from './slot.ts';
import { deletionOf, type FoundDeletion, type PlacedDeletion, type Remaining } from './unused-resources.ts';

export interface SupportingWork {
  readonly store: StoreReader;
  readonly servers: Servers;
  readonly facts: { readonly hasDeletions: boolean };
  slotOf(kept: Kept): Slot;
  placeOf(kept: Kept): InputPlace;
}

/**
 * Bytes of JSON and number of slots to cache. That is enough for the 20,000 practitioners and roles of a hospital with
 * a million patients. Parsed resources take several times the memory of their JSON.
 */
const keptBytes = 32 << 20;
const keptSlots = 1 << 16;

/**
 * The resources of a folder that belong to no patient: practitioners, organizations, medications. There may be
 * millions, so only those that a reference may mean are read from the store, into a pool.
 */
export class StoredPool implements SharedPool {
  /** What is used of repeated or possibly deleted resources. */
  readonly content: Remaining;
  private readonly slots = new Map<number, Slot>();
  private bytes = 0;
  /** The same few practitioners are referenced again and again. */
  private readonly answers = new Map<string, readonly Slot[]>();
  /** A weak map, since its practitioners of other pools must be dropped with their charts. */
  private roles = new WeakMap<Slot, readonly Slot[]>();
  private readonly dropped = new Set<number>();

  constructor(private readonly work: SupportingWork) {
    const disputed = new Map(work.store.disputed().map((row) => [this.slotAt(row), row]));
    const { content } = new Pool([...disputed.keys()], { servers: work.servers, shared: this });
    for (const slot of content.used) disputed.delete(slot);
    for (const row of disputed.values()) this.dropped.add(row);
    this.content = content;
  }

  supporting(reference: unknown, base: string | undefined): readonly Slot[] {
    const text = textAlone(reference);
    if (text !== undefined && isToPersonal(text)) return none;
    const key = text === undefined ? undefined : `${base ?? ''} ${text}`;
    const known = key === undefined ? undefined : this.answers.get(key);
    if (known !== undefined) return known;
    const answer = this.meantBy(reference).supporting(reference, base);
    if (key !== undefined) this.answers.set(key, answer);
    return answer;
  }

  namesake(reference: unknown): Namesake | undefined {
    const text = textAlone(reference);
    return text !== undefined && isToPersonal(text) ? undefined : this.meantBy(reference).namesake(reference);
  }

  rolesOf(practitioner: Slot, base = practitioner.base): readonly Slot[] {
    const { servers, store } = this.work;
    const find = () => {
      const rows = practitionerNames(practitioner, base, servers).flatMap((name) => store.named('role', tailOf(name)));
      return this.poolOf(rows).rolesOf(practitioner, base);
    };
    const roles = this.roles.get(practitioner) ?? find();
    this.roles.set(practitioner, roles);
    return roles;
  }

  /**
   * Called before the next patient. Slots may be dropped and read again then, but not while they are compared.
   */
  trim(): void {
    if (Math.max(this.slots.size, this.answers.size) <= keptSlots && this.bytes <= keptBytes) return;
    for (const kept of [this.slots, this.answers]) kept.clear();
    this.roles = new WeakMap();
    this.bytes = 0;
  }

  deletionOf(slot: Slot): FoundDeletion | undefined {
    if (!this.work.facts.hasDeletions || slot.id === undefined) return undefined;
    return deletionOf(slot, this.deletionsOf(slot.id), this.work.servers);
  }

  /** Returns the places of deletions that name a resource of a chart, in any version. */
  deletionsNaming({ resource: { resourceType, id = '' }, fullUrl }: PlacedEntry): readonly InputPlace[] {
    return this.deletionsOf(id).flatMap(({ deletion, place }) => {
      const named = addressOf(deletion.reference);
      const isNamed = named?.type === resourceType && isOneServer(named.base, baseOf(fullUrl), this.work.servers);
      return isNamed ? place : [];
    });
  }

  private deletionsOf(id: string): readonly PlacedDeletion[] {
    const { work } = this;
    return work.store.named('deletion', tailOf(id)).map((row) => {
      const kept = work.store.at(row);
      return { deletion: JSON.parse(kept.deletion ?? '') as Deletion, place: work.placeOf(kept) }; // the scan wrote it
    });
  }

  private meantBy(reference: unknown): Pool {
    const { store } = this.work;
    const text = isObject(reference) ? reference.reference : reference;
    const conditional = typeof text === 'string' ? conditionalReference(text) : undefined;
    const plain = typeof text === 'string' && conditional === undefined ? plainAddress(text) : '';
    const tails = new Set([plain, addressOf(plain)?.id ?? ''].map(tailOf));
    tails.delete('');
    const values = [conditional, logicalReference(reference)].flatMap((logical) => logical?.identifier.value ?? []);
    return this.poolOf([
      ...[...tails].flatMap((tail) => store.named('name', tail)),
      ...values.flatMap((value) => store.named('identifier', value)),
    ]);
  }

  private poolOf(rows: readonly number[]): Pool {
    const used = [...new Set(rows)].filter((row) => !this.dropped.has(row)).sort((one, other) => one - other);
    return new Pool(
      used.map((row) => this.slotAt(row)),
      { servers: this.work.servers },
    );
  }

  private slotAt(row: number): Slot {
    const known = this.slots.get(row);
    if (known !== undefined) return known;
    const kept = this.work.store.at(row);
    const slot = this.work.slotOf(kept);
    this.bytes += kept.length;
    this.slots.set(row, slot);
    return slot;
  }
}

const none: readonly never[] = [];

/** Whether a relative reference has a type that always belongs to one patient. */
function isToPersonal(text: string): boolean {
  const type = text.slice(0, Math.max(0, text.indexOf('/')));
  return type === 'Patient' || personalTypes.has(type);
}
