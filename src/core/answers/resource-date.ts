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
import { readDateTime } from '../fhir/time/date-time.ts';
import { dayIn } from '../fhir/time/time-zone.ts';
import type { Today } from '../fhir/time/today.ts';

/** The elements that date a resource, preferred first. A type without a row, such as Patient, has no date. */
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

/** The date of a resource as the chart writes it, for readers who check the source of an answer. */
export function dateOf(resource: FhirResource): string | undefined {
  const read = dates[resource.resourceType] as ((one: FhirResource) => readonly unknown[]) | undefined;
  return read?.(resource).find((date): date is string => typeof date === 'string');
}

/** Elements that state when a resource was reported, which may be after its date. */
const reported = ['issued', 'dateAsserted'];

/** Whether a resource is dated or was reported after the day of the request. */
export function isLater(resource: FhirResource, today: Today): boolean {
  const dates = [dateOf(resource), ...reported.map((element) => Reflect.get(resource, element))];
  return dates.some((date) => isAfter(date, today));
}

/** Whether a date is entirely after the day of the request. An instant is converted to the site's time zone. */
export function isAfter(date: unknown, { day, timeZone }: Today): boolean {
  const read = readDateTime(date);
  // A date written in another time zone is at most one day later at the site, so a date before today cannot be after
  // today.
  if (read === undefined || read.date < day) return false;
  const written = read.precision === 'instant' ? dayIn(read.instant, timeZone) : read.date;
  return written > day.slice(0, written.length);
}
