import type { Observation } from 'fhir/r4.js';
import { hasCode, labelOf } from '../fhir/codes/concept.ts';
import { systems } from '../fhir/codes/systems.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { whenText } from '../fhir/time/day-text.ts';
import { newestFirst } from '../fhir/time/newest-first.ts';
import { cite, type FindingFacts } from './cite.ts';
import { byNewest, clearestDate, evidenceDay } from './dates.ts';
import type { EvidenceChart } from './evidence-chart.ts';
import { type EvidenceType, type Finding, presentReasons } from './finding.ts';
import type { Knowledge } from './knowledge.ts';
import { hasResultValue, resultDate, valuedComponents, valueText } from './result-value.ts';
import { type Privacy, statedBy } from './sensitive-reach.ts';

/** How many of the newest results of one test are sent. */
const newestResults = 3;

/** Final laboratory results, vital signs and scores: one finding for each test, with its newest results. */
export function results(chart: EvidenceChart, knowledge: Knowledge, privacy: Privacy): Finding[] {
  const tests = new Map<string, Test>();
  for (const observation of chart.mine('Observation')) {
    const known = testOf(observation, knowledge);
    if (known === undefined) continue;
    const test = tests.get(known.key);
    if (test === undefined) tests.set(known.key, { ...known, results: [observation] });
    else test.results.push(observation);
  }
  const byDate = newestFirst(chart.today.timeZone);
  return [...tests.values()]
    .map(({ results, ...test }) => ({
      ...test,
      results: results.toSorted((left, right) => byDate(resultDate(left)?.value, resultDate(right)?.value)),
    }))
    .map((test) => findingOf(test, privacy))
    .sort(byNewest(chart.today.timeZone));
}

interface TestName {
  readonly key: string;
  readonly concept: string | undefined;
  readonly type: EvidenceType;
}

interface Test extends TestName {
  readonly results: Located<Observation>[];
}

const finalStatuses = ['final', 'amended', 'corrected'];

/** Whether a result is final and not a panel that only groups other results. */
export function isFinalResult(observation: Located<Observation>): boolean {
  return finalStatuses.includes(observation.resource.status) && !isPanel(observation);
}

/** Undefined for a result that is not final, a panel that only groups other results, or another kind of observation. */
function testOf(observation: Located<Observation>, { labConceptOf }: Knowledge): TestName | undefined {
  const { resource, reference } = observation;
  const concept = labConceptOf(resource.code);
  const type = concept?.kind ?? typeByCategory(resource);
  if (type === undefined || !isFinalResult(observation)) return undefined;
  const name = meaningful(labelOf(resource.code))?.toLowerCase();
  return { key: concept?.name ?? loincOf(resource) ?? name ?? reference, concept: concept?.name, type };
}

function typeByCategory({ category = [] }: Observation): EvidenceType | undefined {
  if (category.some((concept) => hasCode(concept, 'laboratory'))) return 'Lab Result';
  return category.some((concept) => hasCode(concept, 'vital-signs')) ? 'Vital Sign' : undefined;
}

function isPanel(observation: Located<Observation>): boolean {
  return (observation.resource.hasMember ?? []).length > 0 && !hasResultValue(observation);
}

// R4 requires a code, but a server may leave it out.
function loincOf({ code }: Partial<Observation>): string | undefined {
  return code?.coding?.find(({ system }) => system === systems.loinc)?.code;
}

function findingOf({ results: members, ...test }: Test, privacy: Privacy): Finding {
  const valued = members.filter((result) => hasResultValue(result) && evidenceDay(resultDate(result)) !== undefined);
  const newest = valued[0] ?? members.find(hasResultValue) ?? members[0];
  const name = test.concept ?? meaningful(labelOf(newest?.resource.code)) ?? 'An unnamed test';
  const sent = valued.slice(0, newestResults);
  const shown = sent.length === 0 ? members.slice(0, 1) : sent;
  const codes = shown.flatMap(({ resource: { code, component = [] } }) => [code, ...component.map((one) => one.code)]);
  return {
    kind: 'test',
    // The finding cites the first member, so results with a value come first.
    members: [...new Set([...valued, ...members])],
    ...(valued.length === 0 ? {} : { saying: valued }),
    type: test.type,
    title: name,
    ...(newest === undefined || !hasResultValue(newest) ? {} : { detail: detailOf(newest, valued.length) }),
    date: newest === undefined ? undefined : clearestDate(resultDate(newest)),
    ...(members.some(hasResultValue) ? {} : { unfit: 'it has no value' }),
    ...presentReasons({ sensitive: sensitivityOf(members, shown, privacy), unjudged: privacy.unknown(...codes) }),
    ...(test.concept === undefined ? {} : { topic: test.concept }),
    facts: () => ({
      name: newest === undefined ? name : cite(newest, name, 'code'),
      results: sent.map(factsOf),
    }),
  };
}

function factsOf(result: Located<Observation>): FindingFacts {
  return {
    source: cite(result, result.reference),
    observation: cite(result, result.resource),
    components: valuedComponents(result),
  };
}

// The content that is sent is checked in full. For the other members, only labels and notices are checked.
function sensitivityOf(
  members: readonly Located<Observation>[],
  sent: readonly Located<Observation>[],
  { of, words }: Privacy,
): string | undefined {
  return [
    ...sent.map((result) => of(result, ...statedBy(result.resource))),
    ...members.map(({ resource }) => words.ofResource(resource)),
  ].find((category) => category !== undefined);
}

/** Example: `8.2 % (High) on Oct 30, 2026; 4 results` or `8.2 % in 2019`. */
function detailOf(newest: Located<Observation>, count: number): string {
  const components = valuedComponents(newest).map(
    ({ value }) => `${meaningful(labelOf(value.code)) ?? 'unnamed'} ${valueText(value)}`,
  );
  const value = valueText(newest.resource) ?? components.join(', ');
  const interpretation = labelOf(newest.resource.interpretation?.[0]);
  const judged = interpretation === undefined ? `${value}` : `${value} (${interpretation})`;
  const dated = [judged, whenText(clearestDate(resultDate(newest))?.value)].filter((part) => part !== '').join(' ');
  return count > 1 ? `${dated}; ${count} results` : dated;
}
