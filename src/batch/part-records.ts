import { MarkNumbers } from './mark-numbers.ts';
import { type ResourceRecord, readRecords } from './records.ts';

/** A record as a part of a folder holds it. */
export interface PartRecord extends ResourceRecord {
  /** It belongs to another part. */
  readonly isElsewhere: boolean;
}

/** Patients whose resources are parsed at once: what is new to V8 and soon gone costs it little. */
const patientsAtOnce = 64;

/** The records of a part and those that belong to another one, in the order of the input. */
export function recordsOfPart(own: Buffer, elsewhere: Buffer): readonly PartRecord[] {
  return [...inOrder(own, elsewhere)];
}

function* inOrder(own: Buffer, elsewhere: Buffer): Generator<PartRecord> {
  const others = readRecords(elsewhere);
  let next = others.next();
  for (const record of readRecords(own)) {
    for (; next.done !== true && isBefore(next.value, record); next = others.next())
      yield { ...next.value, isElsewhere: true };
    yield { ...record, isElsewhere: false };
  }
  for (; next.done !== true; next = others.next()) yield { ...next.value, isElsewhere: true };
}

function isBefore(one: ResourceRecord, other: ResourceRecord): boolean {
  return one.piece < other.piece || (one.piece === other.piece && one.offset < other.offset);
}

/**
 * The records of some patients at a time, as they are first met; of all of them where one resource may stand under two.
 */
export function someAtOnce(records: readonly PartRecord[]): readonly (readonly PartRecord[])[] {
  if (isAnyShared(records)) return [records];
  const patients = new MarkNumbers();
  const some = ({ owner }: PartRecord) => (owner === 0 ? 0 : Math.floor(patients.of(owner) / patientsAtOnce));
  return [...Map.groupBy(records, some).values()];
}

function isAnyShared(records: readonly PartRecord[]): boolean {
  const owners = new Map<number, number>();
  return records.some(({ owner, key, isElsewhere }) => {
    const known = owners.get(key) ?? owner;
    owners.set(key, owner);
    return isElsewhere || (key !== 0 && known !== owner);
  });
}
