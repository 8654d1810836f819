import { MarkNumbers } from './mark-numbers.ts';
import { type ResourceRecord, readRecords } from './records.ts';

/** The records of a part, and what is known of all of them. */
export interface PartRecords {
  /** In the order of the input, those that belong to another part among them. */
  readonly records: readonly ResourceRecord[];
  /** Those that belong to another part. */
  readonly elsewhere: ReadonlySet<ResourceRecord>;
  /** Keys that stand twice. */
  readonly twice: ReadonlySet<number>;
  /** Whether one resource may stand under two patients. */
  readonly isAnyShared: boolean;
}

/** The records of a part from its own bytes and from those of records elsewhere that have a name of this part. */
export function recordsOfPart(own: Buffer, elsewhere: Buffer): PartRecords {
  const others = readRecords(elsewhere);
  const records = inOrder(readRecords(own), others);
  const owners = new Map<number, number>();
  const twice = new Set<number>();
  let isAnyShared = others.length > 0;
  for (const { owner, key } of records) {
    const known = owners.get(key);
    if (known === undefined) owners.set(key, owner);
    else twice.add(key);
    isAnyShared ||= known !== undefined && known !== owner;
  }
  return { records, elsewhere: new Set(others), twice, isAnyShared };
}

/** Both lists are in the order of the input. */
function inOrder(own: readonly ResourceRecord[], others: readonly ResourceRecord[]): readonly ResourceRecord[] {
  if (others.length === 0) return own;
  const merged: ResourceRecord[] = [];
  let next = 0;
  for (const record of own) {
    for (let other = others[next]; other !== undefined && isBefore(other, record); other = others[next]) {
      merged.push(other);
      next += 1;
    }
    merged.push(record);
  }
  return [...merged, ...others.slice(next)];
}

function isBefore(one: ResourceRecord, other: ResourceRecord): boolean {
  return one.piece < other.piece || (one.piece === other.piece && one.offset < other.offset);
}

/** Patients whose resources are parsed at once: what is new to V8 and soon gone costs it little. */
const patientsAtOnce = 64;

/**
 * The records of some patients at a time, as they are first met; of all of them where one resource may stand under two.
 */
export function someAtOnce({ records, isAnyShared }: PartRecords): readonly (readonly ResourceRecord[])[] {
  if (isAnyShared) return [records];
  const patients = new MarkNumbers();
  const some: ResourceRecord[][] = [];
  for (const record of records) {
    const at = record.owner === 0 ? 0 : Math.floor(patients.of(record.owner) / patientsAtOnce);
    const together = some[at];
    if (together === undefined) some[at] = [record];
    else together.push(record);
  }
  return some;
}
