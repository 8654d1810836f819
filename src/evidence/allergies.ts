import type { AllergyIntolerance } from 'fhir/r4.js';
import { hasCode, labelOf } from '../fhir/concept.ts';
import { meaningful } from '../fhir/placeholder.ts';
import type { Scene } from '../roles/scene.ts';
import { type Finding, fullDate, stated } from './item.ts';
import { sensitivityOf } from './sensitivity.ts';

/** Allergies and intolerances that stand: neither refuted nor resolved. */
export function allergies(scene: Scene): Finding[] {
  return scene
    .mine('AllergyIntolerance')
    .filter(
      ({ resource }) =>
        !hasCode(resource.verificationStatus, 'entered-in-error', 'refuted') &&
        !hasCode(resource.clinicalStatus, 'inactive', 'resolved'),
    )
    .map((allergy) => {
      const { resource } = allergy;
      const { code, type, criticality, recordedDate, onsetDateTime, lastOccurrence, verificationStatus } = resource;
      const substance = meaningful(labelOf(code)) ?? 'an unnamed substance';
      const reactions = reactionsOf(resource);
      const sensitive = sensitivityOf(resource, code, ...reactions);
      return {
        members: [allergy],
        type: 'Allergy',
        title: `Allergy or intolerance: ${substance}`,
        ...(reactions.length === 0 ? {} : { detail: reactions.join(', ') }),
        date: fullDate(recordedDate, onsetDateTime, lastOccurrence),
        ...(sensitive === undefined ? {} : { sensitive }),
        topic: substance.toLowerCase(),
        facts: () =>
          stated({
            source: allergy.reference,
            substance,
            type,
            criticality,
            verification: labelOf(verificationStatus),
            onset: onsetDateTime,
            reactions,
          }),
      };
    });
}

function reactionsOf(allergy: AllergyIntolerance): string[] {
  return (allergy.reaction ?? []).flatMap(({ manifestation = [], severity }) =>
    manifestation.flatMap((each) => {
      const label = meaningful(labelOf(each));
      return label === undefined ? [] : [severity === undefined ? label : `${label} (${severity})`];
    }),
  );
}
