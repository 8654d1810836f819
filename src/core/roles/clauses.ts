import type { DrugKnowledge } from '../drug/drug-knowledge.ts';
import type { Transform } from '../mapping/words/rules.ts';
import type { Facts } from './facts.ts';

/** A test of one candidate. Paths start at the candidate, and `%roles` are available. */
export type Test =
  | { readonly kind: 'path'; readonly expression: string }
  | { readonly kind: 'oneOf'; readonly path: string; readonly values: readonly string[] }
  | { readonly kind: 'coded'; readonly path: string; readonly codes: readonly string[] }
  | { readonly kind: 'says'; readonly path: string; readonly pattern: RegExp }
  /** Compares a Period (or a date, for `ended`) with today at the site. */
  | { readonly kind: 'period'; readonly path: string; readonly lies: 'ended' | 'future' | 'undated' }
  | { readonly kind: 'blank'; readonly paths: readonly string[] }
  | { readonly kind: 'pointsAt'; readonly path: string; readonly types: readonly string[]; readonly all: boolean }
  /** Holds when the candidate, or the target of its reference at `path`, is the target of a reference at `as`. */
  | { readonly kind: 'same'; readonly path?: string; readonly as: string }
  | { readonly kind: 'labelled' }
  | { readonly kind: 'sensitive' }
  | { readonly kind: 'namedDraft' }
  | { readonly kind: 'unreadModifier' }
  | { readonly kind: 'twoDirections'; readonly at: string }
  | { readonly kind: 'otherDose'; readonly at: string; readonly drug: string }
  | { readonly kind: 'otherDrug'; readonly at: string; readonly drug: string; readonly knowledge: DrugKnowledge }
  | { readonly kind: 'refusedBy'; readonly path: string; readonly transform: Transform<unknown> }
  | { readonly kind: 'any'; readonly tests: readonly Test[] }
  | { readonly kind: 'all'; readonly tests: readonly Test[] }
  | { readonly kind: 'not'; readonly test: Test }
  | {
      readonly kind: 'named';
      readonly name: string;
      readonly sentence: string;
      readonly holds: (value: unknown, facts: Facts) => boolean;
    };

/**
 * A test and its text. `{path}` in the text is a value of the candidate, and `{path|missing}` has words for a missing
 * value.
 */
export interface Clause {
  readonly test: Test;
  readonly text: string;
}

/** A reason to rank one candidate before another. Preferences are compared in the order of their list. */
export type Preference =
  /** The order of `use`. `unmarked` stands for no use, and a use that is not listed rules a candidate out. */
  | { readonly kind: 'uses'; readonly uses: readonly string[] }
  | { readonly kind: 'has'; readonly clause: Clause; readonly otherwise?: string }
  | { readonly kind: 'last'; readonly clause: Clause }
  /**
   * Of several `only` clauses, the first that any candidate meets decides. It rules out the candidates that do not meet
   * it, with the words of `otherwise`.
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
  | { readonly kind: 'namedBy'; readonly path: string; readonly text: string };

// An overlay accepts only some kinds of preference, so the functions for these return the exact kind.
type PreferenceOf<Kind extends Preference['kind']> = Extract<Preference, { readonly kind: Kind }>;

/**
 * Stands for a missing `use`.
 * @example prefer: [uses('official', unmarked)]
 */
export const unmarked = 'unmarked';

const clause = (test: Test, text: string): Clause => Object.freeze({ test, text });

/**
 * Holds when a FHIRPath criterion is true. `text` describes a candidate for which it is true, and may be left out of a
 * clause that people never read.
 * @example when('doNotPerform = true', 'it says not to give the drug')
 */
export const when = (expression: string, text = ''): Clause => clause({ kind: 'path', expression }, text);

/**
 * Holds when the element is absent or has another value.
 * @example oneOf('status', ['active'], 'it is {status|without a status}')
 */
export const oneOf = (path: string, values: readonly string[], text = ''): Clause =>
  clause({ kind: 'oneOf', path, values }, text);

/**
 * Holds when a coding has one of the codes, in any system and without regard to case.
 * @example coded('type', ['DRUGPOL'], 'a drug benefit')
 */
export const coded = (path: string, codes: readonly string[], text = ''): Clause =>
  clause({ kind: 'coded', path, codes }, text);

/**
 * Holds when a text matches the pattern, which must run in linear time.
 * @example says('type', /\b(dental|vision)\b/i, 'it is for another benefit')
 */
export const says = (path: string, pattern: RegExp, text = ''): Clause => clause({ kind: 'says', path, pattern }, text);

/**
 * Holds when the Period or date is over today at the site.
 * @example ended('period', 'it ended on {period.end}')
 */
export const ended = (path: string, text = ''): Clause => clause({ kind: 'period', path, lies: 'ended' }, text);

/**
 * Holds when the Period or date has not begun today at the site.
 * @example future('period', 'it begins on {period.start}')
 */
export const future = (path: string, text = ''): Clause => clause({ kind: 'period', path, lies: 'future' }, text);

/**
 * Holds when the start or end of a Period is not a FHIR date (`12/31/2025`), so that it cannot be compared.
 * @example undated('period', 'its period cannot be read as dates')
 */
export const undated = (path: string, text = ''): Clause => clause({ kind: 'period', path, lies: 'undated' }, text);

/**
 * Holds when every element is empty or a placeholder.
 * @example blank(['value'], 'it has no value')
 */
export const blank = (paths: readonly string[], text = ''): Clause => clause({ kind: 'blank', paths }, text);

/**
 * Holds when a reference points to one of the types.
 * @example pointsAt('requester', ['Patient', 'RelatedPerson'], 'it is self-reported')
 */
export const pointsAt = (path: string, types: readonly string[], text = ''): Clause =>
  clause({ kind: 'pointsAt', path, types, all: false }, text);

/**
 * Holds when there are references and each points to one of the types.
 * @example pointsOnlyAt('payor', ['Patient'], 'it is self-pay')
 */
export const pointsOnlyAt = (path: string, types: readonly string[], text = ''): Clause =>
  clause({ kind: 'pointsAt', path, types, all: true }, text);

/**
 * Holds when a reference at `as` points to the candidate.
 * @example sameAs('%order.requester', 'the order names it as its requester')
 */
export const sameAs = (as: string, text = ''): Clause => clause({ kind: 'same', as }, text);

/**
 * Holds when the candidate's reference at `path` and a reference at `as` have the same target.
 * @example pointsToSame('practitioner', '%order.requester', 'it is a role of the requester')
 */
export const pointsToSame = (path: string, as: string, text = ''): Clause => clause({ kind: 'same', as, path }, text);

/**
 * Holds for a resource with a sensitivity label.
 * @example labelled('it carries a security label; only a person may choose it')
 */
export const labelled = (text = ''): Clause => clause({ kind: 'labelled' }, text);

/**
 * Holds for a resource that is sensitive by its labels, codes or words, or whose sensitivity is unknown.
 * @example sensitive('it is sensitive; only a person may accept it')
 */
export const sensitive = (text = ''): Clause => clause({ kind: 'sensitive' }, text);

/**
 * Holds for a draft order that the request names. The CDS Hooks order-sign and order-select send an order while it is
 * being written.
 * @example namedDraft('it is not signed')
 */
export const namedDraft = (text = ''): Clause => clause({ kind: 'namedDraft' }, text);

/**
 * Holds for a resource with an element that could not be read and may change its meaning (isModifier of FHIR).
 * @example blocks(unreadModifier(), 'A part of the patient record that may change what it means could not be read.')
 */
export const unreadModifier = (text = ''): Clause => clause({ kind: 'unreadModifier' }, text);

/**
 * Holds when the text and the patient instruction of a Dosage certainly state different doses or times. `at` finds the
 * Dosages.
 * @example blocks(twoDirections('%dose'), 'The order’s directions and its instruction for the patient differ.')
 */
export const twoDirections = (at: string, text = ''): Clause => clause({ kind: 'twoDirections', at }, text);

/**
 * Holds when the directions of a Dosage certainly state a different amount or time than its doseAndRate and timing.
 * `at` finds the Dosages, and `drug` the readings of the drug's sources, which have the strength of one tablet.
 * `{said}` in a question is the difference in words.
 * @example blocks(otherDose('%dose', '%drug'), '{said}. Which directions are right?', 'choice')
 */
export const otherDose = (at: string, drug: string, text = ''): Clause => clause({ kind: 'otherDose', at, drug }, text);

/**
 * Holds when the directions of a Dosage say to take a drug that none of the drug's sources name. A drug that is only a
 * companion ("with methotrexate") does not count. `{said}` in a question names both drugs.
 * @example
 * const knowledge = drugKnowledge([{ name: 'Humira', ingredients: ['adalimumab'] }]);
 * const isOther = otherDrug('%dose', '%drug', knowledge);
 * const asked = blocks(isOther, '{said}. Enter the directions of this order.', 'choice');
 */
export const otherDrug = (at: string, drug: string, knowledge: DrugKnowledge, text = ''): Clause =>
  clause({ kind: 'otherDrug', at, drug, knowledge }, text);

/**
 * Holds when a transform of the mappings refuses the element's values. A value that cannot be sent is then not chosen.
 * @example refusedBy(npiValue, 'value', 'it is not ten digits with a right check digit')
 */
export const refusedBy = (transform: Transform<unknown>, path: string, text = ''): Clause =>
  clause({ kind: 'refusedBy', path, transform }, text);

/**
 * Holds when one of the clauses holds.
 * @example any([when('abatement.exists()'), coded('clinicalStatus', ['resolved'])], 'it is not active')
 */
export const any = (clauses: readonly Clause[], text = ''): Clause =>
  clause({ kind: 'any', tests: clauses.map(({ test }) => test) }, text);

/**
 * Holds when all of the clauses hold.
 * @example all([says('type', /\bdental\b/i), not(says('type', /\bmedical\b/i))], 'it is for another benefit')
 */
export const all = (clauses: readonly Clause[], text = ''): Clause =>
  clause({ kind: 'all', tests: clauses.map(({ test }) => test) }, text);

/**
 * Holds when the clause does not hold.
 * @example not(coded('type', ['DRUGPOL']), 'it is no drug benefit')
 */
export const not = ({ test }: Clause, text = ''): Clause => clause({ kind: 'not', test }, text);

/**
 * A named function, for tests that no other word expresses. `describe` lists it with its sentence.
 * @example by('isOurs', 'the number begins with X', (value) => String(value).startsWith('X'), 'it is our own number')
 */
export const by = (
  name: string,
  sentence: string,
  holds: (value: unknown, facts: Facts) => boolean,
  text = '',
): Clause => clause({ kind: 'named', name, sentence, holds }, text);

/**
 * The order of `use`. Any other use rules a candidate out.
 * @example uses('official', 'usual', unmarked)
 */
export const uses = (...order: readonly string[]): Preference => Object.freeze({ kind: 'uses', uses: order });

/**
 * Candidates for which the clause holds come first. `otherwise` describes the other candidates.
 * @example has(coded('type', ['DRUGPOL']), 'no sign of a drug benefit')
 */
export const has = (test: Clause, otherwise?: string): PreferenceOf<'has'> =>
  Object.freeze(otherwise === undefined ? { kind: 'has', clause: test } : { kind: 'has', clause: test, otherwise });

/**
 * Candidates for which the clause holds come last.
 * @example last(when("type = 'postal'"))
 */
export const last = (test: Clause): PreferenceOf<'last'> => Object.freeze({ kind: 'last', clause: test });

/**
 * The first `only` that any candidate meets rules out all other candidates. If no candidate meets any, all are ruled
 * out. `otherwise` describes a candidate that is ruled out.
 * @example only(when("type.coding.exists(code = 'MR')"), 'it is no record number')
 */
export const only = (test: Clause, otherwise: string): Preference =>
  Object.freeze({ kind: 'only', clause: test, otherwise });

/**
 * The smallest number comes first. Candidates without a number come last, or count as `none`. `text` names the number
 * in reasons.
 * @example lowest('order', 'order', { none: 2 })
 */
export const lowest = (
  path: string,
  text?: string,
  more: { readonly none?: number; readonly words?: Readonly<Record<number, string>> } = {},
): PreferenceOf<'lowest'> => Object.freeze({ kind: 'lowest', path, ...(text === undefined ? {} : { text }), ...more });

/**
 * The newest date comes first. Candidates without a date come last.
 * @example latest('period.start')
 */
export const latest = (path: string): PreferenceOf<'latest'> => Object.freeze({ kind: 'latest', path });

/**
 * The targets of these references come first.
 * @example namedBy('%order.insurance', 'named by the order')
 */
export const namedBy = (path: string, text: string): PreferenceOf<'namedBy'> =>
  Object.freeze({ kind: 'namedBy', path, text });
