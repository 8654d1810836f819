import { createHash } from 'node:crypto';
import { canonicalReference } from '../core/fhir/address.ts';
import { contentText } from '../core/fhir/same-content.ts';
import { isNewer } from '../core/fhir/version.ts';
import type { Place } from './outcome.ts';
import type { Slot } from './slot.ts';

export interface Repeats {
  /** The same resource with the same content, met again. */
  readonly repeated: readonly { readonly slot: Slot; readonly first: Place }[];
  /** The same resource with other content, and nothing that tells which one is newer: none of them is used. */
  readonly conflicts: readonly { readonly slot: Slot; readonly other: Place }[];
  /** An older version of a resource of which the input holds a newer one. */
  readonly replaced: readonly Slot[];
}

/** What of a pool is used, and what was left out because it stands twice. */
export interface Kept {
  readonly kept: readonly Slot[];
  /** Keys that stand twice with different content. */
  readonly disputed: ReadonlySet<string>;
  readonly facts: Repeats;
}

/** `spelled` spells a key as the pool spells it. */
export function withoutRepeats(added: readonly Slot[], spelled: (key: string) => string): Kept {
  if (isEachOnce(added, spelled)) return { kept: added.filter(isHere), disputed: nothing, facts: noRepeats };
  const digestOf = digests(spelled);
  const first = new Map<string, Slot>();
  const dropped = new Set<Slot>();
  const disputed = new Set<string>();
  const repeated: { slot: Slot; first: Place }[] = [];
  const conflicts: { slot: Slot; other: Place }[] = [];
  const replaced: Slot[] = [];
  for (const entry of added) {
    const key = entry.key === '' ? `content ${digestOf(entry)}` : `${entry.type} ${spelled(entry.key)}`;
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, entry);
      continue;
    }
    const newer = digestOf(earlier) === digestOf(entry) ? earlier : newerOf(earlier, entry);
    if (newer === undefined) {
      if (!dropped.has(earlier)) conflicts.push({ slot: earlier, other: entry.place });
      conflicts.push({ slot: entry, other: earlier.place });
      dropped.add(earlier).add(entry);
      disputed.add(key);
      continue;
    }
    const older = newer === earlier ? entry : earlier;
    dropped.add(older);
    if (digestOf(earlier) === digestOf(entry)) repeated.push({ slot: entry, first: earlier.place });
    else replaced.push(older);
    first.set(key, newer);
  }
  return {
    kept: added.filter((entry) => !dropped.has(entry) && isHere(entry)),
    disputed,
    facts: {
      repeated: repeated.filter(({ slot }) => isHere(slot)),
      conflicts: conflicts.filter(({ slot }) => isHere(slot)),
      replaced: replaced.filter(isHere),
    },
  };
}

const nothing: ReadonlySet<string> = new Set();
const noRepeats: Repeats = { repeated: [], conflicts: [], replaced: [] };

// As nearly always: nothing more has to be known then.
function isEachOnce(added: readonly Slot[], spelled: (key: string) => string): boolean {
  const keys = new Set<string>();
  for (const { key } of added) keys.add(spelled(key));
  return keys.size === added.length && !keys.has('');
}

function isHere({ isElsewhere }: Slot): boolean {
  return !isElsewhere;
}

/**
 * Of an entry's content; asked for only when it stands twice, since reading and hashing every resource costs more than
 * grouping it.
 */
function digests(spelled: (key: string) => string): (entry: Slot) => string {
  const known = new Map<Slot, string>();
  return (entry) => {
    const digest = known.get(entry) ?? contentDigest(entry, spelled);
    known.set(entry, digest);
    return digest;
  };
}

/** Of what a resource says; `spelled` spells the targets of its references as the pool spells its keys. */
export function contentDigest({ load, place, base }: Slot, spelled: (key: string) => string): string {
  try {
    const text = contentText(load().resource, (reference) => spelled(canonicalReference(reference, base)));
    return createHash('sha256').update(text).digest('base64');
  } catch (error) {
    // Nested without end: it cannot be compared, so it is like no other.
    if (error instanceof RangeError) return JSON.stringify(place);
    throw error;
  }
}

function newerOf(one: Slot, other: Slot): Slot | undefined {
  if (isNewer(one.version, other.version)) return one;
  return isNewer(other.version, one.version) ? other : undefined;
}
