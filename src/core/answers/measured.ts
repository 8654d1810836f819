import type { DiagnosticReport, Observation } from 'fhir/r4.js';
import { type Cited, cite, citeFirst } from '../evidence/cite.ts';
import { evidenceDay, firstFullDate } from '../evidence/dates.ts';
import { hasResultValue, resultDate } from '../evidence/result-value.ts';
import { toldBy } from '../evidence/sensitive-reach.ts';
import { isFinalResult } from '../evidence/test-results.ts';
import { hasCode, labelOf } from '../fhir/codes/concept.ts';
import { once } from '../fhir/once.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { newestFirst } from '../fhir/time/newest-first.ts';
import type { Around } from './around.ts';
import type { ScoreRow } from './knowledge.ts';
import { saidIn, saysNotDone } from './not-done.ts';

/** A result of a test or score, or a report with its conclusion as text. */
export interface Measured {
  readonly name: Cited<string>;
  /** The name of its lab concept or score, else its own name in lower case. */
  readonly concept: string;
  readonly located: Located<Observation | DiagnosticReport>;
  readonly date: Cited<string> | undefined;
  readonly day: string;
  /** The list of the sheet that shows it: by the row of the tables, else by its category. */
  readonly group: 'test' | 'score' | 'vital';
  readonly sensitive: () => string | undefined;
}

/** Measurements by the name of the test or score, newest first; reports after results. */
export function measuredIn(around: Around): ReadonlyMap<string, readonly Measured[]> {
  const compare = newestFirst(around.chart.today.timeZone);
  const newest = (one: Measured, other: Measured) => compare(one.date?.value, other.date?.value);
  const all = [...resultsIn(around).sort(newest), ...reportsIn(around).sort(newest)];
  return Map.groupBy(all, ({ concept }) => concept);
}

// Final results with a value and a full date, not after the day of the request.
function resultsIn(around: Around): Measured[] {
  const { privacy, knowledge } = around;
  const scores = scoresBySpelling(knowledge.scores);
  return around.chart
    .mine('Observation')
    .filter((result) => isFinalResult(result) && hasResultValue(result) && !saysNotDone(wordsIn(result.resource)))
    .flatMap((located) => {
      const { resource } = located;
      const sensitive = () => privacy.of(located, ...toldBy(resource)) ?? privacy.unknown(resource.code);
      return measured(
        located,
        namesOf(resource, around, scores),
        firstFullDate(resultDate(located)),
        sensitive,
        around,
      );
    });
}

// A value as text may say that there is no result.
function wordsIn({ valueString, valueCodeableConcept }: Observation): string {
  return valueString ?? labelOf(valueCodeableConcept) ?? '';
}

interface Named extends Pick<Measured, 'concept' | 'group'> {
  readonly name: string;
}

// A test may be a lab concept by its code and a score by its exact name.
function namesOf(resource: Observation, { knowledge }: Around, scores: Scores): Named[] {
  const known = knowledge.evidence.labConceptOf(resource.code);
  const ofConcept = known === undefined ? [] : [{ name: known.name, concept: known.name, group: groups[known.kind] }];
  const names = [...ofConcept, ...scoreNames(resource, scores)];
  return names.length > 0 ? names : namedByItself(resource);
}

const groups = { 'Lab Result': 'test', 'Vital Sign': 'vital', Score: 'score' } as const;

function namedByItself({ code, category = [] }: Observation): Named[] {
  const name = meaningful(labelOf(code))?.trim();
  const isOf = (kind: string) => category.some((concept) => hasCode(concept, kind));
  // Social history says nothing about the severity of a disease.
  if (name === undefined || isOf('social-history')) return [];
  const group = isOf('laboratory') ? 'test' : isOf('vital-signs') ? 'vital' : 'score';
  return [{ name, concept: name.toLowerCase(), group }];
}

/** Scores by their spellings in lower case. */
type Scores = ReadonlyMap<string, readonly ScoreRow[]>;

function scoresBySpelling(rows: readonly ScoreRow[]): Scores {
  const spellings = rows.flatMap((row) => row.called.map((name) => ({ name: name.toLowerCase(), row })));
  const grouped = Map.groupBy(spellings, ({ name }) => name);
  return new Map([...grouped].map(([name, ones]) => [name, ones.map(({ row }) => row)]));
}

function scoreNames({ code, valueQuantity }: Observation, scores: Scores): Named[] {
  const unit = valueQuantity?.unit ?? valueQuantity?.code ?? '';
  const called = [code?.text, ...(code?.coding ?? []).map(({ display }) => display)];
  const rows = called.flatMap((name) => scores.get(meaningful(name)?.toLowerCase() ?? '') ?? []);
  const fitting = rows.filter(({ units }) => units === undefined || units.includes(unit));
  return [...new Set(fitting)].map(({ name, classes }) => ({
    ...{ name, concept: name },
    group: classes.length === 0 ? 'vital' : 'score',
  }));
}

// A report's conclusion counts for the test in its title and for the tests that it mentions; if the tables do not know
// the test, for the report's own title.
function reportsIn(around: Around): Measured[] {
  const { knowledge, privacy } = around;
  return around.chart
    .mine('DiagnosticReport')
    .filter(({ resource }) => ['final', 'amended', 'corrected'].includes(resource.status))
    .flatMap((located) => {
      const { effectiveDateTime, effectivePeriod, issued, code } = located.resource;
      const conclusion = meaningful(located.resource.conclusion);
      if (conclusion === undefined || saysNotDone(conclusion)) return [];
      const known = knowledge.evidence.labConceptOf(code);
      const spoken = knowledge.evidence.labConceptsIn(`${labelOf(code) ?? ''}. ${saidIn(conclusion)}`);
      const names = new Set([...(known === undefined ? [] : [known.name]), ...spoken]);
      const dates = { effectiveDateTime, 'effectivePeriod.end': effectivePeriod?.end, issued };
      const date = firstFullDate(citeFirst(located, dates));
      const sensitive = () => privacy.of(located, code, conclusion);
      const all = [...names].map((name): Named => ({ name, concept: name, group: 'test' }));
      return measured(located, all.length > 0 ? all : namedByReport(located.resource), date, sensitive, around);
    });
}

function namedByReport({ code }: DiagnosticReport): Named[] {
  const name = meaningful(labelOf(code))?.trim();
  return name === undefined ? [] : [{ name, concept: name.toLowerCase(), group: 'test' }];
}

function measured(
  located: Measured['located'],
  names: readonly Named[],
  date: Cited<string> | undefined,
  sensitive: () => string | undefined,
  { chart }: Around,
): Measured[] {
  const day = evidenceDay(date);
  if (names.length === 0 || day === undefined || day > chart.today.day) return [];
  const category = once(sensitive);
  return names.map(({ name, ...one }) => ({
    ...one,
    ...{ name: cite(located, name, 'code'), located, date, day },
    sensitive: category,
  }));
}
