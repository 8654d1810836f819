import { z } from 'zod';
import { text } from './parts.ts';

/**
 * The answers sheet: the questions that payers ask about every drug, each answered once. It is not itself a request to
 * the service; requests, printed pages and replies are built from it. Every part is optional: a part that the chart
 * does not state is absent.
 */

const days = z.int().nonnegative();
/** As the chart writes it: a year without month and day is kept as a year. */
const when = text;
/** A category of sensitive information: the row is neither shown nor sent unless somebody asks for it. */
const sensitive = text.optional();
const sources = z.array(text).optional();

const measure = {
  date: when.optional(),
  value: z.unknown().optional(),
  /** The chart's remarks on the value, in full. */
  notes: z.array(text).optional(),
};
/** The chart's own name of a test, if the name of its row is broader. */
const called = text.optional();
const Vital = z.strictObject({
  ...measure,
  number: z.number().optional(),
  unit: text.optional(),
  age_days: days.optional(),
});
/** The parts of a result that has several values, such as the systolic and the diastolic pressure. */
const components = z.array(z.strictObject({ test: text, value: z.unknown().optional() })).optional();
const Compared = z.strictObject({ ...measure, components, called });
const proof = z.enum(['dispensed', 'given', 'stated', 'ordered, not proved taken']);
const fills = z
  .array(z.strictObject({ day: when.optional(), days: days.optional(), product: text, source: text }))
  .optional();

/** A test result, with its age on the day of the request and the time window that the site asks for. */
export const AnsweredTest = z.strictObject({
  test: text,
  called,
  value: z.unknown().optional(),
  number: z.number().optional(),
  unit: text.optional(),
  components,
  date: when.optional(),
  age_days: days.optional(),
  window_days: days.optional(),
  in_window: z.boolean().optional(),
  interpretation: text.optional(),
  reference_range: text.optional(),
  method: text.optional(),
  notes: z.array(text).optional(),
  source: text.optional(),
  sensitive,
});

export type AnsweredTest = z.infer<typeof AnsweredTest>;

/** The drug class or group that contains both this drug and the ordered one. */
const classOfBoth = text.optional();

/** One trial of a drug. Products, strengths and forms are those that were dispensed or given, if any were. */
export const AnsweredTrial = z.strictObject({
  ingredient: text,
  brands: z.array(text).optional(),
  products: z.array(text).optional(),
  strengths: z.array(text).optional(),
  forms: z.array(text).optional(),
  /** The release type (`ER`), unless a brand states it. */
  releases: z.array(text).optional(),
  /** Some of the products state no release type. */
  release_in_part: z.literal(true).optional(),
  directions: z.array(text).optional(),
  /**
   * Products that were ordered in another strength than the one dispensed or given, with no sign that they were taken.
   */
  ordered_as: z.array(text).optional(),
  relation: text,
  class: classOfBoth,
  proof,
  ordered: when.optional(),
  first: when.optional(),
  last: when.optional(),
  /** The day of the last fill, if that fill states no days of supply: the last day of supply is then unknown. */
  last_dispensed: when.optional(),
  stopped: when.optional(),
  days_covered: days.optional(),
  /** The covered days after the day of the request: supply that the patient still has. */
  days_ahead: days.optional(),
  /** The covered days after the stated stop, up to the day of the request. */
  days_after_stop: days.optional(),
  about_days: days.optional(),
  times_given: days.optional(),
  /**
   * The interval between administered doses, as an order or a dose states it. Each dose covers the days up to the next.
   */
  dose_interval: text.optional(),
  /** Dispenses without a date or days of supply; no count includes them. */
  unmeasured: days.optional(),
  contradiction: text.optional(),
  outcome: z
    .array(
      z.enum(['inadequate response', 'not tolerated', 'contraindicated', 'stopped for another reason', 'still taken']),
    )
    .optional(),
  reasons: z.array(text).optional(),
  /** Words for a trial that ended or is on hold, if no outcome says so. */
  remark: text.optional(),
  /** The drug was stopped or put on hold, and the chart gives no reason. */
  unexplained: z.boolean().optional(),
  /** The last day on which the chart shows the drug as taken, if that is long ago and no end is stated. */
  as_of: when.optional(),
  sample: z.boolean().optional(),
  combination: z.boolean().optional(),
  not_counted: text.optional(),
  /** Only for a combination: by the site's settings, the trial counts for the combination but for none of its parts. */
  parts_not_counted: text.optional(),
  fills,
  sources,
  sensitive,
});

export type AnsweredTrial = z.infer<typeof AnsweredTrial>;

/** Every cell of the sheet, by its name. */
export const AnswersSheet = z.strictObject({
  therapy: z
    .strictObject({
      /**
       * Absent if the chart does not show whether the last fill, dose or statement still holds, or whether an old order
       * was filled.
       */
      status: z.enum(['new', 'continuing', 'used earlier', 'ordered earlier']).optional(),
      basis: text,
      /**
       * The drug was taken in another form, and that decides the status. With the ordered form alone, the status would
       * be another one, or absent.
       */
      in_other_form: z.literal(true).optional(),
      /** The products that were taken, if their form, release or strength differs from the ordered one. */
      taken_as: z.array(text).optional(),
      /** The ordered product was taken as well. */
      taken_as_in_part: z.literal(true).optional(),
      since: when.optional(),
      /** The day of the first order, if that is before `since`. */
      ordered: when.optional(),
      /**
       * The last day of supply, which may be after the day of the request. Without supply, the last day in any source.
       */
      last_covered: when.optional(),
      /** Counted from supply alone (dispensed or given), up to the day of the request. */
      days_covered: days.optional(),
      /** The days from the stated start to the stated end, if nothing was dispensed or given. */
      about_days: days.optional(),
      /**
       * `sources` are the entry that ends before the gap and the entry that begins after it. An open gap ends on the
       * day of the request.
       */
      gaps: z.array(z.strictObject({ from: when, to: when, days, sources })).optional(),
      fills,
      /** The interval between administered doses, as an order or a dose states it. */
      dose_interval: text.optional(),
      remark: text.optional(),
      samples: text.optional(),
      /** The words of dispenses for a supply that was free, a sample, a starter or from a discharge. */
      supplied_as: z.array(z.strictObject({ day: when.optional(), words: text })).optional(),
      sources,
    })
    .optional(),
  diagnosis: z
    .array(
      z.strictObject({
        code: text.optional(),
        text: text.optional(),
        onset: when.optional(),
        recorded: when.optional(),
        /** The chart's remarks on the condition, without sensitive words. */
        notes: z.array(text).optional(),
      }),
    )
    .optional(),
  severity: z
    .strictObject({
      scores: z.array(AnsweredTest).optional(),
      severity: z.array(text).optional(),
      stages: z.array(text).optional(),
    })
    .optional(),
  trials: z.array(AnsweredTrial).optional(),
  intolerance: z
    .array(
      z.strictObject({
        /**
         * The name in the AllergyIntolerance. For a stopped trial: the product that was taken, or else the ingredient.
         */
        substance: text,
        /** The ordered product, if it differs from the one that was taken. */
        ordered_as: text.optional(),
        relation: text.optional(),
        class: classOfBoth,
        type: text.optional(),
        criticality: text.optional(),
        verification: text.optional(),
        reactions: z.array(text).optional(),
        /** The chart's remarks on an allergy and its reactions, in full. */
        notes: z.array(text).optional(),
        /** Why a trial was stopped, in the chart's words. */
        reasons: z.array(text).optional(),
        onset: when.optional(),
        recorded: when.optional(),
        source: text,
        sensitive,
      }),
    )
    .optional(),
  response: z
    .array(
      z.strictObject({
        measure: text,
        before: Compared.optional(),
        /** The day of the first order, if `before` was measured between that order and the first fill or dose. */
        ordered: when.optional(),
        /** No fill or dose is known, so the day of the order separates `before` from `now`. */
        by_order: z.literal(true).optional(),
        /** The day of samples, if nothing else shows that the drug was taken. `before` was measured before that day. */
        sampled: when.optional(),
        /** The last result before the drug was restarted after a gap. */
        before_restart: Compared.optional(),
        restarted: when.optional(),
        now: Compared.optional(),
        /** The period without supply in which `now` was measured, if there is no result from a period with supply. */
        without_supply: z.strictObject({ from: when, to: when }).optional(),
        sensitive,
      }),
    )
    .optional(),
  tests: z.strictObject({ results: z.array(AnsweredTest).optional(), missing: z.array(text).optional() }).optional(),
  patient: z
    .strictObject({
      birth_date: when.optional(),
      age_years: days.optional(),
      age_months: days.optional(),
      sex: text.optional(),
      deceased: z.literal(true).optional(),
      deceased_on: when.optional(),
      weight: Vital.optional(),
      height: Vital.optional(),
      bmi: Vital.optional(),
      bsa: Vital.optional(),
    })
    .optional(),
  specialty: z.strictObject({ text: text.optional(), nucc: text.optional() }).optional(),
  dose: z
    .strictObject({
      /** The brand, or else the ingredients. */
      drug: text.optional(),
      /** The ingredients of a brand. */
      ingredient: text.optional(),
      /** The release type (`ER`) and the kind of tablet. */
      release: text.optional(),
      /** The order's own words for the drug, if a person still has to identify it. */
      ordered_as: text.optional(),
      strength: text.optional(),
      form: text.optional(),
      route: text.optional(),
      directions: text.optional(),
      doses: z
        .array(
          z.strictObject({
            text: text.optional(),
            dose: text.optional(),
            timing: text.optional(),
            /** The route of this phase, if the phases state different routes. */
            route: text.optional(),
          }),
        )
        .optional(),
      quantity: text.optional(),
      quantity_number: z.number().optional(),
      quantity_unit: text.optional(),
      days_supply: z.int().positive().optional(),
      refills: days.optional(),
      /** The fills of this order, as the dispenses state them. */
      dispensed: z
        .array(
          z.strictObject({
            day: when.optional(),
            product: text,
            quantity: text.optional(),
            days: days.optional(),
            source: text,
          }),
        )
        .optional(),
      length: text.optional(),
      /** The order's own validity period. */
      valid_from: when.optional(),
      valid_until: when.optional(),
    })
    .optional(),
  concurrent: z
    .array(
      z.strictObject({
        drug: text,
        relation: text,
        class: classOfBoth,
        proof,
        /** The start of this strength; absent if fills state no days of supply. */
        since: when.optional(),
        /** The day of the last fill or dose, if `since` is unknown. */
        supplied: when.optional(),
        /** The last day on which the chart shows the drug as taken, if that is long ago. */
        as_of: when.optional(),
        ordered: when.optional(),
        status: text.optional(),
        directions: text.optional(),
        sources,
        sensitive,
      }),
    )
    .optional(),
  place: z
    .strictObject({
      setting: z.array(text).optional(),
      /** The Organization that the order asks to administer the drug. */
      performer: text.optional(),
      /** The place where the drug is given, in the words of the order's directions and notes. */
      stated: z.array(text).optional(),
      pharmacy: text.optional(),
      pharmacy_phone: text.optional(),
    })
    .optional(),
  rationale: text.optional(),
  'on-label': text.optional(),
  attestation: text.optional(),
  signature: text.optional(),
});
export type AnswersSheet = z.infer<typeof AnswersSheet>;

/** The name of a cell. */
export type CellName = keyof AnswersSheet;

/**
 * The cells in the order in which they are shown.
 *
 * @example cellNames.indexOf('trials') // 3
 */
export const cellNames = Object.keys(AnswersSheet.shape) as readonly CellName[]; // the keys of its schema

/**
 * The cells that only a person can answer; they are never filled from a chart.
 *
 * @example personCells.includes('rationale') // true
 */
export const personCells: readonly CellName[] = ['rationale', 'on-label', 'attestation', 'signature'];
