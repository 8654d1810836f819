import { isObject } from '../fhir/is-object.ts';
import { lettersAndDigits } from '../fhir/text/letters-and-digits.ts';
import type { Transform } from '../mapping/words/rules.ts';

/**
 * The reading of one source; `words` is its text as written. The members are the aspects that must agree and the values
 * that are sent. An aspect that is not stated is absent, because paths test for it (`%drug.strength.exists()`).
 */
export interface Reading {
  readonly words: string;
  readonly [aspect: string]: unknown;
}

/** The result of comparing two sources in meaning: an aspect in which they differ, or may differ. */
export interface Disagreement {
  readonly aspect: string;
  readonly certainty: 'differs' | 'unknown';
}

/** A named function, for rules without a word of their own. `sentence` describes it; `describe` lists it. */
export interface Named<Call> {
  readonly name: string;
  readonly sentence: string;
  readonly call: Call;
  /** Made by a word of the rule vocabulary (`readBy`, `sameValue`), so `describe` need not list it. */
  readonly isWord?: true;
}

/** One place that states the same thing. */
export interface AgreeSource {
  /** Its name for people: `text`, `RxNorm name`. */
  readonly label: string;
  readonly path: string;
  /** Its readings: none if it does not state the thing, several if it states two things itself. */
  readonly read: Named<(value: unknown) => readonly Reading[]>;
}

/** The questions about one aspect. */
export interface Aspect {
  /** The member in question, if its name differs from the aspect's: a kind of release is part of the name. */
  readonly part?: string;
  /** The member whose values are the options, if it is not the aspect itself. */
  readonly option?: string;
  /** `{left}` and `{right}` are the values of the two sources, `{leftSource}` and `{rightSource}` their names. */
  readonly differ?: string;
  /** Asked when one source contradicts itself; `{words}` is its text. */
  readonly alone?: string;
  /** `alone` is not asked if a source has this member. */
  readonly unlessStated?: string;
  /** A warning when a source states it about itself; does not block. */
  readonly told?: string;
  /** A warning when it is unknown whether two sources agree. */
  readonly unknown?: string;
}

/** Sources that state one thing: if they differ in meaning, a person is asked; none is taken by default. */
export interface Agree {
  readonly kind: 'agree';
  /** In the order in which they are sent when they agree. */
  readonly sources: readonly AgreeSource[];
  readonly compare: Named<(left: Reading, right: Reading) => readonly Disagreement[]>;
  /** Adjusts readings that are sent together, in the same order, where one determines how another is written. */
  readonly beside?: Named<(readings: readonly Reading[]) => readonly Reading[]>;
  readonly aspects: Readonly<Record<string, Aspect>>;
  /** The members of a reading, for the check of paths. */
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
 * Reads a source with a transform of the mappings. The result is compared as `aspect`; the element itself is sent as
 * `member`. With `isKind`, the transform returns only the kind of the value. A concept that the transform refuses is
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
      // key by key: a literal with computed names takes several times as long
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
 * Two sources agree on an aspect when their values are equal; if one of the values is unknown, so is the agreement. A
 * value that is only a kind (`isKind` of readBy) agrees with every value of that kind, and with every value that
 * `kinds` does not list. Values in the same list of `alike` are synonyms.
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
 * Two numbers agree when their letters and digits are equal, or when one begins or ends with the other: with a plan's
 * prefix, or with the suffix of one member of a family. The shorter number must have six characters or more than half
 * of the longer one's: a suffix alone ("02") is not a member number, and would match nearly every number.
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

// A text without letters and digits is compared unchanged.
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
