import type { Facts } from './facts.ts';

/** A test of one candidate. Paths are relative to the candidate; `%roles` stay visible. */
export type Test =
  | { readonly kind: 'path'; readonly expression: string }
  /** Holds when the element is none of the values, or absent. */
  | { readonly kind: 'oneOf'; readonly path: string; readonly values: readonly string[] }
  /** Holds when a coding of the concept has one of the codes, whatever its system and case. */
  | { readonly kind: 'coded'; readonly path: string; readonly codes: readonly string[] }
  /** Holds when a text of the concept or element matches. Linear patterns only. */
  | { readonly kind: 'says'; readonly path: string; readonly pattern: RegExp }
  /** How a Period (or a date, for `ended`) lies to the site's day. */
  | { readonly kind: 'period'; readonly path: string; readonly lies: 'ended' | 'future' }
  /** Holds when none of the elements has a text that is no placeholder. */
  | { readonly kind: 'blank'; readonly paths: readonly string[] }
  /** Holds when a reference names one of the types, by its words or by what it resolves to. */
  | { readonly kind: 'pointsAt'; readonly path: string; readonly types: readonly string[]; readonly all: boolean }
  /** Holds when the candidate, or what its reference at `path` points to, is what one of the references at `as` points to. */
  | { readonly kind: 'same'; readonly path?: string; readonly as: string }
  /** Holds for a resource under a sensitivity label. */
  | { readonly kind: 'labelled' }
  | { readonly kind: 'any'; readonly tests: readonly Test[] }
  | { readonly kind: 'all'; readonly tests: readonly Test[] }
  | { readonly kind: 'not'; readonly test: Test }
  /** A named function with a sentence; listed by `describe`. */
  | {
      readonly kind: 'named';
      readonly name: string;
      readonly sentence: string;
      readonly holds: (value: unknown, facts: Facts) => boolean;
    };

/** A test and the words for it. `{path}` in the text is a value of the candidate, `{path|missing}` with words for none. */
export interface Clause {
  readonly test: Test;
  readonly text: string;
}

/** Why one candidate comes before another. Compared in the order of the list. */
export type Preference =
  /** The order of `use`; a use that is not named rules out. `unmarked` is no use at all. */
  | { readonly kind: 'uses'; readonly uses: readonly string[] }
  | { readonly kind: 'has'; readonly clause: Clause; readonly otherwise?: string }
  | { readonly kind: 'last'; readonly clause: Clause }
  /** The first of several `only` that any candidate meets decides; the others are out. */
  | { readonly kind: 'only'; readonly clause: Clause }
  | { readonly kind: 'lowest'; readonly path: string; readonly text?: string }
  | { readonly kind: 'latest'; readonly path: string }
  /** One that these references point to comes first. */
  | { readonly kind: 'namedBy'; readonly path: string; readonly text: string };

/** No `use`. */
export const unmarked = 'unmarked';

const clause = (test: Test, text: string): Clause => Object.freeze({ test, text });

/**
 * A FHIRPath criterion that is true.
 * @example when('doNotPerform = true', 'it says not to give the drug')
 */
export const when = (expression: string, text: string): Clause => clause({ kind: 'path', expression }, text);

/**
 * The element has another value than these, or none.
 * @example oneOf('status', ['active'], 'its status is {status|missing}')
 */
export const oneOf = (path: string, values: readonly string[], text: string): Clause =>
  clause({ kind: 'oneOf', path, values }, text);

/**
 * A coding has one of the codes, whatever its system.
 * @example coded('type', ['DRUGPOL'], 'a drug benefit')
 */
export const coded = (path: string, codes: readonly string[], text: string): Clause =>
  clause({ kind: 'coded', path, codes }, text);

/** A text matches. @example says('type', /\b(dental|vision)\b/i, 'it is for another benefit') */
export const says = (path: string, pattern: RegExp, text: string): Clause =>
  clause({ kind: 'says', path, pattern }, text);

/** The Period or date is over on the site's day. */
export const ended = (path: string, text: string): Clause => clause({ kind: 'period', path, lies: 'ended' }, text);

/** The Period has not begun on the site's day. */
export const future = (path: string, text: string): Clause => clause({ kind: 'period', path, lies: 'future' }, text);

/** No element holds a text that is no placeholder. @example blank(['value'], 'it has no value') */
export const blank = (paths: readonly string[], text: string): Clause => clause({ kind: 'blank', paths }, text);

/** The reference points to one of the types. */
export const pointsAt = (path: string, types: readonly string[], text: string): Clause =>
  clause({ kind: 'pointsAt', path, types, all: false }, text);

/** There are references, and each points to one of the types. */
export const pointsOnlyAt = (path: string, types: readonly string[], text: string): Clause =>
  clause({ kind: 'pointsAt', path, types, all: true }, text);

/**
 * The candidate itself is what a reference elsewhere points to; with `path`, what its own reference points to.
 * @example sameAs('%order.requester', 'it is the requester'), sameAs('%order.requester', 'its practitioner is the requester', 'practitioner')
 */
export const sameAs = (as: string, text: string, path?: string): Clause =>
  clause(path === undefined ? { kind: 'same', as } : { kind: 'same', as, path }, text);

/** The resource carries a sensitivity label. */
export const labelled = (text: string): Clause => clause({ kind: 'labelled' }, text);

/** One of the clauses holds. */
export const any = (clauses: readonly Clause[], text: string): Clause =>
  clause({ kind: 'any', tests: clauses.map(({ test }) => test) }, text);

/** All of the clauses hold. */
export const all = (clauses: readonly Clause[], text: string): Clause =>
  clause({ kind: 'all', tests: clauses.map(({ test }) => test) }, text);

/** The clause does not hold. */
export const not = ({ test }: Clause, text: string): Clause => clause({ kind: 'not', test }, text);

/** A named function where no word suffices. */
export const by = (
  name: string,
  sentence: string,
  holds: (value: unknown, facts: Facts) => boolean,
  text: string,
): Clause => clause({ kind: 'named', name, sentence, holds }, text);

/** The order of `use`; any other use rules a candidate out. */
export const uses = (...order: readonly string[]): Preference => Object.freeze({ kind: 'uses', uses: order });

/** Those for which the clause holds come first. `otherwise` is said of the others. */
export const has = (test: Clause, otherwise?: string): Preference =>
  Object.freeze(otherwise === undefined ? { kind: 'has', clause: test } : { kind: 'has', clause: test, otherwise });

/** Those for which the clause holds come last. */
export const last = (test: Clause): Preference => Object.freeze({ kind: 'last', clause: test });

/** The first `only` that any candidate meets rules out all others. */
export const only = (test: Clause): Preference => Object.freeze({ kind: 'only', clause: test });

/** The smallest number comes first, none last. `text` names it in reasons. */
export const lowest = (path: string, text?: string): Preference =>
  Object.freeze(text === undefined ? { kind: 'lowest', path } : { kind: 'lowest', path, text });

/** The newest date comes first, none last. */
export const latest = (path: string): Preference => Object.freeze({ kind: 'latest', path });

/** What these references point to comes first. */
export const namedBy = (path: string, text: string): Preference => Object.freeze({ kind: 'namedBy', path, text });
