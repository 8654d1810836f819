import type { DrugKnowledge } from '../drug/drug-knowledge.ts';
import type { Transform } from '../mapping/words/rules.ts';
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
  | { readonly kind: 'period'; readonly path: string; readonly lies: 'ended' | 'future' | 'undated' }
  /** Holds when none of the elements has a text that is no placeholder. */
  | { readonly kind: 'blank'; readonly paths: readonly string[] }
  /** Holds when a reference names one of the types, by its words or by what it resolves to. */
  | { readonly kind: 'pointsAt'; readonly path: string; readonly types: readonly string[]; readonly all: boolean }
  /**
   * Holds when the candidate, or what its reference at `path` points to, is what one of the references at `as` points
   * to.
   */
  | { readonly kind: 'same'; readonly path?: string; readonly as: string }
  /** Holds for a resource under a sensitivity label. */
  | { readonly kind: 'labelled' }
  /** Holds for a resource whose labels, codes or words tell of a sensitive category, or that nobody can judge. */
  | { readonly kind: 'sensitive' }
  /** Holds for a draft that the request names (order-sign and order-select of CDS Hooks). */
  | { readonly kind: 'namedDraft' }
  /**
   * Holds for a resource of which a part that may change what it means (isModifier) could not be read, and is asked.
   */
  | { readonly kind: 'unreadModifier' }
  /** Holds when the text and the patient instruction of one of the Dosages certainly say two doses or times. */
  | { readonly kind: 'twoDirections'; readonly at: string }
  /** Holds when the directions of one of the Dosages certainly say another dose than its elements. */
  | { readonly kind: 'otherDose'; readonly at: string; readonly drug: string }
  /** Holds when the directions of one of the Dosages tell a dose of another drug. */
  | { readonly kind: 'otherDrug'; readonly at: string; readonly drug: string; readonly knowledge: DrugKnowledge }
  /** Holds when the transform takes no value of the element. */
  | { readonly kind: 'refusedBy'; readonly path: string; readonly transform: Transform<unknown> }
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

/**
 * A test and the words for it. `{path}` in the text is a value of the candidate, `{path|missing}` with words for none.
 */
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
  /**
   * The first of several `only` that any candidate meets decides; those that do not meet it are out, and `otherwise` is
   * said of them.
   */
  | { readonly kind: 'only'; readonly clause: Clause; readonly otherwise: string }
  | {
      readonly kind: 'lowest';
      readonly path: string;
      readonly text?: string;
      readonly none?: number;
      readonly words?: Readonly<Record<number, string>>;
    }
  | { readonly kind: 'latest'; readonly path: string }
  /** One that these references point to comes first. */
  | { readonly kind: 'namedBy'; readonly path: string; readonly text: string };

// An overlay takes some kinds of preference only.
type PreferenceOf<Kind extends Preference['kind']> = Extract<Preference, { readonly kind: Kind }>;

/**
 * No `use`.
 * @example prefer: [uses('official', unmarked)]
 */
export const unmarked = 'unmarked';

const clause = (test: Test, text: string): Clause => Object.freeze({ test, text });

/**
 * A FHIRPath criterion that is true. `text` says so of a candidate; a clause that people never read goes without it.
 * @example when('doNotPerform = true', 'it says not to give the drug')
 */
export const when = (expression: string, text = ''): Clause => clause({ kind: 'path', expression }, text);

/**
 * The element has another value than these, or none.
 * @example oneOf('status', ['active'], 'it is {status|without a status}')
 */
export const oneOf = (path: string, values: readonly string[], text = ''): Clause =>
  clause({ kind: 'oneOf', path, values }, text);

/**
 * A coding has one of the codes, whatever its system.
 * @example coded('type', ['DRUGPOL'], 'a drug benefit')
 */
export const coded = (path: string, codes: readonly string[], text = ''): Clause =>
  clause({ kind: 'coded', path, codes }, text);

/**
 * A text matches; linear patterns only.
 * @example says('type', /\b(dental|vision)\b/i, 'it is for another benefit')
 */
export const says = (path: string, pattern: RegExp, text = ''): Clause => clause({ kind: 'says', path, pattern }, text);

/**
 * The Period or date is over on the site's day.
 * @example ended('period', 'it ended on {period.end}')
 */
export const ended = (path: string, text = ''): Clause => clause({ kind: 'period', path, lies: 'ended' }, text);

/**
 * The Period or date has not begun on the site's day.
 * @example future('period', 'it begins on {period.start}')
 */
export const future = (path: string, text = ''): Clause => clause({ kind: 'period', path, lies: 'future' }, text);

/**
 * A start or an end of the Period at a path is written as no date of FHIR (`12/31/2025`): nobody knows how it lies.
 * @example undated('period', 'its period cannot be read as dates')
 */
export const undated = (path: string, text = ''): Clause => clause({ kind: 'period', path, lies: 'undated' }, text);

/**
 * No element holds a text that is no placeholder.
 * @example blank(['value'], 'it has no value')
 */
export const blank = (paths: readonly string[], text = ''): Clause => clause({ kind: 'blank', paths }, text);

/**
 * A reference points to one of the types.
 * @example pointsAt('requester', ['Patient', 'RelatedPerson'], 'it is self-reported')
 */
export const pointsAt = (path: string, types: readonly string[], text = ''): Clause =>
  clause({ kind: 'pointsAt', path, types, all: false }, text);

/**
 * There are references, and each points to one of the types.
 * @example pointsOnlyAt('payor', ['Patient'], 'it is self-pay')
 */
export const pointsOnlyAt = (path: string, types: readonly string[], text = ''): Clause =>
  clause({ kind: 'pointsAt', path, types, all: true }, text);

/**
 * The candidate itself is what a reference elsewhere points to.
 * @example sameAs('%order.requester', 'the order names it as its requester')
 */
export const sameAs = (as: string, text = ''): Clause => clause({ kind: 'same', as }, text);

/**
 * The candidate's own reference points to what a reference elsewhere points to.
 * @example pointsToSame('practitioner', '%order.requester', 'it is a role of the requester')
 */
export const pointsToSame = (path: string, as: string, text = ''): Clause => clause({ kind: 'same', as, path }, text);

/**
 * The resource carries a sensitivity label.
 * @example labelled('it carries a security label; only a person may choose it')
 */
export const labelled = (text = ''): Clause => clause({ kind: 'labelled' }, text);

/**
 * The labels, codes or words of the resource tell of a sensitive category.
 * @example sensitive('it is sensitive; only a person may accept it')
 */
export const sensitive = (text = ''): Clause => clause({ kind: 'sensitive' }, text);

/**
 * The order is a draft that the request names: order-sign and order-select of CDS Hooks send an order while it is
 * written.
 * @example namedDraft('it is not signed')
 */
export const namedDraft = (text = ''): Clause => clause({ kind: 'namedDraft' }, text);

/**
 * A part of the resource that may change what it means (isModifier of FHIR) is misshapen and could not be read.
 * @example blocks(unreadModifier(), 'A part of the patient record that may change what it means could not be read.')
 */
export const unreadModifier = (text = ''): Clause => clause({ kind: 'unreadModifier' }, text);

/**
 * The text of a Dosage and what it tells the patient certainly say two doses or times; `at` finds the Dosages.
 * @example blocks(twoDirections('%dose'), 'The order’s directions and its instruction for the patient differ.')
 */
export const twoDirections = (at: string, text = ''): Clause => clause({ kind: 'twoDirections', at }, text);

/**
 * The directions of a Dosage certainly say another amount or another time than its doseAndRate and timing; `at` finds
 * the Dosages, `drug` what the drug's sources say, for the strength of one tablet. `{said}` in a question is the
 * difference in words.
 * @example blocks(otherDose('%dose', '%drug'), '{said}. Which directions are right?', 'choice')
 */
export const otherDose = (at: string, drug: string, text = ''): Clause => clause({ kind: 'otherDose', at, drug }, text);

/**
 * The directions of a Dosage say to take another drug than all of the drug's sources; one that is named beside the dose
 * ("with methotrexate") is none. `{said}` in a question names both.
 * @example
 * const knowledge = drugKnowledge([{ name: 'Humira', ingredients: ['adalimumab'] }]);
 * const isOther = otherDrug('%dose', '%drug', knowledge);
 * const asked = blocks(isOther, '{said}. Enter the directions of this order.', 'choice');
 */
export const otherDrug = (at: string, drug: string, knowledge: DrugKnowledge, text = ''): Clause =>
  clause({ kind: 'otherDrug', at, drug, knowledge }, text);

/**
 * A transform of the mappings takes no value of the element: what would not be sent is not chosen.
 * @example refusedBy(npiValue, 'value', 'it is not ten digits with a right check digit')
 */
export const refusedBy = (transform: Transform<unknown>, path: string, text = ''): Clause =>
  clause({ kind: 'refusedBy', path, transform }, text);

/**
 * One of the clauses holds.
 * @example any([when('abatement.exists()'), coded('clinicalStatus', ['resolved'])], 'it is not active')
 */
export const any = (clauses: readonly Clause[], text = ''): Clause =>
  clause({ kind: 'any', tests: clauses.map(({ test }) => test) }, text);

/**
 * All of the clauses hold.
 * @example all([says('type', /\bdental\b/i), not(says('type', /\bmedical\b/i))], 'it is for another benefit')
 */
export const all = (clauses: readonly Clause[], text = ''): Clause =>
  clause({ kind: 'all', tests: clauses.map(({ test }) => test) }, text);

/**
 * The clause does not hold.
 * @example not(coded('type', ['DRUGPOL']), 'it is no drug benefit')
 */
export const not = ({ test }: Clause, text = ''): Clause => clause({ kind: 'not', test }, text);

/**
 * A named function where no word suffices; `describe` lists it with its sentence.
 * @example by('isOurs', 'the number begins with X', (value) => String(value).startsWith('X'), 'it is our own number')
 */
export const by = (
  name: string,
  sentence: string,
  holds: (value: unknown, facts: Facts) => boolean,
  text = '',
): Clause => clause({ kind: 'named', name, sentence, holds }, text);

/**
 * The order of `use`; any other use rules a candidate out.
 * @example uses('official', 'usual', unmarked)
 */
export const uses = (...order: readonly string[]): Preference => Object.freeze({ kind: 'uses', uses: order });

/**
 * Those for which the clause holds come first. `otherwise` is said of the others.
 * @example has(coded('type', ['DRUGPOL']), 'no sign of a drug benefit')
 */
export const has = (test: Clause, otherwise?: string): PreferenceOf<'has'> =>
  Object.freeze(otherwise === undefined ? { kind: 'has', clause: test } : { kind: 'has', clause: test, otherwise });

/**
 * Those for which the clause holds come last.
 * @example last(when("type = 'postal'"))
 */
export const last = (test: Clause): PreferenceOf<'last'> => Object.freeze({ kind: 'last', clause: test });

/**
 * The first `only` that any candidate meets rules out all others; where none meets any, all are out.
 * `otherwise` is said of those that are out.
 * @example only(when("type.coding.exists(code = 'MR')"), 'it is no record number')
 */
export const only = (test: Clause, otherwise: string): Preference =>
  Object.freeze({ kind: 'only', clause: test, otherwise });

/**
 * The smallest number comes first, none last or as the number that it counts as. `text` names it in reasons, `words`
 * where the number has words of its own.
 * @example lowest('order', 'coverage order', { none: 2, words: { 1: 'primary coverage' } })
 */
export const lowest = (
  path: string,
  text?: string,
  more: { readonly none?: number; readonly words?: Readonly<Record<number, string>> } = {},
): PreferenceOf<'lowest'> => Object.freeze({ kind: 'lowest', path, ...(text === undefined ? {} : { text }), ...more });

/**
 * The newest date comes first, none last.
 * @example latest('period.start')
 */
export const latest = (path: string): PreferenceOf<'latest'> => Object.freeze({ kind: 'latest', path });

/**
 * What these references point to comes first.
 * @example namedBy('%order.insurance', 'named by the order')
 */
export const namedBy = (path: string, text: string): PreferenceOf<'namedBy'> =>
  Object.freeze({ kind: 'namedBy', path, text });
