import type { Refusal } from '../../fhir/references/refusals.ts';

/**
 * The vocabulary in which mappings are written. A mapping is a frozen plain object with the shape of its target; every
 * key of the target is stated, so a forgotten, misspelt or wrongly typed key is a compile error.
 */

/** An incomplete body: the same shape with every part optional. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? DeepPartial<Item>[]
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> | undefined }
    : T;

/**
 * Converts a value that a path found to the target's type, or returns the row of `refusals` with the reason why it
 * cannot. Pure; `note` becomes part of the provenance.
 */
export interface Transform<Out> {
  readonly name: string;
  readonly apply: (value: unknown) => Transformed<Out>;
  /** For a transform by a table: the table, and which of its rows match a value. */
  readonly lookup?: Lookup;
}

/** The result of a transform. */
export type Transformed<Out> =
  | {
      readonly value: Out;
      /** true when the meaning changed, not only the spelling. */
      readonly derived?: boolean;
      readonly note?: string;
      /** true for a text with letters that look misread (`looksMisread`). */
      readonly isMisread?: boolean;
    }
  | { readonly refused: Refusal };

/** Rows from a chart's words and codes to values of a closed list. A value without a row is a gap for a person. */
export interface Table<Out extends string = string> {
  readonly name: string;
  /** The complete closed list. */
  readonly list: readonly Out[];
  /** For each value of the list, the keys that certainly mean this value. A table contains each key only once. */
  readonly rows: Readonly<Partial<Record<Out, readonly string[]>>>;
  /**
   * Values of the list that have no row on purpose, each with the reason; the coverage report lists all other values
   * without a row.
   */
  readonly without?: Readonly<Partial<Record<Out, string>>>;
}

/** How a transform reads its table. */
export interface Lookup {
  readonly table: Table;
  /** The keys of the rows that match a value; empty when none does. */
  readonly hits: (value: unknown) => readonly string[];
  /** The same transform with another table. */
  readonly over: (table: Table) => Transform<string>;
}

/** The leaves that another leaf restates in other words, and the check that it still agrees with them. */
export interface Follows {
  readonly targets: readonly [string, ...string[]];
  readonly agrees: Agrees;
}

/** Checks whether the source of a leaf agrees with a person's entries. Pure. */
export interface Agrees {
  readonly name: string;
  readonly sentence: string;
  /**
   * `source` is the value that the path found, `entered` the person's entries by target, `element` the element that
   * holds the value. Returns undefined if the source does not state enough to decide.
   */
  readonly call: (source: unknown, entered: ReadonlyMap<string, unknown>, element?: unknown) => boolean | undefined;
  /** The question to a person when the leaf is required and was left out; it follows the name of the leaf. */
  readonly asks?: string;
}

/**
 * A value of the chart related to a leaf that may be the right one: offered to a person while the leaf is empty, never
 * sent.
 */
export interface Beside {
  readonly expression: string;
  /** Converts the chart's value to a value of the leaf. Values that it refuses are not offered. */
  readonly transform?: Transform<unknown>;
  /** A description for the person who chooses: `named only among the ingredients`. */
  readonly what: string;
}

/** A leaf that is read from the chart. The first source with an accepted value is used. */
export interface From<Out> {
  readonly kind: 'from';
  readonly sources: readonly { readonly expression: string; readonly transform?: Transform<unknown> }[];
  /** The leaves that this one restates in other words; see `following`. */
  readonly follows?: Follows;
  /** Values to offer if no source has an accepted value; see `offering`. */
  readonly beside?: readonly Beside[];
  readonly out?: Out;
}

/** One item per node that the path finds. In `item`, relative paths start at that node; `%roles` are available. */
export interface Each<Item> {
  readonly kind: 'each';
  readonly expression: string;
  readonly item: Rules<Item>;
  /** The list has exactly one item; see `single`. */
  readonly isSingle?: true;
}

/** Like `Each`, for a list of single values. */
export interface EachValue<Out> {
  readonly kind: 'each';
  readonly expression: string;
  readonly item: From<Out>;
}

/** The items of several lists as one list, in the order of the lists. */
export interface Concat<Item> {
  readonly kind: 'concat';
  readonly lists: readonly (Each<never> | EachValue<never>)[];
  readonly out?: Item;
}

/** A value that is written in the mapping. */
export interface Constant<Out> {
  readonly kind: 'constant';
  readonly value: Out;
  readonly reason: string;
}

/** A place where nothing is sent. It fits any type. */
export interface Omit<Out = never> {
  readonly kind: 'omit';
  readonly reason: string;
  readonly out?: Out;
}

type Leaf<T> = From<T> | Constant<T> | Omit<T>;

// `[T]` is in brackets so that a union (an enum, a boolean) stays one type. `never` is the inferred type of a place
// with only an omit().
export type Rule<T> = [T] extends [never]
  ? Leaf<never>
  : [unknown] extends [T]
    ? AnyRule
    : [T] extends [readonly (infer Item)[]]
      ? Each<Item> | EachValue<Item> | Concat<Item> | Leaf<T>
      : string extends keyof T
        ? OpenRules | Leaf<T>
        : [T] extends [object]
          ? Rules<T> | Leaf<T>
          : Leaf<T>;

/** Rules for every key of `T`, optional ones too. */
export type Rules<T> = { readonly [Key in keyof T]-?: Rule<NonNullable<T[Key]>> };

/** Rules under a free-form JSON object of the target. */
export interface OpenRules {
  readonly [key: string]: AnyRule;
}

// The target's types were checked where the rule was written.
// biome-ignore lint/suspicious/noExplicitAny: a rule whose type is no longer needed
export type AnyRule = From<any> | Each<any> | EachValue<any> | Concat<any> | Constant<any> | Omit<any> | OpenRules;

/** Rules of an overlay: only the differences, at any depth; `within` changes the items of an `each`. */
export type PartialRules<T> = { readonly [Key in keyof T]?: PartialRule<NonNullable<T[Key]>> };

export type PartialRule<T> = [unknown] extends [T]
  ? AnyRule
  : [T] extends [readonly (infer Item)[]]
    ? Each<Item> | EachValue<Item> | Concat<Item> | Within<Item> | Leaf<T>
    : string extends keyof T
      ? OpenRules | Leaf<T>
      : [T] extends [object]
        ? PartialRules<T> | Leaf<T>
        : Leaf<T>;

/** In an overlay: keeps the base's `each` and changes single rules of its items. */
export interface Within<Item> {
  readonly kind: 'within';
  readonly item: PartialRules<Item>;
}

/**
 * A leaf that is read from the chart. The paths are tried in order, and the items of each in order: the first value
 * that the transform accepts is sent, with its place as provenance. Without a transform, texts are sent unchanged.
 * @example from('%name.given.first()')
 * @example from(quantity, '%supply.quantity.value')
 * @example from(country, '%address.country', '%site.country') // the site's, where the chart names none
 */
export function from(...expressions: readonly [string, ...string[]]): From<string>;
export function from<Out>(transform: Transform<Out>, ...expressions: readonly [string, ...string[]]): From<Out>;
export function from(first: string | Transform<unknown>, ...rest: readonly string[]): From<never> {
  const sources =
    typeof first === 'string'
      ? [first, ...rest].map((expression) => ({ expression }))
      : rest.map((expression) => ({ expression, transform: first }));
  return Object.freeze({ kind: 'from', sources: Object.freeze(sources) }) as From<never>;
}

/**
 * Tries several `from` in order, for a leaf whose sources need different transforms.
 *
 * @example firstOf(from(text, '%payer.name'), from(identifier, '%payer.identifier.value'))
 */
export function firstOf<Out>(...rules: readonly [From<Out>, ...From<Out>[]]): From<Out> {
  return Object.freeze({ kind: 'from', sources: Object.freeze(rules.flatMap((rule) => rule.sources)) }) as From<Out>;
}

/**
 * A leaf that restates `targets` in other words, such as the code of a drug. After a person edits the targets, the leaf
 * is sent only if nothing contradicts the entries. It is left out if the person changed a target, or if its own words
 * say something else. If a person had to choose because the chart's sources differed, it is sent only if its own words
 * agree with the choice.
 *
 * Defining the mapping throws `mapping_invalid` if one of `targets` has no rule.
 *
 * @example
 * const agrees: Follows['agrees'] = {
 *   name: 'sameDrug',
 *   sentence: 'the name of the code is the drug that a person entered',
 *   call: (code, entered) => String(code) === entered.get('drug'),
 * };
 * const code = following({ targets: ['drug'], agrees }, from('%drug.rxnorm'));
 */
export function following<Out>(follows: Follows, rule: From<Out>): From<Out> {
  return Object.freeze({ ...rule, follows });
}

/**
 * A leaf with alternatives in the chart. While it is empty and blocks, a person is offered the values that these paths
 * find, each marked as not certain. They are never used automatically, neither by a policy nor in a batch.
 * @example offering(from('%plan.number'), { expression: '%plan.other', what: 'another number of the plan' })
 */
export function offering<Out>(rule: From<Out>, ...beside: readonly [Beside, ...Beside[]]): From<Out> {
  return Object.freeze({ ...rule, beside: Object.freeze([...(rule.beside ?? []), ...beside]) });
}

/**
 * One item of a list for each node that a path finds. The item is a part of the target, or one value.
 * @example each('%diagnosis', { code: from(icd10, 'coding.where(system = %icd10).code') })
 * @example each('performer.display', from(text, '$this'))
 */
export function each<Out>(expression: string, item: From<Out>): EachValue<Out>;
export function each<Item>(expression: string, item: Rules<Item>): Each<Item>;
export function each(expression: string, item: object): unknown {
  return Object.freeze({ kind: 'each', expression, item: Object.freeze(item) });
}

/**
 * A list that always has one item, made from the one node that a path finds. A question about the item belongs to the
 * item's own leaves (`drugs[0].name`), as it would outside of lists.
 * @example single('%order', { name: from('%drug.name'), dosage: from('%drug.strength') })
 */
export function single<Item>(expression: string, item: Rules<Item>): Each<Item> {
  return Object.freeze({ kind: 'each', expression, item: Object.freeze(item), isSingle: true });
}

/**
 * The items of several lists as one list, in this order.
 * @example concat(each('%evidence.diagnosis', { text: from('title') }), each('%evidence.test', { text: from('name') }))
 */
export function concat<Out>(...lists: readonly [EachValue<Out>, ...EachValue<Out>[]]): Concat<Out>;
export function concat<Item>(...lists: readonly [Each<Item>, ...Each<Item>[]]): Concat<Item>;
export function concat(...lists: readonly object[]): unknown {
  return Object.freeze({ kind: 'concat', lists: Object.freeze(lists) });
}

/**
 * A value written in the mapping and shown as such. `reason` states why it is not read from the chart. In an optional
 * part, it is sent only beside a value that was read.
 * @example constant('bridge', 'tells the service who sends')
 */
export function constant<const Out>(value: Out, reason: string): Constant<Out> {
  return Object.freeze({ kind: 'constant', value, reason });
}

/**
 * Nothing is sent here, for the stated reason. A person may still enter a value.
 * @example omit('sent only when a person chooses it')
 */
export function omit(reason: string): Omit {
  return Object.freeze({ kind: 'omit', reason });
}

/**
 * In an overlay: changes single rules inside the items of the base's `each` (of every list of a `concat`).
 * @example overlay(priorAuth, 'prior-auth@valley', { diagnoses: within({ code: from(icd10, 'coding.code') }) })
 */
export function within<Item>(item: PartialRules<NoInfer<Item>>): Within<Item> {
  return Object.freeze({ kind: 'within', item: Object.freeze(item) });
}
