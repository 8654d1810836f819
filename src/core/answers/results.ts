import type { DiagnosticReport, Observation, ObservationComponent } from 'fhir/r4.js';
import { isOfOne, testsAsked } from '../evidence/asked-tests.ts';
import { type Cited, cite, nodeOf } from '../evidence/cite.ts';
import { evidenceDay } from '../evidence/dates.ts';
import { presentReasons } from '../evidence/finding.ts';
import { conclusionOf, valueText } from '../evidence/result-value.ts';
import { labelOf } from '../fhir/codes/concept.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { daysBetween } from '../fhir/time/calendar-days.ts';
import { newestFirst } from '../fhir/time/newest-first.ts';
import type { Node } from '../mapping/input.ts';
import type { Answering } from './answering.ts';
import { type Beginning, beginningOf, firstOrdered, isOlder } from './begun.ts';
import type { Measured } from './measured.ts';
import { type Effect, earlierEntries, effectOf, restartOf } from './therapy.ts';

/** How many of the newest results of one test are shown. */
const newestShown = 3;

/** How many results are shown for tests that reviewers do not commonly ask for, newest first. */
const mostOthers = 40;

/**
 * The results of the tests that reviewers commonly ask for with the ordered drug, newest first. Then the newest result
 * of every other laboratory test, report, vital sign and measure that is not about the severity of the disease. One
 * node each.
 */
export function testsAround(around: Answering): Node[] {
  const asked = askedTests(around);
  const measured = asked.flatMap((name) => newestShownOf(resultsOf(around, name), around));
  const single = vitals.filter((name) => newestOf(resultsOf(around, name), around).length < 2);
  const others = [
    ...newestOthers(around, ({ group }) => group === 'test', asked),
    ...newestOthers(around, (one) => one.group === 'vital', single),
    ...newestOthers(around, (one) => !measuresOther(one) && isResult(one) && !isOfDisease(one, around), []),
  ];
  return [...measured, ...others].map((result) => nodeOf({ test: factsOf(result, around) }, result.located));
}

function measuresOther({ group }: Measured): boolean {
  return group === 'test' || group === 'vital';
}

// Results of the same instant are shown together or not at all, so the number may exceed `newestShown`.
function newestShownOf(results: readonly Measured[], around: Answering): readonly Measured[] {
  const last = results[newestShown - 1];
  const more = last === undefined ? [] : results.slice(newestShown).filter((one) => isSameInstant(one, last, around));
  return [...results.slice(0, newestShown), ...more];
}

/**
 * The newest result. The chart does not say which of several values at the same instant is valid, so all of them are
 * returned.
 */
function newestOf<Of extends Measured>(results: readonly Of[], around: Answering): Of[] {
  const [newest] = results;
  if (newest === undefined) return [];
  const together = results.filter((one) => isSameInstant(one, newest, around));
  const values = together.map(saidBy);
  return together.filter((one, index) => values.indexOf(saidBy(one)) === index);
}

function isSameInstant(one: Measured, other: Measured, { chart }: Answering): boolean {
  return newestFirst(chart.today.timeZone)(one.date?.value, other.date?.value) === 0;
}

function saidBy({ called, located }: Measured): string {
  if (isReport(located)) return conclusionOf(located)?.value ?? '';
  const { resource } = located;
  const parts = (resource.component ?? []).map((part) => `${labelOf(part.code)} ${valueText(part)}`);
  return [called?.value, valueText(resource), ...parts].join('|');
}

/** One node for each asked test that the chart lacks. */
export function missingTests(around: Answering): Node[] {
  return askedTests(around)
    .filter((name) => [name, name.toLowerCase()].every((one) => resultsOf(around, one).length === 0))
    .map((name) => nodeOf({ missing: { test: name } }, around.chart.order));
}

// The newest result under each name, newest first. Reports of a test in the tables are not included.
function newestOthers(around: Answering, isShown: (one: Measured) => boolean, but: readonly string[]): Measured[] {
  const compare = newestFirst(around.chart.today.timeZone);
  return [...around.measured().keys()]
    .filter((concept) => !but.includes(concept))
    .flatMap((concept) => newestOf(resultsOf(around, concept), around))
    .filter((one) => isShown(one) && (isResult(one) || around.knowledge.evidence.kindOf(one.concept) === undefined))
    .sort((one, other) => compare(one.date?.value, other.date?.value))
    .slice(0, mostOthers);
}

function askedTests({ ordered, classes, codes, knowledge }: Answering): string[] {
  const { kindOf } = knowledge.evidence;
  return testsAsked(ordered, classes(), codes()).filter((name) => kindOf(name) !== 'Score');
}

export function scoresAround(around: Answering): Node[] {
  const names = scoreNames(around);
  const asked = names.flatMap((name) => newestOf(resultsOf(around, name), around));
  return [...asked, ...newestOthers(around, () => true, names)]
    .filter((one) => (one.group === 'score' ? isOfDisease(one, around) : isSeverity(one, around)))
    .map((newest) => nodeOf({ score: factsOf(newest, around) }, newest.located));
}

// A test measures severity only for the diseases in its score row.
function isSeverity({ group, score }: Measured, { codes }: Answering): boolean {
  return group === 'test' && score !== undefined && codes().length > 0 && isOfOne(codes(), score.diagnoses);
}

// Without a coded diagnosis, the classes of the drug stand for the disease.
function isOfDisease({ score }: Measured, { codes, classes }: Answering): boolean {
  if (score === undefined) return false;
  if (codes().length > 0) return isOfOne(codes(), score.diagnoses);
  return classes().some(({ name }) => score.classes.includes(name));
}

function scoreNames({ classes, knowledge }: Answering): string[] {
  const { kindOf } = knowledge.evidence;
  const asked = classes()
    .flatMap(({ asks }) => asks)
    .filter((name) => kindOf(name) === 'Score');
  const known = new Set(classes().map(({ name }) => name));
  const byName = knowledge.scores.filter((row) => row.classes.some((name) => known.has(name)));
  return [...new Set([...asked, ...byName.map(({ name }) => name)])];
}

/**
 * One node for each measure and body site, with its value before the drug was started and its value now. If the drug
 * was restarted after a gap, the node also has the value before the restart. Each of several values at the same instant
 * gets a node.
 */
export function responsesAround(around: Answering): Node[] {
  const entries = earlierEntries(around);
  const beginning = beginningOf(entries, around);
  const restarted = restartOf(entries, around);
  if (beginning === undefined) return [];
  const course: DrugCourse = {
    ...{ beginning, restarted, ordered: firstOrdered(entries, around), effect: effectOf(entries, around) },
  };
  const asked = askedTests(around);
  const others = [...around.measured().keys()].filter((name) => name !== 'Body height');
  return [...new Set([...asked, ...scoreNames(around), ...others])].flatMap((name) => {
    const results = resultsOf(around, name).filter((one): one is Dated => mayRespond(one, asked, around));
    return [...Map.groupBy(results, ({ site }) => site).values()].flatMap((ofSite) => respond(ofSite, course, around));
  });
}

/** A date that is only a year or a month cannot be placed before or after the start of the drug. */
type Dated = Measured & { readonly day: string };

interface DrugCourse {
  readonly beginning: Beginning;
  readonly effect: Effect;
  readonly restarted: Cited<string> | undefined;
  readonly ordered: Cited<string> | undefined;
}

function respond(results: readonly Dated[], course: DrugCourse, around: Answering): Node[] {
  const { beginning, restarted, effect } = course;
  const [sign, first] = [evidenceDay(beginning.sign), evidenceDay(beginning.first)];
  if (sign === undefined || first === undefined) return [];
  const again = evidenceDay(restarted);
  const before = newestOf(
    results.filter(({ day }) => day <= sign),
    around,
  );
  const since = results.filter(({ day }) => day > first && day <= effect.until);
  const now = newestOf(lastWithIt(since, effect), around);
  const between = results.find(({ day }) => again !== undefined && day > first && day <= again);
  return before.flatMap((one) => now.map((other) => nodeOfResponse(one, other, { ...course, between })));
}

// A result measured during a gap in therapy is used only without any other. The node then has the gap.
function lastWithIt(results: readonly Dated[], { gapOn }: Effect): readonly Dated[] {
  const withIt = results.filter(({ day }) => gapOn(day) === undefined);
  return withIt.length === 0 ? results : withIt;
}

function nodeOfResponse(
  before: Dated,
  now: Dated,
  { between, restarted, effect, beginning, ordered }: DrugCourse & { readonly between: Dated | undefined },
): Node {
  // A result from before the restart shows nothing about the time after the restart.
  const later = now.day > (evidenceDay(restarted) ?? '') ? between : undefined;
  const all = [before, now, ...(later === undefined ? [] : [later])];
  const gap = effect.gapOn(now.day);
  const { by, first } = beginning;
  const facts = {
    measure: now.name,
    before: comparedTo(now, before),
    ...(by === 'order' || isOlder(ordered, before.date) ? { ordered } : {}),
    ...(by === 'order' ? { byOrder: true } : {}),
    ...(by === 'samples' ? { sampled: first } : {}),
    ...(later === undefined ? {} : { beforeRestart: comparedTo(now, later), restarted }),
    now: measureOf(now),
    ...(gap === undefined ? {} : { withoutSupply: { from: gap.from, to: gap.to } }),
    ...presentReasons({
      sensitive: all.map(({ sensitive }) => sensitive()).find((category) => category !== undefined),
    }),
  };
  return nodeOf({ response: facts }, now.located);
}

// A result with another name keeps that name, for example "IgG" before "IgG, trough".
function comparedTo({ name }: Measured, one: Measured) {
  const isNamedAlike = one.name.value.toLowerCase() === name.value.toLowerCase();
  return { ...measureOf(one), ...(isNamedAlike || one.called !== undefined ? {} : { called: one.name }) };
}

// Unknown measures, measures of another disease, and safety tests do not show a response to the drug.
function mayRespond(one: Measured, asked: readonly string[], around: Answering): boolean {
  if (one.day === undefined) return false;
  if (measuresOther(one)) return isOfOrder(one, asked, around);
  return one.group === 'score' && (around.codes().length === 0 || isOfDisease(one, around));
}

function isOfOrder({ concept, group }: Measured, asked: readonly string[], around: Answering): boolean {
  const isCoded = around.codes().length > 0;
  // Without a coded diagnosis, vital signs and any test that is asked for with the drug count as measures of its
  // disease.
  if (!isCoded && (group === 'vital' || asked.includes(concept))) return true;
  return isOfOne(around.codes(), around.knowledge.evidence.diseasesOf(concept));
}

/** Weight, height and the measures derived from them, from the newest vital signs. */
export function vitalsAround(around: Answering): Node[] {
  return vitals.flatMap((name) => {
    const [newest, ...others] = newestOf(resultsOf(around, name), around);
    // When two values have the same instant, neither can be called the patient's current value.
    if (newest === undefined || others.length > 0 || newest.sensitive() !== undefined) return [];
    return [nodeOf({ vital: { kind: name, ...factsOf(newest, around) } }, newest.located)];
  });
}

const vitals = ['Body weight', 'Body height', 'Body mass index', 'Body surface area'];

// Reports are used only for a test without results.
function resultsOf({ measured }: Answering, name: string): readonly Measured[] {
  const all = measured().get(name) ?? [];
  const results = all.filter(isResult);
  return results.length === 0 ? all : results;
}

function isResult({ located }: Measured): boolean {
  return !isReport(located);
}

function isReport(located: Measured['located']): located is Located<DiagnosticReport> {
  return located.resource.resourceType === 'DiagnosticReport';
}

function factsOf(result: Measured, { chart, policy }: Answering) {
  const { concept, day, sensitive, name, located } = result;
  const ageDays = day === undefined ? undefined : daysBetween(day, chart.today.day);
  const windowDays = policy.windows[concept];
  return {
    name,
    ageDays,
    windowDays,
    ...(windowDays === undefined || ageDays === undefined ? {} : { inWindow: ageDays <= windowDays }),
    ...measureOf(result),
    source: cite(located, located.reference),
    ...presentReasons({ sensitive: sensitive() }),
  };
}

function measureOf({ located, date, called }: Measured) {
  const all = { date, ...(called === undefined ? {} : { called }) };
  if (isReport(located)) return { ...all, value: conclusionOf(located), components: [] };
  const { resource } = located;
  // The mapping reads the interpretation and reference range from the Observation itself.
  const observation = cite(located, resource);
  return { ...all, ...valueIn(located, resource, ''), components: componentsOf(located, resource), observation };
}

function componentsOf(located: Located, { component = [] }: Observation) {
  return component.flatMap((one, index) => {
    const { value } = valueIn(located, one, `component[${index}].`);
    const test = meaningful(labelOf(one.code)) ?? 'unnamed';
    return value === undefined ? [] : [{ test: cite(located, test, `component[${index}].code`), value }];
  });
}

interface Valued {
  readonly value?: Cited;
  readonly number?: Cited<number>;
  readonly unit?: Cited<string>;
}

/** The value as the chart writes it, and its number and unit unless the value has a comparator such as `<`. */
function valueIn(located: Located, holder: Observation | ObservationComponent, at: string): Valued {
  const element = Object.keys(holder).find((key) => key.startsWith('value'));
  const value = valueText(holder);
  if (element === undefined || value === undefined) return {};
  const { valueQuantity, valueInteger } = holder;
  const number = valueQuantity?.comparator === undefined ? (valueQuantity?.value ?? valueInteger) : undefined;
  const stated = valueQuantity?.unit ?? valueQuantity?.code;
  const unit = stated === '1' ? undefined : stated;
  return {
    value: cite(located, value, `${at}${element}`),
    ...(number === undefined ? {} : { number: cite(located, number, `${at}${element}`) }),
    ...(unit === undefined ? {} : { unit: cite(located, unit, `${at}${element}`) }),
  };
}
