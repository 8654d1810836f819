import { isObject } from '../fhir/is-object.ts';
import { lettersAndDigits } from '../fhir/text/letters-and-digits.ts';
import type { Transform } from '../mapping/words/rules.ts';

/**
 * What one source states. `words` is its text as written, and the other members are the aspects to compare and the
 * values to send. An aspect that is not stated is absent, because paths test for it (`%drug.strength.exists()`).
 */
export interface Reading {
  readonly words: string;
  readonly [aspect: string]: unknown;
}

export interface Disagreement {
  readonly aspect: string;
  readonly certainty: 'differs' | 'unknown';
}

/** A named function, for rules that no word of the vocabulary expresses. `describe` lists it with its `sentence`. */
export interface Named<Call> {
  readonly name: string;
  readonly sentence: string;
  readonly call: Call;
  /** A word of the vocabulary (`readBy`, `sameValue`) made it, so `describe` does not list it. */
  readonly isWord?: true;
}

/** One of several sources that state the same thing. */
export interface AgreeSource {
  /** The name that people see: `text`, `RxNorm name`. */
  readonly label: string;
  readonly path: string;
  /** Returns the readings of a source: none if it does not state the thing, several if it contradicts itself. */
  readonly read: Named<(value: unknown) => readonly Reading[]>;
}

export interface Aspect {
  /**
   * The part that a question is about, if its name is not that of the aspect. For example, a release is part of the
   * name.
   */
  readonly part?: string;
  /** The member that has the options, if its name is not that of the aspect. */
  readonly option?: string;
  /**
   * The question when two sources differ. `{left}` and `{right}` are their values, `{leftSource}` and `{rightSource}`
   * their names.
   */
  readonly differ?: string;
  /** The question when one source contradicts itself. `{words}` is its text. */
  readonly alone?: string;
  /** A source that has this member makes the question `alone` unnecessary. */
  readonly unlessStated?: string;
  /** The warning when any source states this aspect at all. It does not block. */
  readonly told?: string;
  /** The warning when it is unknown whether two sources agree. */
  readonly unknown?: string;
}

/** Several sources for one thing. If they differ in meaning, a person is asked, and no source is used by default. */
export interface Agree {
  readonly kind: 'agree';
  /** In order of preference: if the sources agree, values of the first ones are sent. */
  readonly sources: readonly AgreeSource[];
  readonly compare: Named<(left: Reading, right: Reading) => readonly Disagreement[]>;
  /**
   * Adjusts the readings that are sent together and returns them in the same order, for example when one reading
   * decides how another is written.
   */
  readonly beside?: Named<(readings: readonly Reading[]) => readonly Reading[]>;
  readonly aspects: Readonly<Record<string, Aspect>>;
  /** The members of a reading, for checking paths. */
  readonly keys: readonly string[];
}

/**
 * Declares sources that must agree in meaning.
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
 * Reads a source with a transform of the mappings. The result is compared as `aspect`, and the element itself is sent
 * as `member`. With `isKind`, the transform returns only the kind of the value. A concept that the transform refuses is
 * unknown; a text that it refuses is ignored.
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
      // assigned key by key, because a literal with computed names takes several times as long
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
 * Two sources agree on an aspect when their values are equal or both in one list of `alike`. A value that is only a
 * kind (`isKind` of readBy) agrees with every value of that kind, and with every value that `kinds` does not list. The
 * result is `unknown` when one of the values is unknown.
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
 * Two numbers agree when their letters and digits are equal. They also agree when one begins or ends with the other, as
 * with a plan's prefix or a family member's suffix. The shorter number must then have six characters or more than half
 * of the longer one, because a suffix alone ("02") would match nearly every number.
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

// A text without letters and digits is compared as it is.
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
