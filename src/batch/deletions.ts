import { addressOf } from '../core/fhir/address.ts';
import { type Deletion, isDeletedBy } from '../core/fhir/deletion.ts';
import { type Place, placeWords } from './outcome.ts';
import type { Servers } from './servers.ts';
import type { Slot } from './slot.ts';

/** A deletion and where it stood. */
export interface PlacedDeletion {
  readonly deletion: Deletion;
  readonly place: Place;
}

/** A resource of which something says that its server has it no more. */
export interface DeletedSlot extends FoundDeletion {
  readonly slot: Slot;
}

/** How a record keeps a deletion: it is too short to be read again. */
export function deletionText({ reference, lastUpdated, versionId }: Deletion): string {
  return JSON.stringify([reference, lastUpdated, versionId]);
}

/** The deletion of a record. */
export function deletionFrom({ fullUrl, path }: { readonly fullUrl: string; readonly path: string }): Deletion {
  const [reference = '', lastUpdated, versionId] = JSON.parse(fullUrl) as (string | null)[]; // written above
  return {
    reference: reference ?? '',
    path,
    ...(typeof lastUpdated === 'string' ? { lastUpdated } : {}),
    ...(typeof versionId === 'string' ? { versionId } : {}),
  };
}

/** What says of a resource that it was deleted. */
export interface FoundDeletion {
  readonly by: Place;
  /** It has no address, and there are several servers whose resource it could mean: they are named. */
  readonly unclear: readonly string[];
}

/** Whether what stands at two base URLs may be of one server: where several are named, what has none is of any. */
export function isOneServer(
  one: string | undefined,
  other: string | undefined,
  { compared }: Pick<Servers, 'compared'>,
): boolean {
  const isOpen = one === undefined || other === undefined;
  return (isOpen && compared.several.length > 0) || compared.isSame(one, other);
}

/** The one of these deletions that is of a resource; one that is certainly of it before one that may be. */
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

/** What deletions say of the resources of a pool. */
export interface Deleted {
  readonly deleted: readonly DeletedSlot[];
  /** Used, although a deletion without an address may be of them. */
  readonly maybeDeleted: readonly DeletedSlot[];
}

export function deletedOf(slots: readonly Slot[], deletionOf: (slot: Slot) => FoundDeletion | undefined): Deleted {
  const found = slots.flatMap((slot) => {
    const deletion = deletionOf(slot);
    return deletion === undefined ? [] : { slot, ...deletion };
  });
  if (found.length === 0) return { deleted: none, maybeDeleted: none };
  const isCertain = ({ unclear }: DeletedSlot) => unclear.length === 0;
  return { deleted: found.filter(isCertain), maybeDeleted: found.filter((one) => !isCertain(one)) };
}

const none: readonly never[] = [];

/** What is said of a resource that is used although a deletion may be of it. */
export function maybeDeletedText({ slot, by, unclear }: DeletedSlot): string {
  return (
    `${slot.name} may have been deleted: the deletion (${placeWords(by)}) is without an address, and the input names ` +
    `several servers (${unclear.join(', ')})`
  );
}
