import { baseOf } from '../core/fhir/address.ts';
import { deletionFrom, isOneServer } from './deletions.ts';
import { forEachRecord, keyOffset, kindAt, type ResourceRecord, recordAt, recordKinds } from './records.ts';
import { type ServerFacts, serversFrom } from './servers.ts';
import { readSpilled, type Spilled } from './spill.ts';

/** The deletions among these records that name none of the resources among them. */
export function idleDeletions(spilled: readonly Spilled[], bases: ServerFacts): readonly ResourceRecord[] {
  const idle = new Map<number, ResourceRecord[]>();
  forEach(spilled, (bytes, at) => {
    if (kindAt(bytes, at) !== recordKinds.deletion) return;
    const record = recordAt(bytes, at);
    // without a mark: of a type that nobody reads
    if (record.key !== 0) idle.set(record.key, [...(idle.get(record.key) ?? []), record]);
  });
  const servers = serversFrom(bases);
  forEach(spilled, (bytes, at) => {
    const named = kindAt(bytes, at) === recordKinds.deletion ? undefined : idle.get(bytes.readDoubleLE(at + keyOffset));
    if (named === undefined) return;
    const { key, fullUrl } = recordAt(bytes, at);
    const base = baseOf(fullUrl);
    const others = named.filter((record) => !isOneServer(baseOf(deletionFrom(record).reference), base, servers));
    if (others.length === 0) idle.delete(key);
    else idle.set(key, others);
  });
  return [...idle.values()].flat();
}

function forEach(spilled: readonly Spilled[], see: (bytes: Buffer, at: number) => void): void {
  for (const one of spilled) {
    const bytes = readSpilled(one);
    forEachRecord(bytes, (at) => see(bytes, at));
  }
}
