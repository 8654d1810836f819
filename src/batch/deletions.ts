import { addressOf } from '../fhir/address.ts';
import { type Deletion, isDeletedBy } from '../fhir/deletion.ts';
import type { Place } from './outcome.ts';
import type { Slot } from './slot.ts';

/** A deletion and where it stood. */
export interface PlacedDeletion {
  readonly deletion: Deletion;
  readonly place: Place;
}

/** A resource that is not used, since its server has it no more. */
export interface DeletedSlot {
  readonly slot: Slot;
  /** Where that is said. */
  readonly by: Place;
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

/** The one of these deletions that is of a resource; `spelled` spells a key as the pool spells it. */
export function deletionOf(
  slot: Slot,
  deletions: readonly PlacedDeletion[],
  spelled: (key: string) => string,
): PlacedDeletion | undefined {
  if (deletions.length === 0 || slot.id === undefined) return undefined;
  const key = spelled(slot.key);
  return deletions.find(
    ({ deletion }) =>
      addressOf(deletion.reference)?.type === slot.type &&
      spelled(deletion.reference) === key &&
      isDeletedBy(deletion, slot.version),
  );
}
