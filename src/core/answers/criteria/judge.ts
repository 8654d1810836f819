import type { AnsweredTest, AnsweredTrial, AnswersSheet } from '../../contract/answers-sheet.ts';
import { amountWords } from '../../drug/amount-words.ts';
import { wholeDate } from '../../fhir/time/date-time.ts';
import { dayText } from '../../fhir/time/day-text.ts';
import type { DeepPartial } from '../../mapping/words/rules.ts';
import { testText } from '../answer-text.ts';
import type { Relation } from '../around.ts';
import { partsOf } from '../ingredients.ts';
import type { ShownSheet } from '../shown.ts';
import type { Comparator, CriterionCondition } from './words.ts';

/** Missing data makes a verdict unknown, never not met. */
export type CriterionVerdict = 'met' | 'not met' | 'unknown';

/** How hard missing information is to get, easiest first. */
export const costs = ['a person says it', 'somewhere in the chart', 'a record from elsewhere', 'a new test'] as const;
export type Cost = (typeof costs)[number];

/** A verdict with its reason. `places` are the paths of the cells that it depends on. */
export interface JudgedCondition {
  readonly verdict: CriterionVerdict;
  readonly because: string;
  readonly places: readonly string[];
  /** Only for an unknown verdict: how hard the missing information is to get. */
  readonly cost?: Cost;
}

export interface Judging {
  readonly body: ShownSheet['body'];
  /** Whether `ingredient` is the drug called `name` or belongs to the class called `name`. */
  readonly isNamed: (ingredient: string, name: string) => boolean;
}

type Leaf<Word extends CriterionCondition['word']> = Extract<CriterionCondition, { readonly word: Word }>;

/**
 * Judges a condition in three-valued logic: `all` is unknown when a part is unknown and no part is not met; `not` keeps
 * unknown as unknown.
 */
export function judgeCondition(condition: CriterionCondition, judging: Judging): JudgedCondition {
  switch (condition.word) {
    case 'all':
      return several(condition.of, condition.of.length, judging);
    case 'any':
      return several(condition.of, 1, judging);
    case 'some':
      return several(condition.of, condition.atLeast, judging);
    case 'not':
      return opposite(judgeCondition(condition.of, judging));
    default:
      return leafOf(condition, judging);
  }
}

function several(conditions: readonly CriterionCondition[], needed: number, judging: Judging): JudgedCondition {
  const all = conditions.map((one) => judgeCondition(one, judging));
  const [met, unknown, unmet] = (['met', 'unknown', 'not met'] as const).map((verdict) =>
    all.filter((one) => one.verdict === verdict),
  ) as [JudgedCondition[], JudgedCondition[], JudgedCondition[]];
  if (met.length >= needed) return judgedBy('met', met);
  if (met.length + unknown.length < needed) return judgedBy('not met', unmet);
  return { ...judgedBy('unknown', unknown), cost: cheapest(unknown) };
}

function judgedBy(verdict: CriterionVerdict, parts: readonly JudgedCondition[]): JudgedCondition {
  return {
    verdict,
    because: [...new Set(parts.map(({ because }) => because))].join('; '),
    places: [...new Set(parts.flatMap(({ places }) => places))],
  };
}

function cheapest(parts: readonly JudgedCondition[]): Cost {
  const found = parts.flatMap(({ cost }) => cost ?? []);
  return costs.find((cost) => found.includes(cost)) ?? 'somewhere in the chart';
}

function opposite(judged: JudgedCondition): JudgedCondition {
  if (judged.verdict === 'unknown') return judged;
  return { ...judged, verdict: judged.verdict === 'met' ? 'not met' : 'met' };
}

function leafOf(
  condition: Exclude<CriterionCondition, { word: 'all' | 'any' | 'some' | 'not' }>,
  judging: Judging,
): JudgedCondition {
  switch (condition.word) {
    case 'trial':
      return trialOf(condition, judging);
    case 'test':
      return testOf(condition, judging);
    case 'age':
      return ageOf(condition, judging);
    case 'specialty':
      return specialtyOf(condition, judging);
    case 'diagnosis':
      return diagnosisOf(condition, judging);
    case 'therapy':
      return therapyOf(condition, judging);
    case 'intolerance':
      return intoleranceOf(condition, judging);
    case 'concurrent':
      return concurrentOf(condition, judging);
    case 'quantity':
      return quantityOf(condition, judging);
    case 'person':
      return unknown(`only a person can say it: ${condition.says}`, 'a person says it');
  }
}

function met(because: string, ...places: readonly string[]): JudgedCondition {
  return { verdict: 'met', because, places };
}

function unmet(because: string, ...places: readonly string[]): JudgedCondition {
  return { verdict: 'not met', because, places };
}

function unknown(because: string, cost: Cost, ...places: readonly string[]): JudgedCondition {
  return { verdict: 'unknown', because, places, cost };
}

interface Row {
  readonly trial: DeepPartial<AnsweredTrial>;
  readonly place: string;
}

function trialOf({ says }: Leaf<'trial'>, { body, isNamed }: Judging): JudgedCondition {
  const rows = (body.trials ?? []).flatMap((trial, index): Row[] =>
    trial !== undefined && says.of.some((name) => isNamed(trial.ingredient ?? '', name))
      ? [{ trial, place: `trials[${index}]` }]
      : [],
  );
  const enough = rows.filter(({ trial }) => counts(trial, says) && isOfWhole(trial, says.of, isNamed));
  const drugs = Map.groupBy(enough, ({ trial }) => trial.ingredient ?? '');
  const places = enough.map(({ place }) => place);
  if (drugs.size >= says.count) return met(`${enough.map(({ trial }) => shortText(trial)).join(', ')}`, ...places);
  const shown = rows.map(({ trial }) => shortText(trial)).join(', ');
  const wanted = says.days === undefined ? '' : ` of at least ${says.days} days`;
  const because =
    shown === '' ? `the chart shows no trial${wanted} of ${says.of.join(', ')}` : `the chart shows ${shown}`;
  return unknown(because, 'a record from elsewhere', ...rows.map(({ place }) => place));
}

function counts(trial: DeepPartial<AnsweredTrial>, { days, ended }: Leaf<'trial'>['says']): boolean {
  // A row with `not_counted`, such as a sample, never counts.
  if (trial.not_counted !== undefined) return false;
  if (ended?.some((outcome) => trial.outcome?.includes(outcome) === true) === true) return true;
  if (days === undefined) return ended === undefined;
  // `takenDays` leaves out supply for days ahead or after the stop, which may not have been taken.
  return takenDays(trial) >= days;
}

// A combination counts only if one of the names covers all its ingredients. If the site counts combinations, one
// ingredient is enough.
function isOfWhole(
  { ingredient = '', parts_not_counted: refused }: DeepPartial<AnsweredTrial>,
  names: readonly string[],
  isNamed: Judging['isNamed'],
): boolean {
  return refused === undefined || names.some((name) => partsOf(ingredient).every((part) => isNamed(part, name)));
}

function takenDays(trial: DeepPartial<AnsweredTrial>): number {
  const { days_covered: covered = 0, days_ahead: ahead = 0, days_after_stop: afterStop = 0 } = trial;
  return covered - ahead - afterStop;
}

function shortText(trial: DeepPartial<AnsweredTrial>): string {
  const { ingredient, about_days: about, outcome = [], not_counted: refused, parts_not_counted: whole } = trial;
  const length = trial.days_covered === undefined ? undefined : `${takenDays(trial)} days covered`;
  const parts = [length, about === undefined ? undefined : `about ${about} days, as told`, ...outcome, refused, whole];
  const said = parts.filter((part) => part !== undefined).join(', ');
  return said === '' ? `${ingredient}` : `${ingredient} (${said})`;
}

function testOf({ says }: Leaf<'test'>, { body }: Judging): JudgedCondition {
  const { since, ordered = since } = body.therapy ?? {};
  if (says.when !== undefined && since === undefined)
    return unknown('the chart does not say when the drug was begun', 'somewhere in the chart');
  const found = [
    ...(body.tests?.results ?? []).map((test, index) => ({ test, place: `tests.results[${index}]` })),
    ...(body.severity?.scores ?? []).map((test, index) => ({ test, place: `severity.scores[${index}]` })),
  ].flatMap(({ test, place }) => (test?.test === says.name ? [{ test, place }] : []));
  const [newest] = found.filter(({ test }) => isAt(test.date ?? '', says.when, { since, ordered }));
  if (newest === undefined) return unknown(`the chart has no ${says.name}${timeText(says)}`, 'a new test');
  const { test, place } = newest;
  if (says.withinDays !== undefined && test.age_days === undefined)
    return unknown(`${testText(test)}, of which no day is known`, 'somewhere in the chart', place);
  if (says.withinDays !== undefined && (test.age_days ?? 0) > says.withinDays)
    return unknown(`${testText(test)}, older than ${says.withinDays} days`, 'a new test', place);
  return says.is === undefined ? worded(says.says, test, place) : compared(says, test, place);
}

// It is unknown how long after the first order the first dose was taken, so a result counts as before the first dose
// only if it is no later than that order.
function isAt(date: string, when: Leaf<'test'>['says']['when'], { since = '', ordered = '' }: Begun): boolean {
  const day = wholeDate(date);
  if (when === undefined) return true;
  if (day === undefined) return false;
  return when === 'before first dose' ? day <= ordered.slice(0, 10) : day > since.slice(0, 10);
}

type Begun = Pick<NonNullable<DeepPartial<AnswersSheet>['therapy']>, 'since' | 'ordered'>;

function timeText({ when, withinDays }: Leaf<'test'>['says']): string {
  return `${when === undefined ? '' : ` ${when}`}${withinDays === undefined ? '' : ` in ${withinDays} days`}`;
}

function worded(
  wanted: readonly string[] | undefined,
  test: DeepPartial<AnsweredTest>,
  place: string,
): JudgedCondition {
  if (wanted === undefined) return met(testText(test), place);
  const said = `${test.value ?? ''}`.trim().toLowerCase();
  // Different words may mean the same result, so a person has to compare them.
  return wanted.some((words) => words.toLowerCase() === said)
    ? met(testText(test), place)
    : unknown(`${testText(test)}: read whether it says ${wanted.join(' or ')}`, 'a person says it', place);
}

const holds: Readonly<Record<Comparator, (left: number, right: number) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '=': (left, right) => left === right,
  '>=': (left, right) => left >= right,
  '>': (left, right) => left > right,
};

function compared(says: Leaf<'test'>['says'], test: DeepPartial<AnsweredTest>, place: string): JudgedCondition {
  const { is, value, unit } = says;
  if (is === undefined || value === undefined || typeof test.number !== 'number')
    return unknown(`${testText(test)} is no number that can be compared`, 'a person says it', place);
  if (!isSameUnit(unit, test.unit))
    return unknown(
      `${testText(test)} is in ${test.unit ?? 'no unit'}, not in ${unit ?? 'none'}`,
      'a person says it',
      place,
    );
  return holds[is](test.number, value) ? met(testText(test), place) : unmet(testText(test), place);
}

// Units are equal if they differ only in case, brackets and spaces; values are not converted.
function isSameUnit(one: string | undefined, other: string | undefined): boolean {
  const plain = (unit: string | undefined) => (unit ?? '').toLowerCase().replace(/[[\]{}\s]/g, '');
  return plain(one) === plain(other);
}

function ageOf({ says }: Leaf<'age'>, { body }: Judging): JudgedCondition {
  const years = body.patient?.age_years;
  if (years === undefined) return unknown('the chart has no whole birth date', 'somewhere in the chart');
  const isIn = (says.atLeast ?? 0) <= years && years < (says.below ?? Number.POSITIVE_INFINITY);
  return (isIn ? met : unmet)(`${years} years old`, 'patient.age_years');
}

function specialtyOf({ says }: Leaf<'specialty'>, { body }: Judging): JudgedCondition {
  const { text = '', nucc = '' } = body.specialty ?? {};
  if (text === '' && nucc === '') return unknown('the chart has no specialty of the prescriber', 'a person says it');
  const isOne = says.some((one) => one === nucc || text.toLowerCase().includes(one.toLowerCase()));
  const said = text === '' ? nucc : text;
  // A specialist may have been consulted without a record in the chart.
  return isOne ? met(said, 'specialty') : unknown(`the prescriber is ${said}`, 'a person says it', 'specialty');
}

function diagnosisOf({ says }: Leaf<'diagnosis'>, { body }: Judging): JudgedCondition {
  const plain = (code: string) => code.replace('.', '').toUpperCase();
  const codes = (body.diagnosis ?? []).flatMap((one, index) =>
    one?.code === undefined ? [] : [{ code: one.code, index }],
  );
  if (codes.length === 0) return unknown('the order states no coded reason', 'a person says it');
  const found = codes.find(({ code }) => says.some((one) => plain(code).startsWith(plain(one))));
  if (found !== undefined) return met(found.code, `diagnosis[${found.index}].code`);
  return unmet(codes.map(({ code }) => code).join(', '), ...codes.map(({ index }) => `diagnosis[${index}].code`));
}

function therapyOf({ says }: Leaf<'therapy'>, { body }: Judging): JudgedCondition {
  const { status, basis, in_other_form: isInOtherForm } = body.therapy ?? {};
  // The payer decides whether treatment with another form counts as continuing.
  if (isInOtherForm === true) return unknown(`in another form: ${basis}`, 'a person says it', 'therapy.status');
  if (status === 'continuing') return (says === 'continuing' ? met : unmet)(basis ?? '', 'therapy.status');
  // A chart cannot show that a drug is new: earlier use may be recorded elsewhere.
  return unknown(basis ?? 'not all of the chart was read', 'a person says it', 'therapy.status');
}

function intoleranceOf({ says }: Leaf<'intolerance'>, { body, isNamed }: Judging): JudgedCondition {
  const isMeant = (name: string) => says.some((one) => isNamed(name, one));
  // An intolerance that ended a trial is judged with the trials. A contraindication is not an intolerance.
  const ofTrials = ['not tolerated', 'contraindicated'];
  const allergies = (body.intolerance ?? []).flatMap((one, index) =>
    !ofTrials.includes(one?.type ?? '') && isMeant(one?.substance ?? '')
      ? [{ said: `${one?.substance}`, place: `intolerance[${index}]` }]
      : [],
  );
  const trials = (body.trials ?? []).flatMap((one, index) =>
    one?.outcome?.includes('not tolerated') === true && isMeant(one.ingredient ?? '')
      ? [{ said: shortText(one), place: `trials[${index}]` }]
      : [],
  );
  const found = [...allergies, ...trials];
  if (found.length === 0)
    return unknown(`the chart shows no intolerance of ${says.join(', ')}`, 'somewhere in the chart');
  return met(found.map(({ said }) => said).join(', '), ...found.map(({ place }) => place));
}

const otherForm: Relation = 'same ingredient, other form';

function concurrentOf({ says }: Leaf<'concurrent'>, { body, isNamed }: Judging): JudgedCondition {
  const found = (body.concurrent ?? []).flatMap((one, index) =>
    // A criterion that asks for a second drug does not mean the ordered drug in another form.
    one?.relation !== otherForm && says.some((name) => isNamed(one?.drug ?? '', name))
      ? [{ one, place: `concurrent[${index}]` }]
      : [],
  );
  if (found.length === 0) return unknown(`the chart shows no ${says.join(', ')} taken now`, 'a person says it');
  const taken = found.filter(({ one }) => one?.as_of === undefined);
  const shown = taken.length === 0 ? found : taken;
  const said = shown.map(({ one }) => {
    if (one?.as_of !== undefined) return `${one.drug} as of ${dayText(one.as_of)}`;
    return one?.since === undefined ? `${one?.drug}` : `${one.drug} since ${dayText(one.since)}`;
  });
  const places = shown.map(({ place }) => place);
  // A drug last reported long ago may no longer be taken.
  return taken.length === 0 ? unknown(said.join(', '), 'a person says it', ...places) : met(said.join(', '), ...places);
}

function quantityOf({ says }: Leaf<'quantity'>, { body }: Judging): JudgedCondition {
  const { quantity_number: amount, quantity_unit: unit, days_supply: days } = body.dose ?? {};
  if (amount === undefined || days === undefined)
    return unknown('the order does not say for how many days its quantity is', 'a person says it');
  const said = `${amountWords(`${amount}`, unit ?? '')} for ${days} days`;
  if (!isSameUnit(says.unit, unit)) return unknown(`${said}, not in ${says.unit}`, 'a person says it', 'dose.quantity');
  return (amount * says.perDays <= says.atMost * days ? met : unmet)(said, 'dose.quantity', 'dose.days_supply');
}
