import { z } from 'zod';
import { text } from './parts.ts';

/**
 * The answers sheet: what payers ask about every drug, once. It is no request of the service; requests, printed pages
 * and replies are made of it. Every part may be absent: what the chart does not say is not in it.
 */

const days = z.int().nonnegative();
/** As the chart writes it: a year stays a year. */
const when = text;
/** A category of sensitive information: nobody sees or sends the row unasked. */
const sensitive = text.optional();
const sources = z.array(text).optional();

const measure = {
  date: when.optional(),
  value: z.unknown().optional(),
  /** What the chart says beside the value, whole. */
  notes: z.array(text).optional(),
};
/** How the chart calls a test, where its row has a wider name. */
const called = text.optional();
const Vital = z.strictObject({
  ...measure,
  number: z.number().optional(),
  unit: text.optional(),
  age_days: days.optional(),
});
/** What a result of several values says: the systolic and the diastolic pressure. */
const components = z.array(z.strictObject({ test: text, value: z.unknown().optional() })).optional();
const Compared = z.strictObject({ ...measure, components, called });
const proof = z.enum(['dispensed', 'given', 'stated', 'ordered, not proved taken']);
const fills = z
  .array(z.strictObject({ day: when.optional(), days: days.optional(), product: text, source: text }))
  .optional();

/** A result of a test, with its age on the day of the request and the window that the site asks for. */
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

/** The class or group that the drug and the ordered one both are of, by its row of the knowledge. */
const classOfBoth = text.optional();

/** One trial of a drug. Products, strengths and forms are those that were dispensed or given, where there are such. */
export const AnsweredTrial = z.strictObject({
  ingredient: text,
  brands: z.array(text).optional(),
  products: z.array(text).optional(),
  strengths: z.array(text).optional(),
  forms: z.array(text).optional(),
  /** How the drug leaves its form (`ER`), where no brand says it. */
  releases: z.array(text).optional(),
  /** Some products say none. */
  release_in_part: z.literal(true).optional(),
  directions: z.array(text).optional(),
  /** Products that were ordered in another strength than was dispensed or given: nothing shows that they were taken. */
  ordered_as: z.array(text).optional(),
  relation: text,
  class: classOfBoth,
  proof,
  ordered: when.optional(),
  first: when.optional(),
  last: when.optional(),
  /** The day of the last fill, where that does not say how long it lasts: no last day of supply. */
  last_dispensed: when.optional(),
  stopped: when.optional(),
  days_covered: days.optional(),
  /** Of the days covered, those after the day of the request: supply that is still at hand. */
  days_ahead: days.optional(),
  /** Of the days covered up to the day of the request, those after the stated stop. */
  days_after_stop: days.optional(),
  about_days: days.optional(),
  times_given: days.optional(),
  /** The time between doses that are given, as an order or a dose states it: each covers the days up to the next. */
  dose_interval: text.optional(),
  /** Dispenses without a day or days of supply, which are in no count. */
  unmeasured: days.optional(),
  contradiction: text.optional(),
  outcome: z
    .array(
      z.enum(['inadequate response', 'not tolerated', 'contraindicated', 'stopped for another reason', 'still taken']),
    )
    .optional(),
  reasons: z.array(text).optional(),
  /** That it ended or is on hold, where no outcome says it. */
  remark: text.optional(),
  /** It was stopped or put on hold, and the chart gives no reason. */
  unexplained: z.boolean().optional(),
  /** The last day on which the chart shows that it is taken, where that is long ago and nothing says that it ended. */
  as_of: when.optional(),
  sample: z.boolean().optional(),
  combination: z.boolean().optional(),
  not_counted: text.optional(),
  /** Of a combination that is a trial of itself and, as far as the site says, of none of its parts. */
  parts_not_counted: text.optional(),
  fills,
  sources,
  sensitive,
});

export type AnsweredTrial = z.infer<typeof AnsweredTrial>;

/** Every cell of the sheet, by the name that others rely on. */
export const AnswersSheet = z.strictObject({
  therapy: z
    .strictObject({
      /** Absent where nobody knows whether the last fill, dose or word still holds, or an old order was filled. */
      status: z.enum(['new', 'continuing', 'used earlier', 'ordered earlier']).optional(),
      basis: text,
      /** What was taken in the ordered form gives another status, or none. */
      in_other_form: z.literal(true).optional(),
      /** As which products it was taken, where they have another form, release or strength than the ordered one. */
      taken_as: z.array(text).optional(),
      /** What is ordered was taken, too. */
      taken_as_in_part: z.literal(true).optional(),
      since: when.optional(),
      /** When it was first ordered, where that is before `since`. */
      ordered: when.optional(),
      /**
       * The last day of supply, also where that is after the day of the request; where there is none, the last that
       * somebody told of.
       */
      last_covered: when.optional(),
      /** By supply alone, dispensed or given, up to the day of the request. */
      days_covered: days.optional(),
      /** Where nothing was dispensed or given, from the stated start to the stated end. */
      about_days: days.optional(),
      /**
       * With what ends before each and what begins after it; one that is open ends on the day of the request.
       */
      gaps: z.array(z.strictObject({ from: when, to: when, days, sources })).optional(),
      fills,
      /** The time between doses that are given, as an order or a dose states it. */
      dose_interval: text.optional(),
      remark: text.optional(),
      samples: text.optional(),
      /** How dispenses say that a supply was free, a sample, a starter or from a discharge. */
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
        /** What the chart says beside the condition, without sensitive words. */
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
        /** As the allergy names it; of a stop what was taken, else the ingredient. */
        substance: text,
        /** What was ordered, where that is not what was taken. */
        ordered_as: text.optional(),
        relation: text.optional(),
        class: classOfBoth,
        type: text.optional(),
        criticality: text.optional(),
        verification: text.optional(),
        reactions: z.array(text).optional(),
        /** What the chart says of an allergy and its reactions, whole. */
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
        /** When it was first ordered, where `before` was measured after that, and before the first fill or dose. */
        ordered: when.optional(),
        /** No fill or dose is known: `before` is before it was ordered, `now` after that. */
        by_order: z.literal(true).optional(),
        /** When samples were given, where nothing else shows that it was taken: `before` is before that. */
        sampled: when.optional(),
        /** Where the drug was begun again after a gap: the last one before that day. */
        before_restart: Compared.optional(),
        restarted: when.optional(),
        now: Compared.optional(),
        /** The time without supply in which `now` was measured: nothing else was, while it was taken. */
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
      /** The brand, else the ingredients. */
      drug: text.optional(),
      /** The ingredients of a brand. */
      ingredient: text.optional(),
      /** How it leaves its form (`ER`), and the kind of tablet. */
      release: text.optional(),
      /** Where a person has yet to say which drug it is: as the order names it. */
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
            /** Of this phase, where not every phase states the same. */
            route: text.optional(),
          }),
        )
        .optional(),
      quantity: text.optional(),
      quantity_number: z.number().optional(),
      quantity_unit: text.optional(),
      days_supply: z.int().positive().optional(),
      refills: days.optional(),
      /** The fills of this order, as they state it themselves. */
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
      /** From when and until when the order itself says that it is valid. */
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
        /** What shows that it is taken. */
        proof,
        /** Since when this strength of it; absent where fills do not say how long they last. */
        since: when.optional(),
        /** When it was last dispensed or given, where `since` is not known. */
        supplied: when.optional(),
        /** The last day on which the chart shows that it is taken, where that is long ago. */
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
      /** The Organization that the order asks to give the drug. */
      performer: text.optional(),
      /** In the words of the order's directions and notes. */
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
/** What the sheet of a chart says. */
export type AnswersSheet = z.infer<typeof AnswersSheet>;

/** A cell of the sheet. */
export type CellName = keyof AnswersSheet;

/**
 * The cells in the order in which they are shown.
 *
 * @example cellNames.indexOf('trials') // 3
 */
export const cellNames = Object.keys(AnswersSheet.shape) as readonly CellName[]; // the keys of its schema

/**
 * What only a person can say: asked, and never filled from a chart.
 *
 * @example personCells.includes('rationale') // true
 */
export const personCells: readonly CellName[] = ['rationale', 'on-label', 'attestation', 'signature'];
