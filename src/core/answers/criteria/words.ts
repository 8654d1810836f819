import { z } from 'zod';
import { personCells } from '../../contract/answers-sheet.ts';
import { outcomes } from '../knowledge.ts';

/**
 * A criteria file states each condition with one of these words. Conditions read only the cells of the answers sheet.
 */

const text = z.string().trim().min(1);
const days = z.int().positive().max(36_500);

const comparators = ['<', '<=', '=', '>=', '>'] as const;
export type Comparator = (typeof comparators)[number];

/** A trial of one of these drugs or classes that covered `days` or had one of the outcomes in `ended`. */
export const TrialWord = z
  .strictObject({
    of: z.array(text).min(1),
    /** The number of different drugs that must have been tried. */
    count: z.int().positive().max(20).default(1),
    days: days.optional(),
    ended: z.array(z.enum(outcomes)).min(1).optional(),
  })
  .readonly();

/** The result of a test or score: a value with its unit, or a text. */
export const TestWord = z
  .strictObject({
    name: text,
    is: z.enum(comparators).optional(),
    value: z.number().optional(),
    unit: text.optional(),
    says: z.array(text).min(1).optional(),
    withinDays: days.optional(),
    when: z.enum(['before first dose', 'after first dose']).optional(),
  })
  .refine(({ is, value }) => (is === undefined) === (value === undefined), 'is and value belong together')
  .refine(({ is, says }) => is === undefined || says === undefined, 'a value or words, not both')
  .readonly();

const AgeWord = z
  .strictObject({ atLeast: z.number().nonnegative().optional(), below: z.number().positive().optional() })
  .refine((age) => age.atLeast !== undefined || age.below !== undefined, 'atLeast or below')
  .readonly();

const QuantityWord = z.strictObject({ atMost: z.number().positive(), unit: text, perDays: days }).readonly();

/** The argument of each word, except the words that combine conditions. */
export const leafWords = {
  trial: TrialWord,
  test: TestWord,
  age: AgeWord,
  /** Text in the name of the prescriber's specialty, or NUCC codes. */
  specialty: z.array(text).min(1).readonly(),
  /** ICD-10-CM codes. A code includes all codes that start with it. */
  diagnosis: z
    .array(z.string().regex(/^[A-Z]\d[0-9A-Z](\.?[0-9A-Z]{1,4})?$/i, 'an ICD-10-CM code'))
    .min(1)
    .readonly(),
  therapy: z.enum(['new', 'continuing']),
  /** A documented allergy to one of these drugs or classes, or a trial that was not tolerated. */
  intolerance: z.array(text).min(1).readonly(),
  /** One of these drugs or classes is taken now. */
  concurrent: z.array(text).min(1).readonly(),
  quantity: QuantityWord,
  /** A cell that only a person can fill. What the person states never meets the criterion. */
  person: z.enum(personCells as [string, ...string[]]),
} as const;

type LeafWords = { readonly [Word in keyof typeof leafWords]: z.infer<(typeof leafWords)[Word]> };

export type CriterionCondition =
  | { readonly word: 'all' | 'any'; readonly of: readonly CriterionCondition[] }
  | { readonly word: 'some'; readonly atLeast: number; readonly of: readonly CriterionCondition[] }
  | { readonly word: 'not'; readonly of: CriterionCondition }
  | { readonly [Word in keyof LeafWords]: { readonly word: Word; readonly says: LeafWords[Word] } }[keyof LeafWords];

export const kindsOfCriteria = ['initial', 'subsequent', 'quantity', 'step', 'age', 'prescriber', 'exclusion'] as const;

export const RowHead = z.strictObject({
  payer: text,
  plan: text.optional(),
  /** An ingredient. */
  drug: text.optional(),
  class: text.optional(),
  kind: z.enum(kindsOfCriteria),
  /** The criterion's wording in its source. */
  text,
  source: text.optional(),
  edition: text.optional(),
  readOn: z.iso.date().optional(),
  readBy: text.optional(),
  validUntil: z.iso.date().optional(),
});

/** One criterion of a payer, entered by a site. */
export interface CriterionRow extends Readonly<z.infer<typeof RowHead>> {
  readonly condition: CriterionCondition;
}
