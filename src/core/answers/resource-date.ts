import type {
  AllergyIntolerance,
  Condition,
  DiagnosticReport,
  Encounter,
  FhirResource,
  MedicationAdministration,
  MedicationDispense,
  MedicationRequest,
  MedicationStatement,
  Observation,
} from 'fhir/r4.js';

/**
 * The elements that date a resource, in order of preference. A type without a row has no date: a Patient, a
 * Practitioner.
 */
const dates: { readonly [Type in FhirResource['resourceType']]?: (resource: never) => readonly unknown[] } = {
  AllergyIntolerance: ({ recordedDate, onsetDateTime, lastOccurrence }: AllergyIntolerance) => [
    ...[recordedDate, onsetDateTime, lastOccurrence],
  ],
  Condition: ({ recordedDate, onsetDateTime, onsetPeriod }: Condition) => [
    ...[recordedDate, onsetDateTime, onsetPeriod?.start],
  ],
  DiagnosticReport: ({ effectiveDateTime, effectivePeriod, issued }: DiagnosticReport) => [
    ...[effectiveDateTime, effectivePeriod?.end, effectivePeriod?.start, issued],
  ],
  Encounter: ({ period }: Encounter) => [period?.start],
  MedicationAdministration: ({ effectiveDateTime, effectivePeriod }: MedicationAdministration) => [
    ...[effectiveDateTime, effectivePeriod?.start],
  ],
  MedicationDispense: ({ whenHandedOver, whenPrepared }: MedicationDispense) => [whenHandedOver, whenPrepared],
  MedicationRequest: ({ authoredOn }: MedicationRequest) => [authoredOn],
  MedicationStatement: ({ effectivePeriod, effectiveDateTime, dateAsserted }: MedicationStatement) => [
    ...[effectivePeriod?.start, effectiveDateTime, dateAsserted],
  ],
  Observation: ({ effectiveDateTime, effectivePeriod, effectiveInstant, issued }: Observation) => [
    ...[effectiveDateTime, effectivePeriod?.end, effectivePeriod?.start, effectiveInstant, issued],
  ],
};

/** The date of a resource as the chart has it, for readers of an answer's source. */
export function dateOf(resource: FhirResource): string | undefined {
  const read = dates[resource.resourceType] as ((one: FhirResource) => readonly unknown[]) | undefined; // of its type
  return read?.(resource).find((date): date is string => typeof date === 'string');
}
