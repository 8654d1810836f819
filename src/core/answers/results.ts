import type { Observation, ObservationComponent } from 'fhir/r4.js';
import { type Cited, cite, nodeOf } from '../evidence/cite.ts';
import { evidenceDay } from '../evidence/dates.ts';
import { presentReasons } from '../evidence/finding.ts';
import { valueText } from '../evidence/result-value.ts';
import { labelOf } from '../fhir/codes/concept.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { daysBetween } from '../fhir/time/calendar-days.ts';
import { newestFirst } from '../fhir/time/newest-first.ts';
import type { Node } from '../mapping/input.ts';
import type { Answering } from './answering.ts';
import type { Measured } from './measured.ts';
import { earlierEntries, firstTaken } from './therapy.ts';

/** How many results of one test are shown, the newest first. */
const newestShown = 3;

/** Rows of results that nobody asked for, the newest ones. */
const mostOthers = 40;

/**
 * The tests that reviewers commonly ask for with a drug of the order's classes, the newest results of each; behind them
 * the newest result of every other laboratory test, report and vital sign. One node each.
 */
export function testsAround(around: Answering): Node[] {
  const asked = askedTests(around);
  const measured = asked.flatMap((name) => resultsOf(around, name).slice(0, newestShown));
  const others = [...newestOthers(around, 'test', asked), ...newestOthers(around, 'vital', vitals)];
  return [...measured, ...others].map((result) => nodeOf({ test: factsOf(result, around) }, result.located));
}

/** The requested tests that the chart lacks: one node for each test, with the row that asks for it. */
export function missingTests(around: Answering): Node[] {
  return askedTests(around)
    .filter((name) => [name, name.toLowerCase()].every((one) => resultsOf(around, one).length === 0))
    .map((name) => nodeOf({ missing: { test: name } }, around.chart.order));
}

// By the name of each the newest result, the newest first. A report of a known test is shown for what is asked.
function newestOthers(around: Answering, group: Measured['group'], but: readonly string[]): Measured[] {
  const compare = newestFirst(around.chart.today.timeZone);
  return [...around.measured().keys()]
    .filter((concept) => !but.includes(concept))
    .flatMap((concept) => resultsOf(around, concept)[0] ?? [])
    .filter(
      (one) => one.group === group && (isResult(one) || around.knowledge.evidence.kindOf(one.concept) === undefined),
    )
    .sort((one, other) => compare(one.date?.value, other.date?.value))
    .slice(0, mostOthers);
}

function askedTests({ classes, knowledge }: Answering): string[] {
  const asked = new Set(classes.flatMap(({ asks }) => asks));
  const { kindOf } = knowledge.evidence;
  return [...asked].filter((name) => kindOf(name) !== 'Score');
}

/**
 * The newest of each score and stage of the disease: first those that the classes of the drug ask for, then every other
 * finding that is neither a laboratory test nor a vital sign.
 */
export function scoresAround(around: Answering): Node[] {
  const names = scoreNames(around);
  const asked = names.flatMap((name) => resultsOf(around, name)[0] ?? []);
  return [...asked, ...newestOthers(around, 'score', names)].map((newest) =>
    nodeOf({ score: factsOf(newest, around) }, newest.located),
  );
}

function scoreNames({ classes, knowledge }: Answering): string[] {
  const { kindOf } = knowledge.evidence;
  const asked = classes.flatMap(({ asks }) => asks).filter((name) => kindOf(name) === 'Score');
  const known = new Set(classes.map(({ name }) => name));
  const byName = knowledge.scores.filter(
    (row) => row.classes.length > 0 && (known.size === 0 || row.classes.some((name) => known.has(name))),
  );
  return [...new Set([...asked, ...byName.map(({ name }) => name)])];
}

/** The same measure before the first dose and now: two values with their dates, and no judgement. */
export function responsesAround(around: Answering): Node[] {
  const first = evidenceDay(firstTaken(earlierEntries(around), around));
  if (first === undefined) return [];
  const others = [...around.measured().keys()].filter((name) => name !== 'Body height');
  return [...new Set([...askedTests(around), ...scoreNames(around), ...others])].flatMap((name) => {
    const results = resultsOf(around, name);
    const before = results.find(({ day }) => day <= first);
    const now = results.find(({ day }) => day > first);
    if (before === undefined || now === undefined) return [];
    const facts = {
      measure: now.name,
      before: measureOf(before),
      now: measureOf(now),
      ...presentReasons({ sensitive: before.sensitive() ?? now.sensitive() }),
    };
    return [nodeOf({ response: facts }, now.located)];
  });
}

/** Weight, height and what is worked out from them, as the newest vital signs have them. */
export function vitalsAround(around: Answering): Node[] {
  return vitals.flatMap((name) => {
    const [newest] = resultsOf(around, name);
    if (newest === undefined || newest.sensitive() !== undefined) return [];
    return [nodeOf({ vital: { kind: name, ...factsOf(newest, around) } }, newest.located)];
  });
}

const vitals = ['Body weight', 'Body height', 'Body mass index', 'Body surface area'];

// Reports only of what has no result.
function resultsOf({ measured }: Answering, name: string): readonly Measured[] {
  const all = measured().get(name) ?? [];
  const results = all.filter(isResult);
  return results.length === 0 ? all : results;
}

function isResult({ located }: Measured): boolean {
  return located.resource.resourceType === 'Observation';
}

function factsOf(result: Measured, { chart, policy }: Answering) {
  const { concept, day, sensitive, name, located } = result;
  const ageDays = daysBetween(day, chart.today.day);
  const windowDays = policy.windows[concept];
  return {
    name,
    ageDays,
    ...(windowDays === undefined ? {} : { windowDays, inWindow: ageDays <= windowDays }),
    ...measureOf(result),
    ...notesOf(located),
    source: cite(located, located.reference),
    ...presentReasons({ sensitive: sensitive() }),
  };
}

// The laboratory's remarks beside a value, read by the mapping unchanged.
function notesOf(located: Measured['located']) {
  const { resource } = located;
  return resource.resourceType === 'Observation' ? { observation: cite(located, resource) } : {};
}

function measureOf({ located, date }: Measured) {
  const { resource } = located;
  if (resource.resourceType === 'DiagnosticReport')
    return { date, value: cite(located, resource.conclusion, 'conclusion'), components: [] };
  return { date, ...valueIn(located, resource, ''), components: componentsOf(located, resource) };
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

/** The value as the chart writes it; number and unit by themselves where it is no bound. */
function valueIn(located: Located, holder: Observation | ObservationComponent, at: string): Valued {
  const element = Object.keys(holder).find((key) => key.startsWith('value'));
  const value = valueText(holder);
  if (element === undefined || value === undefined) return {};
  const { valueQuantity, valueInteger } = holder;
  const number = valueQuantity?.comparator === undefined ? (valueQuantity?.value ?? valueInteger) : undefined;
  const unit = valueQuantity?.unit ?? valueQuantity?.code;
  return {
    value: cite(located, value, `${at}${element}`),
    ...(number === undefined ? {} : { number: cite(located, number, `${at}${element}`) }),
    ...(unit === undefined ? {} : { unit: cite(located, unit, `${at}${element}`) }),
  };
}
