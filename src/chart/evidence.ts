import type { AllergyIntolerance, FhirResource, MedicationRequest, MedicationStatement, Observation, Quantity } from 'fhir/r4.js';
import { newestFirst } from '../fhir/period.ts';
import { meaningful } from '../fhir/placeholder.ts';
import type { Candidate } from './chart.ts';
import { drugLabel } from './medication.ts';
import { type Decision, hasCode, type Located, labelOf, nodeAt, rootOf, type Scene } from './scene.ts';

/** One piece of supporting information: what `%evidence` holds. `content` cites the resource it was read from. */
export interface EvidenceItem {
  readonly title: string;
  /** What it is, for enrollment's `type`: `Prior Therapy`. */
  readonly type: string;
  /** FHIR date or dateTime, as the chart has it. */
  readonly date_created: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** Everything of the chart that could support the request, and the items that a person ticked (`answers.evidence`). Nothing is ticked by itself. */
export function chooseEvidence(scene: Scene): Decision {
  const found = [...allergies(scene), ...therapies(scene), ...labs(scene)];
  const ticked = scene.answers.evidence ?? [];
  const chosen = found.filter(({ located, item }) => item !== undefined && ticked.includes(located.reference));
  const candidates = found.map(({ located, label, item, sensitive }): Candidate => {
    const isTicked = ticked.includes(located.reference);
    const reason = item === undefined ? 'it has no date' : isTicked ? 'ticked by a person' : sensitive ? 'it carries a security label' : 'not ticked';
    return { reference: located.reference, label, fits: item !== undefined, reason };
  });
  if (found.length === 0) return { roots: { evidence: rootOf([]) } };
  const nodes = chosen.map(({ located, item }) => nodeAt(located, item));
  const reason = chosen.length === 0 ? 'nothing is sent unless it is ticked' : `${chosen.length} of ${found.length} ticked by a person`;
  return { roots: { evidence: rootOf(nodes, { note: 'ticked by a person' }) }, choices: [{ role: 'evidence', reason, candidates }] };
}

interface Found {
  readonly located: Located;
  readonly label: string;
  readonly sensitive: boolean;
  /** Absent when the resource has no date: one is never invented. */
  readonly item?: EvidenceItem;
}

function found(located: Located<FhirResource>, type: string, title: string, date: string | undefined, facts: Readonly<Record<string, unknown>>): Found {
  const label = date === undefined ? title : `${title}, ${date.slice(0, 10)}`;
  const sensitive = (located.resource.meta?.security?.length ?? 0) > 0;
  if (date === undefined || date.length < 10) return { located, label, sensitive };
  const content = Object.fromEntries(Object.entries({ source: located.reference, ...facts }).filter(([, value]) => value !== undefined));
  return { located, label, sensitive, item: { title, type, date_created: date, content } };
}

function allergies(scene: Scene): Found[] {
  return scene
    .mine('AllergyIntolerance')
    .filter(({ resource }) => !hasCode(resource.verificationStatus, 'entered-in-error', 'refuted') && !hasCode(resource.clinicalStatus, 'inactive', 'resolved'))
    .map((allergy) => {
      const { resource } = allergy;
      const substance = meaningful(labelOf(resource.code)) ?? 'an unnamed substance';
      return found(allergy, 'Allergy', `Allergy or intolerance: ${substance}`, resource.recordedDate ?? resource.onsetDateTime ?? resource.lastOccurrence, {
        substance,
        type: resource.type,
        criticality: resource.criticality,
        reactions: reactionsOf(resource),
      });
    });
}

function reactionsOf(allergy: AllergyIntolerance): string[] | undefined {
  const reactions = (allergy.reaction ?? []).flatMap((reaction) => reaction.manifestation.flatMap((manifestation) => labelOf(manifestation) ?? []));
  return reactions.length === 0 ? undefined : reactions;
}

/** What the patient took besides this order: a statement, or an order that is over. */
function therapies(scene: Scene): Found[] {
  const statements = scene.mine('MedicationStatement').filter(({ resource }) => resource.status !== 'entered-in-error' && resource.status !== 'not-taken');
  const orders = scene
    .mine('MedicationRequest')
    .filter(
      ({ resource, reference }) => reference !== scene.order.reference && resource.status !== 'entered-in-error' && resource.status !== 'draft' && resource.intent !== 'proposal',
    );
  const all = [...statements.map((statement) => fromStatement(scene, statement)), ...orders.map((order) => fromOrder(scene, order))];
  return all.sort((left, right) => newestFirst(left.item?.date_created, right.item?.date_created));
}

function fromStatement(scene: Scene, statement: Located<MedicationStatement>): Found {
  const { resource } = statement;
  const medication = scene.resolve(resource.medicationReference, statement, 'Medication');
  const drug =
    meaningful(labelOf(resource.medicationCodeableConcept ?? medication?.resource.code)) ?? meaningful(resource.medicationReference?.display) ?? 'a medication without a name';
  const start = resource.effectivePeriod?.start ?? resource.effectiveDateTime;
  const stopped = resource.statusReason?.map((reason) => labelOf(reason)).filter((reason) => reason !== undefined);
  return found(statement, 'Prior Therapy', `Therapy: ${drug}`, start ?? resource.dateAsserted, {
    drug,
    status: resource.status,
    start,
    stop: resource.effectivePeriod?.end,
    stopReasons: stopped?.length ? stopped : undefined,
    directions: meaningful(resource.dosage?.[0]?.text),
  });
}

function fromOrder(scene: Scene, order: Located<MedicationRequest>): Found {
  const { resource } = order;
  const drug = drugLabel(resource, scene.resolve(resource.medicationReference, order, 'Medication'));
  const directions = meaningful(resource.dosageInstruction?.[0]?.patientInstruction) ?? meaningful(resource.dosageInstruction?.[0]?.text);
  return found(order, 'Prior Therapy', `Therapy: ${drug}`, resource.authoredOn, {
    drug,
    status: resource.status,
    ordered: resource.authoredOn,
    stopReason: labelOf(resource.statusReason),
    directions,
  });
}

function labs(scene: Scene): Found[] {
  return scene
    .mine('Observation')
    .filter(({ resource }) => ['final', 'amended', 'corrected'].includes(resource.status) && resource.category?.some((category) => hasCode(category, 'laboratory', 'vital-signs')))
    .map((observation) => {
      const { resource } = observation;
      const test = meaningful(labelOf(resource.code)) ?? 'an unnamed test';
      const date = resource.effectiveDateTime ?? resource.effectivePeriod?.start ?? resource.effectiveInstant;
      return found(observation, 'Lab Result', test, date, {
        test,
        value: valueText(resource),
        components: componentsOf(resource),
        interpretation: labelOf(resource.interpretation?.[0]),
        referenceRange: resource.referenceRange?.[0]?.text,
      });
    })
    .sort((left, right) => newestFirst(left.item?.date_created, right.item?.date_created));
}

type Valued = Pick<Observation, 'valueQuantity' | 'valueString' | 'valueCodeableConcept' | 'valueBoolean' | 'valueInteger'>;

function valueText(observation: Valued): string | number | boolean | undefined {
  if (observation.valueQuantity !== undefined) return quantityText(observation.valueQuantity);
  return meaningful(observation.valueString) ?? labelOf(observation.valueCodeableConcept) ?? observation.valueBoolean ?? observation.valueInteger;
}

function componentsOf(observation: Observation): Record<string, unknown>[] | undefined {
  const components = (observation.component ?? []).flatMap((component) => {
    const value = valueText(component);
    return value === undefined ? [] : [{ test: labelOf(component.code), value }];
  });
  return components.length === 0 ? undefined : components;
}

function quantityText({ comparator, value, unit, code }: Quantity): string | undefined {
  return value === undefined ? undefined : `${comparator ?? ''}${value}${unit === undefined && code === undefined ? '' : ` ${unit ?? code}`}`;
}
