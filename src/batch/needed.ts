import type { Resource } from 'fhir/r4.js';
import { textAlone } from '../core/fhir/address.ts';
import type { PlacedEntry } from '../core/fhir/bundle.ts';
import { isObject } from '../core/fhir/is-object.ts';
import { ownerOf } from '../core/fhir/owner.ts';
import { hasEnded } from './has-ended.ts';
import type { PartRecords } from './part-records.ts';
import { type ResourceRecord, recordKinds } from './records.ts';

/** The orders of some records, each as it was read or why it cannot be. */
export type ReadOrders = ReadonlyMap<ResourceRecord, PlacedEntry | { readonly reason: string }>;

/** How much of what belongs to a patient is read beside the orders; the higher one holds where two are asked for. */
const needs = { orders: 0, patient: 1, everything: 2 } as const;
type Need = (typeof needs)[keyof typeof needs];

/** What of some records is read. */
export interface Needed {
  /**
   * Whether a record is read: orders and their patients, everything of patients with an order that has not ended, and
   * what there is another of with the same name. With `isFast` also no Patient of whom nothing is told but the name
   * that the ended orders call her by.
   */
  readonly isRead: (record: ResourceRecord) => boolean;
  /** The ended orders of patients of whom nothing else is read, patient by patient, as their first orders come. */
  readonly ended: readonly (readonly EndedRecord[])[];
}

export interface EndedRecord {
  readonly record: ResourceRecord;
  readonly resource: Resource;
  /** `Patient/1` */
  readonly patient: string;
}

export function neededOf(
  orders: ReadOrders,
  { twice, isFast }: Pick<PartRecords, 'twice'> & { readonly isFast: boolean },
): Needed {
  const ofNamed = isFast && !isAnyByIdentifier(orders) ? needs.orders : needs.patient;
  const needOf = new Map<number, Need>();
  for (const [record, entry] of orders) {
    const need = needFor(record, entry, twice.has(record.key) ? needs.patient : ofNamed);
    needOf.set(record.owner, higher(needOf.get(record.owner) ?? need, need));
  }
  const isRead = (record: ResourceRecord): boolean => {
    const { kind, key } = record;
    if (kind === recordKinds.order || twice.has(key)) return true;
    const need = needOf.get(record.owner);
    if (kind !== recordKinds.patient) return need === needs.everything;
    return need !== undefined && (need !== needs.orders || !standsAlone(record));
  };
  return { isRead, ended: endedOf(orders, needOf) };
}

function endedOf(orders: ReadOrders, needOf: ReadonlyMap<number, Need>): readonly (readonly EndedRecord[])[] {
  const byOwner = new Map<number, EndedRecord[]>();
  for (const [record, entry] of orders) {
    if (needOf.get(record.owner) !== needs.orders || !('resource' in entry)) continue;
    const { resource } = entry;
    const ended = { record, resource, patient: subjectText(resource) };
    const known = byOwner.get(record.owner);
    if (known === undefined) byOwner.set(record.owner, [ended]);
    else known.push(ended);
  }
  // Marks only tell what may belong together.
  return [...byOwner.values()].filter((all) => all.every(({ patient }) => patient === all[0]?.patient));
}

function needFor(record: ResourceRecord, entry: PlacedEntry | { readonly reason: string }, ofNamed: Need): Need {
  if (!('resource' in entry) || !hasEnded(entry.resource)) return needs.everything;
  const isNamed = standsAlone(record) && plainSubject.test(subjectText(entry.resource));
  return isNamed ? ofNamed : needs.patient;
}

function subjectText(order: Resource): string {
  return textAlone(ownerOf(order)) ?? '';
}

/** It means the Patient of this id and is her name, whether she is here or not. */
const plainSubject = /^Patient\/[A-Za-z0-9.-]{1,64}$/;

function higher(one: Need, other: Need): Need {
  return one > other ? one : other;
}

/** In a line or document of its own, without an address. */
function standsAlone({ path, fullUrl }: ResourceRecord): boolean {
  return path === '' && fullUrl === '';
}

/** An identifier may lead to any Patient of the part, so that each of them is looked into. */
function isAnyByIdentifier(orders: ReadOrders): boolean {
  for (const entry of orders.values())
    if ('resource' in entry && isObject(ownerOf(entry.resource)?.identifier)) return true;
  return false;
}
