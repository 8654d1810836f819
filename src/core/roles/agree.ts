import { isObject } from '../fhir/is-object.ts';
import { lettersAndDigits } from '../fhir/text/letters-and-digits.ts';
import type { Transform } from '../mapping/words/rules.ts';

/**
 * What one source says; `words` is its text as written. Members are the aspects that must agree and what is sent; one
 * that is not stated is not there, since paths ask whether it is (`%drug.strength.exists()`).
 */
export interface Reading {
  readonly words: string;
  readonly [aspect: string]: unknown;
}

/** Two sources compared in meaning: an aspect in which they differ, or of which nothing tells whether they do. */
export interface Disagreement {
  readonly aspect: string;
  readonly certainty: 'differs' | 'unknown';
}

/** A named function where no word suffices. `sentence` says what it does; `describe` lists it. */
export interface Named<Call> {
  readonly name: string;
  readonly sentence: string;
  readonly call: Call;
  /** Made by a word (`readBy`, `sameValue`): `describe` needs not list it. */
  readonly isWord?: true;
}

/** One place where the same thing is stated. */
export interface AgreeSource {
  /** How people call it: `text`, `RxNorm name`. */
  readonly label: string;
  readonly path: string;
  /** What it says; nothing where it says nothing of this, several readings where it says two things itself. */
  readonly read: Named<(value: unknown) => readonly Reading[]>;
}

/** What is asked about one aspect. */
export interface Aspect {
  /**
   * The member that is in question where it has another name than the aspect: a kind of release is part of the name.
   */
  readonly part?: string;
  /** The member that a person chooses from, where it is not the aspect itself. */
  readonly option?: string;
  /** `{left}` and `{right}` are what the two sources say, `{leftSource}` and `{rightSource}` how they are called. */
  readonly differ?: string;
  /** Asked when one source contradicts itself; `{words}` is its text. */
  readonly alone?: string;
  /** `alone` is not asked where a source has this member. */
  readonly unlessStated?: string;
  /** Told when a source says it of itself; blocks nothing. */
  readonly told?: string;
  /** Told when nothing tells whether two sources agree. */
  readonly unknown?: string;
}

/** Sources that state one thing: where they differ in meaning a person is asked, never the first one taken. */
export interface Agree {
  readonly kind: 'agree';
  /** In the order in which they are sent when they agree. */
  readonly sources: readonly AgreeSource[];
  readonly compare: Named<(left: Reading, right: Reading) => readonly Disagreement[]>;
  /** The readings as they are sent beside each other, in the same order, where one decides how another is written. */
  readonly beside?: Named<(readings: readonly Reading[]) => readonly Reading[]>;
  readonly aspects: Readonly<Record<string, Aspect>>;
  /** Members of a reading, for the check of paths. */
  readonly keys: readonly string[];
}

/**
 * Sources that must agree in meaning.
 * @example
 * const read = readBy(route, { aspect: 'route', member: 'concept' });
 * const orderedRoute = agree({
 *   sources: [
 *     { label: 'dose', path: '%dose.route', read },
 *     { label: 'drug', path: '%medication.form', read },
 *   ],
 *   compare: sameValue('route'),
 *   aspects: {
 *     route: { differ: 'The {leftSource} says {left}, the {rightSource} says {right}. Which one is ordered?' },
 *   },
 *   keys: ['concept'],
 * });
 */
export function agree(rule: Omit<Agree, 'kind'>): Agree {
  return Object.freeze({ kind: 'agree', ...rule });
}

/**
 * Reads a source by a transform of the mappings. What it makes is compared as `aspect`; the element itself is what is
 * sent, as `member`; with `isKind` the transform tells only the kind of the value. A concept that the transform refuses
 * is not known; a text that it refuses says nothing.
 * @example
 * const source: AgreeSource = {
 *   label: 'dose',
 *   path: '%dose.route',
 *   read: readBy(route, { aspect: 'route', member: 'concept' }),
 * };
 */
export function readBy(
  transform: Transform<unknown>,
  { aspect, member, isKind = false }: { readonly aspect: string; readonly member: string; readonly isKind?: boolean },
): AgreeSource['read'] {
  const call = (value: unknown): readonly Reading[] => {
    const found = transform.apply(value);
    const words = wordsOf(value);
    if ('value' in found) {
      // one after the other: a literal with names that vary takes several times as long
      const reading: Record<string, unknown> & { words: string } = { words };
      reading[member] = value;
      reading[aspect] = found.value;
      reading.known = true;
      reading.isKind = isKind;
      return [reading];
    }
    return isObject(value) ? [{ words, [member]: value, [aspect]: words.toLowerCase(), known: false }] : [];
  };
  return { name: transform.name, sentence: `the value that ${transform.name} makes of it`, call, isWord: true };
}

/**
 * Two sources agree on an aspect when their values are equal; where one is not known, nothing tells. What is only the
 * kind of a value (`isKind` of readBy) agrees with every value of that kind, and with one that `kinds` does not name.
 * Values that stand together in one list of `alike` are two words for one thing.
 * @example compare: sameValue('route', { subcutaneous: 'parenteral' })
 */
export function sameValue(
  aspect: string,
  kinds: Readonly<Record<string, string>> = {},
  alike: readonly (readonly string[])[] = [],
): Agree['compare'] {
  const kindOf = new Map(Object.entries(kinds));
  const call: Agree['compare']['call'] = (left, right) => {
    const [one, other] = [String(left[aspect]), String(right[aspect])];
    if (one === other || alike.some((words) => words.includes(one) && words.includes(other))) return [];
    if (left.isKind === true || right.isKind === true) {
      const [kind, otherKind] = [kindOf.get(one), kindOf.get(other)];
      if (kind === undefined || otherKind === undefined || kind === otherKind) return [];
    }
    return [{ aspect, certainty: left.known === true && right.known === true ? 'differs' : 'unknown' }];
  };
  return { name: 'sameValue', sentence: 'equal values agree, and a kind with its values', call, isWord: true };
}

/**
 * Two numbers agree when their letters and digits are equal, or one begins or ends with the other: a plan's prefix, or
 * the suffix that tells the members of a family apart. The shorter one must have six characters or more than half of
 * the longer one's: a suffix alone ("02") is no member number, and nearly every number ends with somebody's.
 * @example compare: sameNumber('value') // "XYZ 1234567-01" agrees with "XYZ1234567" and "1234567-01", not with "01"
 */
export function sameNumber(aspect: string): Agree['compare'] {
  const call: Agree['compare']['call'] = (left, right) =>
    isSameNumber(numberOf(left[aspect]), numberOf(right[aspect])) ? [] : [{ aspect, certainty: 'differs' }];
  return {
    name: 'sameNumber',
    sentence:
      'equal letters and digits agree, with a prefix or suffix too, where the shorter number has six characters or ' +
      'more than half of the longer one’s',
    call,
    isWord: true,
  };
}

const leastPart = 6;

function isSameNumber(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < leastPart && short.length * 2 <= long.length) return false;
  return long.startsWith(short) || long.endsWith(short);
}

// A text of signs alone is compared as it stands.
function numberOf(value: unknown): string {
  const text = String(value);
  return lettersAndDigits(text) || text;
}

function wordsOf(value: unknown): string {
  if (!isObject(value)) return String(value);
  for (const text of [value.text, value.unit, value.code]) if (typeof text === 'string') return text;
  const codings: readonly unknown[] = Array.isArray(value.coding) ? value.coding : [];
  for (const coding of codings) {
    if (!isObject(coding)) continue;
    for (const text of [coding.display, coding.code]) if (typeof text === 'string') return text;
  }
  return '';
}
