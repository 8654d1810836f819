import { baseOf, canonicalReference } from '../core/fhir/address.ts';
import { whereText } from '../core/fhir/references/passed-over.ts';
import { ReferenceIndex } from '../core/fhir/references/reference-index.ts';
import type { Servers } from './servers.ts';
import { ownerText, type Slot } from './slot.ts';
import { maybeDeletedText, type Remaining } from './unused-resources.ts';

export interface PatientGroup {
  /** `Patient/1`; undefined for orders that refer to no patient. */
  readonly patient: string | undefined;
  /** Why the patient's own resource cannot be used; absent if it was found. */
  readonly lost?: string;
  readonly orders: readonly Slot[];
  readonly slots: readonly Slot[];
  /**
   * Sentences about resources that were left out, since they refer to a patient with the same id at another server, and
   * about resources that were used although a deletion may name them.
   */
  readonly passedOver: readonly string[];
}

export function groupByPatient(content: Remaining, servers: Servers): readonly PatientGroup[] {
  return new Grouping(content, servers).groups();
}

class Grouping {
  private readonly byName: ReadonlyMap<string, readonly Slot[]>;
  private readonly index: ReferenceIndex<Slot>;
  private readonly gone: ReadonlySet<string>;
  private readonly open: ReadonlyMap<Slot, string>;

  constructor(
    private readonly content: Remaining,
    private readonly servers: Servers,
  ) {
    const patients = content.used.filter(isPatient);
    this.byName = Map.groupBy(patients, ({ name }) => name);
    this.index = new ReferenceIndex(patients, servers.compared);
    this.gone = new Set(
      content.unused.flatMap(({ slot, why }) =>
        why === 'deleted' && isPatient(slot) ? servers.spelled(slot.key) : [],
      ),
    );
    this.open = new Map(content.maybeDeleted.map((one) => [one.slot, `${maybeDeletedText(one)}.`]));
  }

  groups(): readonly PatientGroup[] {
    // Medication orders are grouped first, so that groups are sorted by their first medication order.
    const personal = this.content.used.filter((slot) => slot.isPersonal);
    const inOrder = [...personal.filter(({ isOrder }) => isOrder), ...personal.filter(({ isOrder }) => !isOrder)];
    const groups = [...Map.groupBy(inOrder, (slot) => this.keyOf(slot))];
    const strangers = groups.flatMap(([key, slots]) => this.strangersOf(key, slots));
    return groups.flatMap(([key, slots]): PatientGroup[] => {
      const orders = slots.filter(({ isOrder }) => isOrder);
      if (orders.length === 0) return [];
      if (key === '') return [{ patient: undefined, orders, slots: orders, passedOver: [] }];
      const patient = slots.find(isPatient);
      if (patient === undefined)
        return [{ patient: nameIn(key), lost: this.lossOf(key, slots), orders, slots, passedOver: [] }];
      const passedOver = strangers.flatMap(({ name, text }) => (name === patient.name ? text : []));
      const open = slots.flatMap((slot) => this.open.get(slot) ?? []);
      return [{ patient: patient.name, orders, slots, passedOver: [...passedOver, ...open].sort() }];
    });
  }

  /** Returns an empty text if the patient is identified only by an identifier or a name and is not in the input. */
  private keyOf(slot: Slot): string {
    if (isPatient(slot)) return slot.key;
    return this.index.resolve(slot.owner, slot.base)?.key ?? this.servers.spelled(statedBy(slot));
  }

  /** Resources of a patient who is not in the input, but has the same id as a patient who is. They are left out. */
  private strangersOf(key: string, slots: readonly Slot[]): { readonly name: string; readonly text: string }[] {
    const name = nameIn(key);
    const [first] = slots;
    if (first === undefined || !this.byName.has(name) || slots.some(isPatient)) return [];
    const stated = statedBy(first);
    const isNamed = baseOf(stated) !== undefined;
    const why = isNamed ? `${stated} is not in the input` : `${name} is named ${this.where(noAddress)}`;
    // medication orders are left out here, since each has an outcome of its own
    const types = Map.groupBy(
      slots.filter(({ isOrder }) => !isOrder),
      ({ type }) => type,
    );
    return [...types].map(([type, { length }]) => {
      return { name, text: `${length} ${type} ${length === 1 ? 'was' : 'were'} left out: ${why}.` };
    });
  }

  private lossOf(key: string, slots: readonly Slot[]): string {
    const name = nameIn(key);
    if (this.content.disputed.has(`Patient ${key}`))
      return `${name} stands twice with different content and nothing tells which is newer`;
    if (this.gone.has(key)) return `${name} was deleted`;
    // The same id at another server, or at an unknown server, may be another person.
    const [namesake] = this.byName.get(name) ?? [];
    const [order] = slots;
    if (namesake === undefined || order === undefined) return `${name} is not in the input`;
    const stated = statedBy(order);
    const isAnybodys = baseOf(stated) === undefined && (this.servers.own?.several.length ?? 0) > 0;
    const meant = isAnybodys ? `${stated}, named ${this.where(noAddress)},` : stated;
    const where = this.where(namesake);
    return `${meant} is not in the input; the ${name} that is there is ${where} and was not taken for it`;
  }

  private where(named: Pick<Slot, 'base'>): string {
    return whereText(named, this.servers.own);
  }
}

const noAddress = { base: undefined };

function nameIn(key: string): string {
  return key.split('/').slice(-2).join('/');
}

/** Returns a resource's reference to its patient, with the resource's server. */
function statedBy(slot: Slot): string {
  return canonicalReference(ownerText(slot), slot.base);
}

function isPatient({ type }: Slot): boolean {
  return type === 'Patient';
}
