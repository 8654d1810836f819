import type { Transform } from '../mapping/words/rules.ts';
import type { Named } from './agree.ts';
import type { Facts } from './facts.ts';
import type { Filled } from './filled.ts';

/** A role that a named function fills. */
export interface Computed {
  readonly kind: 'computed';
  /** FHIR types of its nodes, or the members of a shape of the bridge. */
  readonly types: readonly string[];
  /** Roles that the function reads. */
  readonly reads: readonly string[];
  readonly fill: Named<(facts: Facts) => Filled>;
  /** Questions that it can ask, for the check of a mapping. */
  readonly questions: readonly { readonly part?: string; readonly severity: 'blocks' | 'warns' }[];
}

/**
 * The result of a derivation: the value, how it was computed, and the element that it starts from; or why it is not
 * certain. `otherwise` is the value from one of the sources that differ: it is compared with a stated value, never sent
 * by itself.
 */
export type Derived =
  | (Worked & { readonly from: string })
  | { readonly refused: string; readonly otherwise?: Worked | undefined };

/** A value, how it was computed, and a statement about the chart: `its quantity and dose last 30`. */
export interface Worked {
  readonly value: unknown;
  readonly note: string;
  readonly says: string;
}

/** A value computed from the chart, compared with the value that the chart states. */
export interface Derive {
  readonly kind: 'derive';
  readonly types: readonly string[];
  readonly reads: readonly string[];
  readonly derive: Named<(facts: Facts) => Derived>;
  /** The path of the chart's own statement. */
  readonly stated: string;
  /** Converts the stated element to a value of the derived kind. */
  readonly read: Transform<unknown>;
  /** `{stated}` is the stated value, `{says}` the statement of the derived one about the chart. */
  readonly differ: string;
  /** Where each of the two values came from, below it: `{stated}`, and `{note}` of the derived one. */
  readonly sources: { readonly stated: string; readonly derived: string };
}

/**
 * A role that no other word can express: a named function fills it, and `describe` lists the function with its
 * sentence.
 * @example
 * const counted = computed({
 *   types: ['integer'],
 *   reads: ['patient'],
 *   fill: {
 *     name: 'countAllergies',
 *     sentence: 'how many allergies the chart has',
 *     call: ({ mine }) => ({ root: { nodes: [{ value: mine('AllergyIntolerance').length }], kind: 'derived' } }),
 *   },
 * });
 */
export function computed(rule: Omit<Computed, 'kind' | 'questions'> & Partial<Pick<Computed, 'questions'>>): Computed {
  return Object.freeze({ kind: 'computed', questions: [], ...rule });
}

/**
 * A derived value; if it contradicts the stated one, a person is asked about both.
 * @example
 * const found: Derived = { from: '%supply.quantity', value: 30, note: 'one a day', says: 'its quantity lasts 30' };
 * const daysSupply = derive({
 *   types: ['integer'],
 *   reads: ['supply', 'dose'],
 *   derive: { name: 'supplyDays', sentence: 'the quantity at one regular dose', call: () => found },
 *   stated: '%supply.expectedSupplyDuration',
 *   read: days,
 *   differ: 'The order states {stated} days; {says}. How many days is it for?',
 *   sources: { stated: 'the order states {stated} days', derived: 'worked out from quantity and directions: {note}' },
 * });
 */
export function derive(rule: Omit<Derive, 'kind'>): Derive {
  return Object.freeze({ kind: 'derive', ...rule });
}
