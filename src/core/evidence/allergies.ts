import type { AllergyIntolerance } from 'fhir/r4.js';
import { hasCode, labelOf } from '../fhir/codes/concept.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { type Cited, cite, citeFirst } from './cite.ts';
import { clearestDate } from './dates.ts';
import type { EvidenceChart } from './evidence-chart.ts';
import { type Finding, presentReasons } from './finding.ts';
import type { Privacy } from './sensitive-reach.ts';

export function allergies(chart: EvidenceChart, privacy: Privacy): Finding[] {
  return chart
    .mine('AllergyIntolerance')
    .filter(({ resource }) => isActiveAllergy(resource))
    .map((allergy) => {
      const reactions = reactionsOf(allergy);
      const { code, reaction = [] } = allergy.resource;
      const manifestations = reaction.flatMap(({ manifestation = [] }) => manifestation);
      return {
        ...findingOf(allergy, reactions),
        ...presentReasons({
          sensitive: privacy.of(allergy, code, ...manifestations),
          unjudged: privacy.unknown(code, ...manifestations),
        }),
      };
    });
}

/** Whether an allergy is neither refuted nor resolved. */
export function isActiveAllergy({ verificationStatus, clinicalStatus }: AllergyIntolerance): boolean {
  return (
    !hasCode(verificationStatus, 'entered-in-error', 'refuted') && !hasCode(clinicalStatus, 'inactive', 'resolved')
  );
}

function findingOf(allergy: Located<AllergyIntolerance>, reactions: readonly Cited<string>[]): Finding {
  const { code, recordedDate, onsetDateTime, lastOccurrence } = allergy.resource;
  const label = meaningful(labelOf(code));
  const name = label ?? 'an unnamed substance';
  return {
    kind: 'allergy',
    members: [allergy],
    type: 'Allergy',
    title: `Allergy or intolerance: ${name}`,
    ...(reactions.length === 0 ? {} : { detail: reactions.map(({ value }) => value).join(', ') }),
    date: clearestDate(
      citeFirst(allergy, { recordedDate }),
      citeFirst(allergy, { onsetDateTime }),
      citeFirst(allergy, { lastOccurrence }),
    ),
    ...(label === undefined ? { unfit: 'it names no substance' } : {}),
    topic: name.toLowerCase(),
    facts: () => ({
      source: cite(allergy, allergy.reference),
      name: cite(allergy, name, code === undefined ? undefined : 'code'),
      allergy: cite(allergy, allergy.resource),
      reactions,
    }),
  };
}

/** Each manifestation with the severity of its reaction: `Rash (severe)`. */
export function reactionsOf(allergy: Located<AllergyIntolerance>): Cited<string>[] {
  return (allergy.resource.reaction ?? []).flatMap(({ manifestation = [], severity }, index) =>
    manifestation.flatMap((concept, inner) => {
      const label = meaningful(labelOf(concept));
      if (label === undefined) return [];
      if (severity === undefined) return [cite(allergy, label, `reaction[${index}].manifestation[${inner}]`)];
      return [cite(allergy, `${label} (${severity})`, `reaction[${index}]`)];
    }),
  );
}
