import type { Transform } from '../mapping/words/rules.ts';
import type { Named } from './agree.ts';
import type { Facts } from './facts.ts';
import type { Filled } from './filled.ts';

export interface Computed {
  readonly kind: 'computed';
  /** The FHIR types of the role's nodes, or the keys of an object that is not FHIR. */
  readonly types: readonly string[];
  readonly reads: readonly string[];
  readonly fill: Named<(facts: Facts) => Filled>;
  /** The questions that the role can ask, for checking a mapping. */
  readonly questions: readonly { readonly part?: string; readonly severity: 'blocks' | 'warns' }[];
}

/**
 * A derived value with the path of the element that it starts from, or the reason why it is not certain. `otherwise` is
 * a value from one of several sources that differ. It is compared with a stated value, but never sent by itself.
 */
export type Derived =
  | (Worked & { readonly from: string })
  | { readonly refused: string; readonly otherwise?: Worked | undefined };

/**
 * A value with a note on how it was computed. `says` states the basis in the chart: `its quantity and dose last 30`.
 */
export interface Worked {
  readonly value: unknown;
  readonly note: string;
  readonly says: string;
}

/** A value that is computed from the chart and compared with a value that the chart states. */
export interface Derive {
  readonly kind: 'derive';
  readonly types: readonly string[];
  readonly reads: readonly string[];
  readonly derive: Named<(facts: Facts) => Derived>;
  /** The path of the value that the chart states. */
  readonly stated: string;
  /** Converts the stated element to a value that can be compared. */
  readonly read: Transform<unknown>;
  /** The question when both differ. `{stated}` is the stated value, and `{says}` the basis of the derived value. */
  readonly differ: string;
  /** Where each of the two values came from, below it: `{stated}`, and `{note}` of the derived one. */
  readonly sources: { readonly stated: string; readonly derived: string };
}

/**
 * A role that no other word expresses. A named function fills it, and `describe` lists the function with its sentence.
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
 * A derived value. If it contradicts the stated value, a person is asked about both.
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
