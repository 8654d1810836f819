import { outcomes } from '../src/core/answers/knowledge.ts';
import { therapyStatuses } from '../src/core/answers/therapy.ts';
import { proofs } from '../src/core/answers/trials.ts';
import { type AnsweredTest, type AnsweredTrial, AnswersSheet } from '../src/core/contract/answers-sheet.ts';
import { defineMapping } from '../src/core/mapping/words/define.ts';
import { each, firstOf, from, omit, type Rules } from '../src/core/mapping/words/rules.ts';
import { answerRoles } from './answer-roles.ts';
import {
  asWritten,
  derivedCount,
  derivedFlag,
  derivedText,
  doseText,
  evidenceQuantity,
  ifTrue,
  interpretations,
  label,
  listed,
  plainNumber,
  referenceRange,
  status,
  timingText,
} from './evidence-values.ts';
import { directions, strength } from './shared-rules.ts';
import { days, fullDate, icd10, text } from './value-transforms.ts';

const proofWords = listed('what shows it', proofs);
const outcomeWords = listed('how it ended', outcomes);
const therapyWords = listed('new or continuing', therapyStatuses);

type Row<Cell extends 'diagnosis' | 'intolerance' | 'response' | 'concurrent'> = NonNullable<
  AnswersSheet[Cell]
>[number];

type GapRow = NonNullable<NonNullable<AnswersSheet['therapy']>['gaps']>[number];

const byPerson = 'only a person can say it; it is asked, and never filled';

const sensitive = from(derivedText, 'sensitive');

const notesAt = (at: string) => each(`${at}.note`, from(text, 'text'));

const componentRules = { test: from('test'), value: from<unknown>(asWritten, 'value') };

const result: Rules<AnsweredTest> = {
  test: from('name'),
  called: from('called'),
  value: from<unknown>(asWritten, 'value'),
  number: from(plainNumber, 'number'),
  unit: from('unit'),
  components: each('components', componentRules),
  date: from('date'),
  age_days: from(derivedCount, 'ageDays'),
  window_days: from(derivedCount, 'windowDays'),
  in_window: from(derivedFlag, 'inWindow'),
  interpretation: from(interpretations, 'observation.where(interpretation.exists())'),
  reference_range: from(referenceRange, 'observation.referenceRange[0]'),
  method: from(label, 'observation.method'),
  notes: notesAt('observation'),
  source: from('source'),
  sensitive,
};

const product = (part: string) => `%product.product.where(%drug.name.exists()).${part}`;

// Phases may have different routes, so a route applies to all of them only if each phase states it.
const isOneRoute = '%dose.route.count() = %dose.count() and %dose.route.distinct().count() = 1';

const measure = (at: string) => ({
  value: from<unknown>(asWritten, `${at}.value`),
  components: each(`${at}.components`, componentRules),
  called: from(`${at}.called`),
  date: from(`${at}.date`),
  notes: notesAt(`${at}.observation`),
});

const vital = (name: string) => {
  const at = `%measured.vital.where(kind = '${name}')`;
  return {
    value: from<unknown>(asWritten, `${at}.value`),
    number: from(plainNumber, `${at}.number`),
    unit: from(`${at}.unit`),
    date: from(`${at}.date`),
    age_days: from(derivedCount, `${at}.ageDays`),
    notes: notesAt(`${at}.observation`),
  };
};

const fillRules = {
  day: from('day'),
  days: from(plainNumber, 'days'),
  product: from('product'),
  source: from('source'),
};

/** Dates are as the chart writes them. Days are computed from all fills. */
const trial: Rules<AnsweredTrial> = {
  ingredient: from(derivedText, 'ingredient'),
  brands: each('brands', from('$this')),
  products: each('products', from('$this')),
  strengths: each('strengths', from('$this')),
  forms: each('forms', from('$this')),
  releases: each('releases', from('$this')),
  release_in_part: from(ifTrue, 'iif(releases.exists(), releaseInPart, {})'),
  directions: each('directions', from('$this')),
  ordered_as: each('orderedAs', from('$this')),
  relation: from(derivedText, 'relation'),
  class: from(derivedText, 'class'),
  proof: from(proofWords, 'proof'),
  ordered: from('ordered'),
  first: from('first'),
  last: firstOf(from(derivedText, 'supplied'), from('last')),
  last_dispensed: from('lastDispensed'),
  stopped: from('stopped'),
  days_covered: from(derivedCount, 'daysCovered'),
  days_ahead: from(derivedCount, 'daysAhead'),
  days_after_stop: from(derivedCount, 'daysAfterStop'),
  about_days: from(derivedCount, 'aboutDays'),
  times_given: from(derivedCount, 'timesGiven'),
  dose_interval: from(derivedText, 'doseInterval'),
  unmeasured: from(derivedCount, 'unmeasured'),
  contradiction: from(derivedText, 'contradiction'),
  outcome: each('outcome', from(outcomeWords, '$this')),
  reasons: each('reasons', from('$this')),
  remark: from(derivedText, 'remark'),
  unexplained: from(derivedFlag, 'unexplained'),
  as_of: from(derivedText, 'asOf'),
  sample: from(derivedFlag, 'sample'),
  combination: from(derivedFlag, 'combination'),
  not_counted: from(derivedText, 'notCounted'),
  parts_not_counted: from(derivedText, 'partsNotCounted'),
  fills: each('fills', fillRules),
  sources: each('sources', from('$this')),
  sensitive,
};

/**
 * The answers sheet: what payers ask about every drug, answered from the chart. Each value has its source. Values that
 * the chart lacks are left out, and cells that only a person can answer are never filled.
 *
 * @example const { orders } = mapChart(bundle, { mapping: answers, roles: answerRoles, now: new Date() });
 */
export const answers = defineMapping(
  'answers',
  AnswersSheet,
  {
    therapy: {
      status: from(therapyWords, '%history.therapy.status'),
      basis: from(derivedText, '%history.therapy.basis'),
      in_other_form: from(ifTrue, '%history.therapy.inOtherForm'),
      taken_as: each('%history.therapy.takenAs', from('$this')),
      taken_as_in_part: from(ifTrue, '%history.therapy.takenAsInPart'),
      since: from('%history.therapy.since'),
      ordered: from('%history.therapy.ordered'),
      last_covered: from(derivedText, '%history.therapy.lastCovered'),
      days_covered: from(derivedCount, '%history.therapy.daysCovered'),
      about_days: from(derivedCount, '%history.therapy.aboutDays'),
      gaps: each<GapRow>('%history.therapy.gaps', {
        from: from(derivedText, 'from'),
        to: from(derivedText, 'to'),
        days: from(derivedCount, 'days'),
        sources: each('sources', from('$this')),
      }),
      fills: each('%history.therapy.fills', fillRules),
      dose_interval: from(derivedText, '%history.therapy.doseInterval'),
      remark: from(derivedText, '%history.therapy.remark'),
      samples: from(derivedText, '%history.therapy.samples'),
      supplied_as: each('%history.therapy.suppliedAs', { day: from('day'), words: from('words') }),
      sources: each('%history.therapy.sources', from('$this')),
    },
    // Reading `%diagnosis` shows the question of that role on this cell only.
    diagnosis: each<Row<'diagnosis'>>('%indication.where(%diagnosis.exists() or concept.exists())', {
      code: from(icd10, 'concept.coding.where(system = %icd10).code'),
      text: from(label, 'concept'),
      onset: firstOf(
        from('condition.onset.ofType(dateTime)', 'condition.onset.ofType(Period).start'),
        from(text, 'condition.onset.ofType(string)'),
      ),
      recorded: from('condition.recordedDate'),
      notes: each('notes', from('$this')),
    }),
    severity: {
      scores: each('%measured.score', result),
      severity: each('%indication.condition.severity', from(status, '$this')),
      stages: each('%indication.condition.stage.summary', from(label, '$this')),
    },
    trials: each('%history.trial', trial),
    intolerance: each<Row<'intolerance'>>('%history.intolerance', {
      substance: from('substance'),
      ordered_as: from('orderedAs'),
      relation: from(derivedText, 'relation'),
      class: from(derivedText, 'class'),
      type: from('allergy.type', 'type'),
      criticality: from('allergy.criticality'),
      verification: from(status, 'allergy.verificationStatus'),
      reactions: each('reactions', from('$this')),
      notes: each('notes', from('$this')),
      reasons: each('reasons', from('$this')),
      onset: from('allergy.onset.ofType(dateTime)'),
      recorded: from('allergy.recordedDate'),
      source: from('source'),
      sensitive,
    }),
    response: each<Row<'response'>>('%measured.response', {
      measure: from('measure'),
      before: measure('before'),
      ordered: from('ordered'),
      by_order: from(ifTrue, 'byOrder'),
      sampled: from('sampled'),
      before_restart: measure('beforeRestart'),
      restarted: from('restarted'),
      now: measure('now'),
      without_supply: { from: from(derivedText, 'withoutSupply.from'), to: from(derivedText, 'withoutSupply.to') },
      sensitive,
    }),
    tests: {
      results: each('%measured.test', result),
      missing: each('%measured.missing', from(derivedText, 'test')),
    },
    patient: {
      birth_date: from(fullDate, '%patient.birthDate'),
      age_years: from(derivedCount, '%age.years'),
      age_months: from(derivedCount, '%age.months'),
      sex: from(text, '%patient.gender'),
      deceased: from(ifTrue, '%patient.deceased.ofType(boolean)'),
      deceased_on: from(text, '%age.died'),
      weight: vital('Body weight'),
      height: vital('Body height'),
      bmi: vital('Body mass index'),
      bsa: vital('Body surface area'),
    },
    specialty: {
      text: firstOf(from(text, '%specialty.coding.where(system = %nucc).display'), from(label, '%specialty')),
      nucc: from(text, '%specialty.coding.where(system = %nucc).code'),
    },
    dose: {
      // Reading `%drug` shows the question of that role on this cell.
      drug: from(text, product('name')),
      ingredient: from(derivedText, product('ingredient')),
      release: from(text, product('release')),
      ordered_as: from(text, 'iif(%drug.name.exists(), {}, %drug.words)'),
      strength,
      form: from(text, '%drug.form'),
      route: from(label, `%route.concept.where(${isOneRoute})`),
      directions,
      doses: each('%dose', {
        text: from(text, 'text'),
        dose: from(doseText, '$this.where(doseAndRate.exists())'),
        timing: from(timingText, '$this.where(timing.exists())'),
        route: from(label, `route.where((${isOneRoute}).not())`),
      }),
      quantity: from(evidenceQuantity, '%supply.quantity'),
      quantity_number: from(plainNumber, '%supply.quantity.where(comparator.empty()).value'),
      quantity_unit: from(text, '%supply.quantity.unit', '%supply.quantity.code'),
      days_supply: from(
        days,
        '%supply.expectedSupplyDuration',
        '%supply.duration',
        'iif((%supply.expectedSupplyDuration | %supply.duration).exists(), {}, %daysSupply)',
      ),
      refills: from(plainNumber, '%order.dispenseRequest.numberOfRepeatsAllowed'),
      dispensed: each('%history.dispensed', {
        day: from('day'),
        product: from('product'),
        quantity: from(evidenceQuantity, 'quantity'),
        days: from(plainNumber, 'days'),
        source: from('source'),
      }),
      length: firstOf(
        from(evidenceQuantity, '%dose.where(%dose.count() = 1).timing.repeat.bounds.ofType(Duration)'),
        from(derivedText, '%course.length'),
      ),
      valid_from: from('%order.dispenseRequest.validityPeriod.start'),
      valid_until: from('%order.dispenseRequest.validityPeriod.end'),
    },
    concurrent: each<Row<'concurrent'>>('%history.concurrent', {
      drug: from('drug'),
      relation: from(derivedText, 'relation'),
      class: from(derivedText, 'class'),
      proof: from(proofWords, 'proof'),
      since: from('since'),
      supplied: from('supplied'),
      as_of: from(derivedText, 'asOf'),
      ordered: from('ordered'),
      status: from('status'),
      directions: from('directions'),
      sources: each('sources', from('$this')),
      sensitive,
    }),
    place: {
      setting: each('%order.category', from(label, '$this')),
      performer: from(text, '%order.performer.resolve().ofType(Organization).name'),
      stated: each('%place', from('words')),
      pharmacy: from(text, '%pharmacy.name', '%order.dispenseRequest.performer.display'),
      pharmacy_phone: from(text, "%pharmacy.telecom.where(system = 'phone').value"),
    },
    rationale: omit(byPerson),
    'on-label': omit(byPerson),
    attestation: omit(byPerson),
    signature: omit(byPerson),
  },
  { roles: answerRoles },
);
