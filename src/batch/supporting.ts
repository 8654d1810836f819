import {
  addressOf,
  baseOf,
  conditionalReference,
  logicalReference,
  plainAddress,
  textAlone,
} from '../core/fhir/address.ts';
import type { PlacedEntry } from '../core/fhir/bundle.ts';
import { isObject } from '../core/fhir/is-object.ts';
import { ReferenceIndex } from '../core/fhir/reference-index.ts';
import {
  deletedOf,
  deletionFrom,
  deletionOf,
  type FoundDeletion,
  isOneServer,
  type PlacedDeletion,
} from './deletions.ts';
import { LastRead } from './last-read.ts';
import { MarkIndex } from './mark-index.ts';
import type { Place } from './outcome.ts';
import {
  type Namesake,
  type Pool,
  type PoolFacts,
  practitionerOf,
  rolesNaming,
  type SharedPool,
  without,
} from './pool.ts';
import { changed } from './read-part.ts';
import type { RecordReader } from './record-reader.ts';
import { type ResourceRecord, recordKinds } from './records.ts';
import { contentDigest, withoutRepeats } from './repeats.ts';
import type { Servers } from './servers.ts';
import { personalTypes, type Slot, slotOf } from './slot.ts';

export interface SupportingWork {
  readonly records: RecordReader;
  readonly servers: Servers;
  /** Reads a resource; undefined when it cannot be read. */
  readonly read: (record: ResourceRecord) => PlacedEntry | undefined;
  readonly placeOf: (record: ResourceRecord) => Place;
}

/** The pool of what stands in a folder about nobody: practitioners, organizations, medications. */
export interface Supporting extends SharedPool, Pick<Pool, 'close' | 'groups'> {
  /** Where deletions stand that name a resource of a chart, of whatever version. */
  deletionsNaming(entry: PlacedEntry): readonly Place[];
  /** Before another patient: slots that were handed out may be made anew. */
  trim(): void;
  /** Ends all reading. */
  end(): void;
}

/**
 * Of resources that were read last. They hold the 20,000 practitioners, and their roles, of a hospital with a million
 * patients (half of `keptBytes` is always kept): those are seen in any order, so that what was let go is what the next
 * patient needs. Parsed they take several times the memory of their JSON.
 */
const keptBytes = 32 << 20;
const keptSlots = 1 << 16;

/**
 * Of millions of resources only marks of their names are kept, some twenty bytes for each, since every thread has this
 * pool of its own. Those that a reference may mean are read again, and which of them it means is decided as in every
 * other pool.
 */
export function createSupporting(work: SupportingWork): Supporting {
  return new MarkedPool(work);
}

class MarkedPool implements Supporting {
  private readonly names = new MarkIndex();
  private readonly identifiers = new MarkIndex();
  /** PractitionerRoles by their practitioner. */
  private readonly roles = new MarkIndex();
  private readonly last = new LastRead<PlacedEntry>(keptBytes);
  private readonly slots = new Map<number, Slot>();
  /** What was asked last and answered from the slots: the same few practitioners are referred to again and again. */
  private readonly answers = new Map<string | undefined, Map<string, readonly Slot[]>>();
  private answered = 0;
  /** Weakly: practitioners of other pools are asked about too, and each is gone with its chart. */
  private rolesKnown = new WeakMap<Slot, readonly Slot[]>();
  private readonly facts: PoolFacts;
  /** Resources that are said to be deleted, of any type, by the ids in their addresses. */
  private readonly deletions = new MarkIndex();
  private hasDeletions = false;

  constructor(private readonly work: SupportingWork) {
    for (const { at, record } of work.records.all()) this.add(at, record);
    const indexes = [this.names, this.identifiers, this.roles];
    for (const index of [...indexes, this.deletions]) index.end();
    const { dropped, facts } = this.repeats();
    if (dropped.size > 0) for (const index of indexes) index.remove(dropped);
    this.facts = facts;
  }

  close(): PoolFacts {
    return this.facts;
  }

  groups(): readonly [] {
    return [];
  }

  supporting(reference: unknown, base: string | undefined): readonly Slot[] {
    const text = textAlone(reference);
    if (text !== undefined && isToPersonal(text)) return none;
    const known = text === undefined ? undefined : this.answers.get(base)?.get(text);
    if (known !== undefined) return known;
    const places = this.placesOf(reference);
    if (places.length === 0) return none;
    const slots = places.map((at) => this.slotAt(at)).filter(({ isPersonal }) => !isPersonal);
    const answer = new ReferenceIndex(slots, this.work.servers.compared).candidates(reference, base);
    if (text !== undefined) this.keep(text, base, answer);
    return answer;
  }

  private keep(text: string, base: string | undefined, answer: readonly Slot[]): void {
    const known = this.answers.get(base) ?? new Map<string, readonly Slot[]>();
    this.answers.set(base, known);
    known.set(text, answer);
    this.answered += 1;
  }

  namesake(reference: unknown): Namesake | undefined {
    const { compared, own } = this.work.servers;
    const slots = this.placesOf(reference).map((at) => this.slotAt(at));
    const [slot] = new ReferenceIndex(slots, compared).namesakes(reference);
    return slot === undefined ? undefined : { slot, own };
  }

  rolesOf(practitioner: Slot, base?: string): readonly Slot[] {
    const known = this.rolesKnown.get(practitioner) ?? this.rolesNaming(practitioner, base);
    this.rolesKnown.set(practitioner, known);
    return known;
  }

  private rolesNaming(practitioner: Slot, base: string | undefined): readonly Slot[] {
    const { servers } = this.work;
    const get = (name: string) =>
      this.roles
        .find(name)
        .map((at) => this.slotAt(at))
        .filter((role) => practitionerOf(role, servers) === name);
    return rolesNaming({ roles: { get }, servers }, practitioner, base);
  }

  // Not while a patient's resources are gathered: they are told apart by their slots.
  trim(): void {
    if (Math.max(this.slots.size, this.answered) <= keptSlots) return;
    for (const kept of [this.slots, this.answers]) kept.clear();
    this.rolesKnown = new WeakMap();
    this.answered = 0;
  }

  end(): void {
    this.work.records.close();
  }

  private add(at: number, record: ResourceRecord): void {
    const { read, placeOf, servers } = this.work;
    if (record.kind === recordKinds.deletion) {
      this.hasDeletions = true;
      this.deletions.add(tailOf(deletionFrom(record).reference), at);
      return;
    }
    const entry = read(record);
    if (entry === undefined) return;
    const slot = slotOf(entry, placeOf(record), () => entry);
    if (slot.key === '') this.names.add(contentDigest(slot, servers.spelled), at);
    const tails = new Set([slot.key, slot.id ?? '', slot.fullUrl ?? ''].map(tailOf));
    for (const tail of tails) if (tail !== '') this.names.add(tail, at);
    if (slot.isPersonal) return;
    for (const { value } of slot.identifiers()) if (typeof value === 'string') this.identifiers.add(value.trim(), at);
    if (slot.type === 'PractitionerRole') this.roles.add(practitionerOf(slot, servers), at);
  }

  deletionOf(slot: Slot): FoundDeletion | undefined {
    if (!this.hasDeletions || slot.id === undefined) return undefined;
    return deletionOf(slot, this.deletionsOf(slot.id), this.work.servers);
  }

  deletionsNaming({ resource: { resourceType, id = '' }, fullUrl }: PlacedEntry): readonly Place[] {
    const { servers } = this.work;
    return this.deletionsOf(id).flatMap(({ deletion, place }) => {
      const named = addressOf(deletion.reference);
      const isNamed = named?.type === resourceType && isOneServer(named.base, baseOf(fullUrl), servers);
      return isNamed ? place : [];
    });
  }

  private deletionsOf(id: string): readonly PlacedDeletion[] {
    const { records, placeOf } = this.work;
    const found = this.deletions.find(id).map((at) => records.at(at));
    return found.map((record) => ({ deletion: deletionFrom(record), place: placeOf(record) }));
  }

  /** Resources whose ids something names that was deleted. */
  private maybeDeleted(): readonly number[] {
    if (!this.hasDeletions) return none;
    const found: number[] = [];
    for (const { record } of this.work.records.all()) {
      if (record.kind !== recordKinds.deletion) continue;
      found.push(...this.names.find(tailOf(deletionFrom(record).reference)));
    }
    return found;
  }

  /** Of resources that stand twice, what is not used; what is the same has the same mark in its record too. */
  private repeats(): { readonly dropped: ReadonlySet<number>; readonly facts: PoolFacts } {
    const { records, servers } = this.work;
    const found = new Set<number>();
    for (const places of this.names.several()) {
      const byKey = Map.groupBy(places, (at) => records.at(at).key);
      for (const same of byKey.values()) if (same.length > 1) for (const at of same) found.add(at);
    }
    const places = [...new Set([...found, ...this.maybeDeleted()])].sort((one, other) => one - other);
    const slots = places.map((at) => this.slotAt(at));
    const { kept: once, facts } = withoutRepeats(slots, servers.spelled);
    const { deleted, maybeDeleted } = deletedOf(once, (slot) => this.deletionOf(slot));
    const used = new Set(without(once, deleted));
    const dropped = new Set(slots.flatMap((slot, index) => (used.has(slot) ? [] : (places[index] ?? []))));
    return { dropped, facts: { ...facts, deleted, maybeDeleted, patients: 0 } };
  }

  /** Places of all resources that a reference may mean, in the order of the input. */
  private placesOf(reference: unknown): readonly number[] {
    const text = isObject(reference) ? reference.reference : reference;
    const literal = typeof text === 'string' ? this.placesOfText(text) : [];
    const logical = logicalReference(reference);
    return logical === undefined ? literal : together(literal, this.identifiers.find(logical.identifier.value ?? ''));
  }

  private placesOfText(text: string): readonly number[] {
    const conditional = conditionalReference(text);
    if (conditional !== undefined) return this.identifiers.find(conditional.identifier.value ?? '');
    const plain = plainAddress(text);
    const [name, id] = [tailOf(plain), addressOf(plain)?.id ?? plain].map(tailOf);
    return id === name ? this.names.find(name ?? '') : together(this.names.find(name ?? ''), this.names.find(id ?? ''));
  }

  private slotAt(at: number): Slot {
    const known = this.slots.get(at);
    if (known !== undefined) return known;
    const record = this.work.records.at(at);
    const load = () => this.last.get(at, record.length, () => this.readAgain(record));
    const slot = slotOf(load(), this.work.placeOf(record), load);
    this.slots.set(at, slot);
    return slot;
  }

  private readAgain(record: ResourceRecord): PlacedEntry {
    const entry = this.work.read(record);
    if (entry === undefined) throw changed();
    return entry;
  }
}

const none: readonly never[] = [];

/** Whether a relative reference says itself that it leads to what is about one patient. */
function isToPersonal(text: string): boolean {
  const type = text.slice(0, Math.max(0, text.indexOf('/')));
  return type === 'Patient' || personalTypes.has(type);
}

function together(some: readonly number[], others: readonly number[]): readonly number[] {
  return [...new Set([...some, ...others])].sort((one, other) => one - other);
}

/** What the same name ends with however it is spelled: relative, absolute, as an id alone. */
function tailOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
}
