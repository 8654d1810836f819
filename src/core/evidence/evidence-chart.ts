import type { FhirResource, MedicationRequest, Reference, Resource } from 'fhir/r4.js';
import type { Readings } from '../fhir/documents/readings.ts';
import type { Located } from '../fhir/references/graph.ts';
import type { Today } from '../fhir/time/today.ts';

type OfType<Type extends FhirResource['resourceType']> = Extract<FhirResource, { resourceType: Type }>;

/** The resources of one patient that evidence comes from, around one order. */
export interface EvidenceChart {
  /** The order of the request. It is not evidence itself. */
  readonly order: Located<MedicationRequest>;
  readonly today: Today;
  /** The texts extracted from the attachments of notes. */
  readonly readings: Readings;
  /** The references that a person ticked. Undefined until a person has chosen, empty if the person chose none. */
  readonly ticked: readonly string[] | undefined;
  /** The site's policy sends suggested findings, except sensitive ones, until a person chooses. */
  readonly takesSuggested: boolean;
  /** The patient's resources of a type, in a stable order. */
  readonly mine: <Type extends FhirResource['resourceType']>(type: Type) => readonly Located<OfType<Type>>[];
  /** Resolves a reference. Undefined when the target is missing, of another type, or of another patient. */
  readonly resolve: <Type extends FhirResource['resourceType']>(
    reference: Reference | undefined,
    from: Located<Resource>,
    ...types: readonly Type[]
  ) => Located<OfType<Type>> | undefined;
}
