import type { Observation, ObservationReferenceRange, Quantity, Range, Ratio } from 'fhir/r4.js';
import { hasCode, labelOf } from '../fhir/concept.ts';
import type { Located } from '../fhir/graph.ts';
import { meaningful } from '../fhir/placeholder.ts';
import { systems } from '../fhir/systems.ts';
import { newestFirst } from '../fhir/time/newest-first.ts';
import type { Scene } from '../roles/scene.ts';
import { type EvidenceType, type Finding, fullDate, stated } from './item.ts';
import { type LabConcept, labConceptOf } from './lab-concepts.ts';
import { sensitivityOf } from './sensitivity.ts';

/** Results of one test that are told: the newest ones. */
const newestResults = 3;

/** Final laboratory results, vital signs and scores: one finding per test, with its newest results. The tests in the order of their newest result. */
export function observed(scene: Scene): Finding[] {
  const tests = new Map<string, Test>();
  for (const observation of scene.mine('Observation')) {
    const { resource } = observation;
    if (!['final', 'amended', 'corrected'].includes(resource.status)) continue;
    const concept = labConceptOf(resource.code);
    const type = typeOf(resource, concept);
    if (type === undefined || isPanel(resource)) continue;
    const key =
      concept?.name ?? codeOf(resource) ?? meaningful(labelOf(resource.code))?.toLowerCase() ?? observation.reference;
    const test = tests.get(key);
    if (test === undefined) tests.set(key, { concept, type, results: [observation] });
    else test.results.push(observation);
  }
  const compare = newestFirst(scene.today.timeZone);
  return [...tests.values()]
    .map((test) => findingOf(test, compare))
    .sort((left, right) => compare(left.date, right.date));
}

interface Test {
  readonly concept: LabConcept | undefined;
  readonly type: EvidenceType;
  readonly results: Located<Observation>[];
}

function typeOf(observation: Observation, concept: LabConcept | undefined): EvidenceType | undefined {
  if (concept !== undefined) return concept.kind;
  if (observation.category?.some((category) => hasCode(category, 'laboratory'))) return 'Lab Result';
  return observation.category?.some((category) => hasCode(category, 'vital-signs')) ? 'Vital Sign' : undefined;
}

// A panel only gathers other Observations.
function isPanel(observation: Observation): boolean {
  return (
    (observation.hasMember ?? []).length > 0 &&
    resultText(observation) === undefined &&
    componentsOf(observation) === undefined
  );
}

// R4 demands a code; a server may still leave it out
function codeOf({ code }: Partial<Observation>): string | undefined {
  return code?.coding?.find(({ system }) => system === systems.loinc)?.code;
}

function findingOf({ concept, type, results }: Test, compare: ReturnType<typeof newestFirst>): Finding {
  const members = results.toSorted((left, right) => compare(dateOf(left.resource), dateOf(right.resource)));
  const valued = members.filter(
    ({ resource }) =>
      (resultText(resource) !== undefined || componentsOf(resource) !== undefined) &&
      fullDate(dateOf(resource)) !== undefined,
  );
  const told = valued.slice(0, newestResults);
  const newest = told[0]?.resource ?? members[0]?.resource;
  const name = concept?.name ?? meaningful(labelOf(newest?.code)) ?? 'An unnamed test';
  const said = new Set([...(newest === undefined ? [] : [newest]), ...told.map(({ resource }) => resource)]);
  const sensitive = [
    ...[...said].map(sensitivityOfResult),
    ...members.map(({ resource }) => sensitivityOf(resource)),
  ].find((category) => category !== undefined);
  const hasValue = members.some(
    ({ resource }) => resultText(resource) !== undefined || componentsOf(resource) !== undefined,
  );
  return {
    members,
    type,
    title: name,
    ...(newest === undefined || told.length === 0 ? {} : { detail: detailOf(newest, valued.length) }),
    date: newest === undefined ? undefined : fullDate(dateOf(newest)),
    ...(hasValue ? {} : { unfit: 'it has no value' }),
    ...(sensitive === undefined ? {} : { sensitive }),
    ...(concept === undefined ? {} : { topic: concept.name }),
    facts: () => ({ test: name, results: told.map(resultOf) }),
  };
}

function sensitivityOfResult(observation: Observation): string | undefined {
  const { code, valueString, valueCodeableConcept, component = [] } = observation;
  const parts = component.flatMap((part) => [part.code, part.valueString, part.valueCodeableConcept]);
  return sensitivityOf(observation, code, valueString, valueCodeableConcept, ...parts);
}

function detailOf(newest: Observation, count: number): string {
  const parts = componentsOf(newest)?.map(({ test, value }) => `${test} ${value}`);
  const value = resultText(newest) ?? parts?.join(', ') ?? '';
  const judged = labelOf(newest.interpretation?.[0]);
  return `${value}${judged === undefined ? '' : ` (${judged})`} on ${dateOf(newest)?.slice(0, 10)}${count > 1 ? `, ${count} results` : ''}`;
}

function resultOf({ resource, reference }: Located<Observation>): Record<string, unknown> {
  return stated({
    date: dateOf(resource),
    test: meaningful(labelOf(resource.code)),
    loinc: codeOf(resource),
    value: resultText(resource),
    components: componentsOf(resource),
    interpretation: (resource.interpretation ?? []).flatMap((judged) => labelOf(judged) ?? []).join(', ') || undefined,
    referenceRange: rangeText(resource.referenceRange),
    status: resource.status === 'final' ? undefined : resource.status,
    source: reference,
  });
}

function dateOf(observation: Observation): string | undefined {
  return (
    observation.effectiveDateTime ??
    observation.effectivePeriod?.end ??
    observation.effectivePeriod?.start ??
    observation.effectiveInstant
  );
}

type Valued = Pick<
  Observation,
  | 'valueQuantity'
  | 'valueString'
  | 'valueCodeableConcept'
  | 'valueBoolean'
  | 'valueInteger'
  | 'valueRange'
  | 'valueRatio'
  | 'valueDateTime'
>;

/** The value with its unit as the chart writes it: `8.2 %`, `<0.01 IU/mL`, `1:40`, `Negative`. */
function resultText(observation: Valued): string | number | boolean | undefined {
  const { valueQuantity, valueRange, valueRatio, valueCodeableConcept } = observation;
  const measured = quantityText(valueQuantity) ?? spanText(valueRange) ?? ratioText(valueRatio);
  return (
    measured ??
    meaningful(observation.valueString) ??
    meaningful(labelOf(valueCodeableConcept)) ??
    observation.valueBoolean ??
    observation.valueInteger ??
    observation.valueDateTime
  );
}

function componentsOf(observation: Observation): { test: string; value: string | number | boolean }[] | undefined {
  const components = (observation.component ?? []).flatMap((component) => {
    const value = resultText(component);
    return value === undefined ? [] : [{ test: meaningful(labelOf(component.code)) ?? 'unnamed', value }];
  });
  return components.length === 0 ? undefined : components;
}

function quantityText(quantity: Quantity | undefined): string | undefined {
  if (quantity?.value === undefined) return undefined;
  const unit = quantity.unit ?? quantity.code;
  return `${quantity.comparator ?? ''}${quantity.value}${unit === undefined ? '' : ` ${unit}`}`;
}

function spanText(range: Pick<Range, 'low' | 'high'> | undefined): string | undefined {
  const [low, high] = [quantityText(range?.low), quantityText(range?.high)];
  if (low !== undefined && high !== undefined) return `${low} to ${high}`;
  return low !== undefined ? `from ${low}` : high !== undefined ? `up to ${high}` : undefined;
}

function ratioText(ratio: Ratio | undefined): string | undefined {
  const [numerator, denominator] = [quantityText(ratio?.numerator), quantityText(ratio?.denominator)];
  return numerator === undefined || denominator === undefined ? undefined : `${numerator}:${denominator}`;
}

function rangeText(ranges: readonly ObservationReferenceRange[] | undefined): string | undefined {
  const [first] = ranges ?? [];
  return meaningful(first?.text) ?? spanText(first);
}
