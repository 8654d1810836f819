import type { DiagnosticReport, Observation } from 'fhir/r4.js';
import { type Cited, cite, citeFirst } from '../evidence/cite.ts';
import { clearestDate, evidenceDay } from '../evidence/dates.ts';
import type { LabConceptRow } from '../evidence/knowledge.ts';
import { conclusionOf, hasResultValue, resultDate } from '../evidence/result-value.ts';
import { statedBy } from '../evidence/sensitive-reach.ts';
import { isFinalResult } from '../evidence/test-results.ts';
import { hasCode, labelOf } from '../fhir/codes/concept.ts';
import { once } from '../fhir/once.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { newestFirst } from '../fhir/time/newest-first.ts';
import type { Around } from './around.ts';
import type { ScoreRow } from './knowledge.ts';
import { saidIn, saysNotDone } from './not-done.ts';

/** The result of a test or score, or a report with a conclusion. */
export interface Measured {
  readonly name: Cited<string>;
  /** The name in the chart, if it differs from `name`. It may add the body site or the method. */
  readonly called: Cited<string> | undefined;
  /**
   * The name of the lab concept or score. Without either, the result's own name in lowercase, without words for the
   * specimen.
   */
  readonly concept: string;
  readonly located: Located<Observation> | Located<DiagnosticReport>;
  readonly date: Cited<string> | undefined;
  /** Undefined if the date is only a year or a month. */
  readonly day: string | undefined;
  /**
   * The part of the sheet that shows the result, by its row in the tables or else by its category. `finding`: the
   * tables do not know what it measures.
   */
  readonly group: 'test' | 'score' | 'vital' | 'finding';
  readonly score?: ScoreRow | undefined;
  /** The pattern for the body site in the result's name, from the row of its lab concept. */
  readonly site?: RegExp | undefined;
  readonly sensitive: () => string | undefined;
}

/** Results by lab concept or score, newest first, followed by reports. */
export function measuredIn(around: Around): ReadonlyMap<string, readonly Measured[]> {
  const compare = newestFirst(around.chart.today.timeZone);
  const newest = (one: Measured, other: Measured) => compare(one.date?.value, other.date?.value);
  const all = [...resultsIn(around).sort(newest), ...reportsIn(around).sort(newest)];
  return Map.groupBy(all, ({ concept }) => concept);
}

function resultsIn(around: Around): Measured[] {
  const { privacy, knowledge } = around;
  const scores = scoresBySpelling(knowledge.scores);
  return around.chart
    .mine('Observation')
    .filter((result) => isFinalResult(result) && hasResultValue(result) && !saysNotDone(wordsIn(result.resource)))
    .flatMap((located) => {
      const { resource } = located;
      const sensitive = () =>
        privacy.of(located, ...statedBy(resource), ...notesIn(resource)) ?? privacy.unknown(resource.code);
      return measured(located, namesOf(resource, around, scores), clearestDate(resultDate(located)), sensitive, around);
    });
}

function notesIn({ note = [] }: Observation): string[] {
  return note.map(({ text }) => text);
}

// The text of a value may say that the test was not done.
function wordsIn({ valueString, valueCodeableConcept }: Observation): string {
  return valueString ?? labelOf(valueCodeableConcept) ?? '';
}

interface Named extends Pick<Measured, 'concept' | 'group' | 'score' | 'site'> {
  readonly name: string;
}

// A test may be a lab concept by its code and a score by its exact name at the same time.
function namesOf(resource: Observation, { knowledge }: Around, scores: Scores): Named[] {
  const known = knowledge.evidence.labConceptOf(resource.code);
  const ofConcept = known === undefined ? [] : [namedByConcept(known, resource, knowledge.scores)];
  const exact = scoreNames(resource, scores).filter(({ concept }) => concept !== known?.name);
  const names = [...ofConcept, ...exact];
  return names.length > 0 ? names : namedByItself(resource, knowledge.scores);
}

function namedByConcept(
  { name, kind, sites = [] }: Pick<LabConceptRow, 'name' | 'kind' | 'sites'>,
  resource: Observation,
  rows: readonly ScoreRow[],
): Named {
  const called = nameAtSite(resource)?.toLowerCase().slice(0, longestName) ?? '';
  const site = sites.find((words) => words.test(called));
  return { name, concept: name, group: groups[kind], score: scoreCalled(name.toLowerCase(), rows), site };
}

const groups = { 'Lab Result': 'test', 'Vital Sign': 'vital', Score: 'score' } as const;

// A score that matches its row only by `words` keeps its own name.
function namedByItself(resource: Observation, rows: readonly ScoreRow[]): Named[] {
  const name = nameAtSite(resource);
  if (name === undefined || isOf(resource, 'social-history')) return [];
  const concept = conceptOf(name);
  if (isOf(resource, 'laboratory')) return [{ name, concept, group: 'test', score: scoreCalled(concept, rows) }];
  if (isOf(resource, 'vital-signs')) return [{ name, concept, group: 'vital' }];
  const score = scoreCalled(concept, rows);
  return [{ name, concept, group: score === undefined ? 'finding' : 'score', score }];
}

/**
 * The name that identifies a test without a row, without words for the specimen. "Trough" is left out too, because a
 * result from before the first dose has no trough.
 */
export function conceptOf(name: string): string {
  const plain = name.toLowerCase().replace(/\b(?:in )?(?:serum(?: or plasma)?|plasma|trough|levels?)\b/g, ' ');
  const bare = plain.replace(/\(\s*\)|[\s,;]+/g, ' ').trim();
  return bare === '' ? name.toLowerCase() : bare;
}

// The body site may be in `bodySite` instead of in the name.
function nameAtSite(resource: Observation, name = meaningful(labelOf(resource.code))?.trim()): string | undefined {
  const site = isOf(resource, 'vital-signs') ? undefined : meaningful(labelOf(resource.bodySite))?.trim();
  if (name === undefined || site === undefined || plain(name).includes(plain(site))) return name;
  return `${name}, ${site}`;
}

function isOf({ category = [] }: Observation, kind: string): boolean {
  return category.some((concept) => hasCode(concept, kind));
}

function scoreCalled(name: string, rows: readonly ScoreRow[]): ScoreRow | undefined {
  return rows.find(({ words = [] }) => words.some((pattern) => pattern.test(name.slice(0, longestName))));
}

// In characters. No score has a longer name.
const longestName = 200;

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
  return [...new Set(fitting)].map((score) => ({
    ...{ name: score.name, concept: score.name, score },
    group: score.isVital === true ? 'vital' : 'score',
  }));
}

// A report counts for the test in its title and for the tests and scores in its conclusion.
function reportsIn(around: Around): Measured[] {
  const { knowledge, privacy } = around;
  const scoresIn = instrumentsIn(knowledge.scores);
  return around.chart
    .mine('DiagnosticReport')
    .filter(({ resource }) => ['final', 'amended', 'corrected'].includes(resource.status))
    .flatMap((located) => {
      const { effectiveDateTime, effectivePeriod, issued, code, conclusionCode = [] } = located.resource;
      const conclusion = conclusionOf(located)?.value;
      if (conclusion === undefined || saysNotDone(conclusion)) return [];
      const known = knowledge.evidence.labConceptOf(code);
      const spoken = knowledge.evidence.labConceptsIn(`${labelOf(code) ?? ''}. ${saidIn(conclusion)}`);
      const names = new Set([...(known === undefined ? [] : [known.name]), ...spoken]);
      const dates = { effectiveDateTime, 'effectivePeriod.end': effectivePeriod?.end, issued };
      const date = clearestDate(citeFirst(located, dates));
      const sensitive = () => privacy.of(located, code, ...conclusionCode, conclusion);
      const all = [...names].map((name): Named => ({ name, concept: name, group: 'test' }));
      // Without a known test, the report counts under its own title.
      const named = all.length > 0 ? all : namedByReport(located.resource);
      return measured(located, [...named, ...scoresIn(saidIn(conclusion))], date, sensitive, around);
    });
}

// Finds a score with its number in a text, such as "SES-CD 14" or "NYHA class III". The score's name must be an
// abbreviation or several words.
function instrumentsIn(rows: readonly ScoreRow[]): (words: string) => Named[] {
  const known = rows.map((score) => {
    const called = [score.name, score.name.split(' ')[0] ?? '', ...score.called].filter((one) =>
      isInstrument.test(one),
    );
    const spelled = called.map((name) => {
      return { name, pattern: new RegExp(`\\b${name}${ofScore}`, name.includes(' ') ? 'i' : '') };
    });
    return { score, spelled };
  });
  return (words) =>
    known.flatMap(({ score, spelled }) => {
      const name = spelled.find(({ pattern }) => pattern.test(words))?.name;
      return name === undefined ? [] : [{ name, concept: name, group: 'score', score }];
    });
}

const isInstrument = /^[A-Z](?:[A-Z\d-]{2,}|[\w-]+(?: [\w-]+)+)$/;
const ofScore = '(?: score)?(?: of| is| was|:| =)? ?(?:\\d|[IV]+\\b)';

function namedByReport({ code }: DiagnosticReport): Named[] {
  const name = meaningful(labelOf(code))?.trim();
  return name === undefined ? [] : [{ name, concept: conceptOf(name), group: 'test' }];
}

function measured(
  located: Measured['located'],
  names: readonly Named[],
  date: Cited<string> | undefined,
  sensitive: () => string | undefined,
  { chart }: Around,
): Measured[] {
  if (names.length === 0 || date === undefined) return [];
  const written = evidenceDay(date);
  // In another time zone the written date may be one day ahead of the site.
  const day = written !== undefined && written > chart.today.day ? chart.today.day : written;
  const category = once(sensitive);
  return names.map(({ name, ...one }) => ({
    ...one,
    ...{ name: cite(located, name, 'code'), called: calledIn(located, name), located, date, day },
    sensitive: category,
  }));
}

function calledIn(located: Measured['located'], name: string): Cited<string> | undefined {
  const { resource } = located;
  const { text, coding = [] } = resource.code;
  const own = meaningful(text ?? coding.find(({ display }) => display !== undefined)?.display)?.trim();
  const called = resource.resourceType === 'Observation' ? nameAtSite(resource, own ?? name) : own;
  return called === undefined || plain(called) === plain(name) ? undefined : cite(located, called, 'code');
}

// Makes "C reactive protein [Mass/volume] in Serum or Plasma" equal to "C-reactive protein".
function plain(name: string): string {
  const words = name.toLowerCase().replace(/\[[^\]]*\]/g, '');
  return words.replace(/ in serum(?: or plasma)?\s*$/, '').replace(/[^\p{L}\d]+/gu, '');
}
