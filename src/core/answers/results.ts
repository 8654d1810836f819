import type { DiagnosticReport, Observation, ObservationComponent } from 'fhir/r4.js';
import { type Cited, cite, citeFirst, nodeOf } from '../evidence/cite.ts';
import { dayOf, firstFullDate } from '../evidence/dates.ts';
import { present } from '../evidence/finding.ts';
import { toldBy } from '../evidence/privacy.ts';
import { hasValue, resultDate, valueText } from '../evidence/result-value.ts';
import { isFinalResult } from '../evidence/test-results.ts';
import { labelOf } from '../fhir/concept.ts';
import type { Located } from '../fhir/graph.ts';
import { meaningful } from '../fhir/placeholder.ts';
import { daysBetween } from '../fhir/time/calendar-days.ts';
import { newestFirst } from '../fhir/time/newest-first.ts';
import type { Node } from '../mapping/input.ts';
import type { Around } from './around.ts';
import type { ScoreRow } from './knowledge.ts';
import { earlierEntries, firstTaken } from './therapy.ts';

/** Results of one test that are shown, the newest ones. */
const newestShown = 3;

/** The tests that reviewers commonly ask for with a drug of the order's classes: one node a test with its results. */
export function testsAround(around: Around): Node[] {
  const asked = askedTests(around);
  const measured = asked.flatMap((name) => {
    const results = resultsOf(around, name);
    const reports = results.length === 0 ? reportsOf(around, name) : [];
    return [...results, ...reports].slice(0, newestShown);
  });
  return measured.map((result) => nodeOf({ test: factsOf(result, around) }, result.located));
}

/** The asked tests of which the chart has nothing: one node a test, with the row that asks for it. */
export function missingTests(around: Around): Node[] {
  return askedTests(around)
    .filter((name) => resultsOf(around, name).length === 0 && reportsOf(around, name).length === 0)
    .map((name) => nodeOf({ missing: { test: name } }, around.chart.order));
}

function askedTests({ classes, knowledge }: Around): string[] {
  const asked = new Set(classes.flatMap(({ asks }) => asks));
  const { kindOf } = knowledge.evidence;
  return [...asked].filter((name) => kindOf(name) !== 'Score');
}

/** Scores and stages of the disease: those that the classes of the drug ask for, of an unknown class all known ones. */
export function scoresAround(around: Around): Node[] {
  return scoreNames(around).flatMap((name) => {
    const [newest] = resultsOf(around, name);
    return newest === undefined ? [] : [nodeOf({ score: factsOf(newest, around) }, newest.located)];
  });
}

function scoreNames({ classes, knowledge }: Around): string[] {
  const { kindOf } = knowledge.evidence;
  const asked = classes.flatMap(({ asks }) => asks).filter((name) => kindOf(name) === 'Score');
  const known = new Set(classes.map(({ name }) => name));
  const byName = knowledge.scores.filter(
    (row) => row.classes.length > 0 && (known.size === 0 || row.classes.some((name) => known.has(name))),
  );
  return [...new Set([...asked, ...byName.map(({ name }) => name)])];
}

/** The same measure before the first dose and now: two values with their dates, and no judgement. */
export function responsesAround(around: Around): Node[] {
  const first = dayOf(firstTaken(earlierEntries(around), around));
  if (first === undefined) return [];
  return [...askedTests(around), ...scoreNames(around)].flatMap((name) => {
    const results = resultsOf(around, name);
    const before = results.find(({ day }) => day <= first);
    const now = results.find(({ day }) => day > first);
    if (before === undefined || now === undefined) return [];
    const facts = {
      measure: now.name,
      before: measureOf(before),
      now: measureOf(now),
      ...present({ sensitive: before.sensitive ?? now.sensitive }),
    };
    return [nodeOf({ response: facts }, now.located)];
  });
}

/** Weight, height and what is worked out from them, as the newest vital signs have them. */
export function vitalsAround(around: Around): Node[] {
  return vitals.flatMap((name) => {
    const [newest] = resultsOf(around, name);
    if (newest === undefined || newest.sensitive !== undefined) return [];
    return [nodeOf({ vital: { kind: name, ...factsOf(newest, around) } }, newest.located)];
  });
}

const vitals = ['Body weight', 'Body height', 'Body mass index', 'Body surface area'];

interface Measured {
  readonly name: Cited<string>;
  readonly concept: string;
  readonly located: Located<Observation | DiagnosticReport>;
  readonly date: Cited<string> | undefined;
  readonly day: string;
  readonly sensitive: string | undefined;
}

/** Final results of a test with a value and a full date, not after the day of the request, newest first. */
function resultsOf({ chart, knowledge, privacy }: Around, concept: string): Measured[] {
  const compare = newestFirst(chart.today.timeZone);
  const row = knowledge.scores.find(({ name }) => name === concept);
  return chart
    .mine('Observation')
    .filter((result) => isFinalResult(result) && hasValue(result))
    .filter(({ resource }) =>
      row === undefined ? knowledge.evidence.labConceptOf(resource.code)?.name === concept : isCalled(resource, row),
    )
    .flatMap((located): Measured[] => {
      const date = firstFullDate(resultDate(located));
      const day = dayOf(date);
      if (day === undefined || day > chart.today.day) return [];
      const { resource } = located;
      const sensitive = privacy.of(located, ...toldBy(resource)) ?? privacy.unknown(resource.code);
      return [{ name: cite(located, concept, 'code'), concept, located, date, day, sensitive }];
    })
    .sort((one, other) => compare(one.date?.value, other.date?.value));
}

function isCalled({ code, valueQuantity }: Observation, { called, units }: ScoreRow): boolean {
  const unit = valueQuantity?.unit ?? valueQuantity?.code;
  if (units !== undefined && (unit === undefined || !units.includes(unit))) return false;
  const names = [code?.text, ...(code?.coding ?? []).map(({ display }) => display)];
  return names.some((name) => {
    const words = meaningful(name)?.toLowerCase();
    return words !== undefined && called.some((spelling) => spelling.toLowerCase() === words);
  });
}

// A report without results of its own says its conclusion in words.
function reportsOf({ chart, knowledge, privacy }: Around, concept: string): Measured[] {
  const compare = newestFirst(chart.today.timeZone);
  return chart
    .mine('DiagnosticReport')
    .filter(({ resource }) => ['final', 'amended', 'corrected'].includes(resource.status))
    .filter(({ resource }) => meaningful(resource.conclusion) !== undefined)
    .filter(({ resource }) => knowledge.evidence.labConceptOf(resource.code)?.name === concept)
    .flatMap((located): Measured[] => {
      const { effectiveDateTime, effectivePeriod, issued, code, conclusion } = located.resource;
      const date = firstFullDate(
        citeFirst(located, { effectiveDateTime, 'effectivePeriod.end': effectivePeriod?.end, issued }),
      );
      const day = dayOf(date);
      if (day === undefined || day > chart.today.day) return [];
      const sensitive = privacy.of(located, code, conclusion);
      return [{ name: cite(located, concept, 'code'), concept, located, date, day, sensitive }];
    })
    .sort((one, other) => compare(one.date?.value, other.date?.value));
}

function factsOf(result: Measured, { chart, policy }: Around) {
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
    ...present({ sensitive }),
  };
}

// What a laboratory says beside a value, read by the mapping in its own words.
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
