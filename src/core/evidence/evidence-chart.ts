import type { FhirResource, MedicationRequest, Reference, Resource } from 'fhir/r4.js';
import type { Readings } from '../fhir/documents/readings.ts';
import type { Located } from '../fhir/references/graph.ts';
import type { Today } from '../fhir/time/today.ts';

type OfType<Type extends FhirResource['resourceType']> = Extract<FhirResource, { resourceType: Type }>;

/** The source of evidence: one patient's resources, around one order. */
export interface EvidenceChart {
  /** The order of the request; it is not evidence itself. */
  readonly order: Located<MedicationRequest>;
  /** The current date at the site. */
  readonly today: Today;
  /** The texts that were read from the bytes of notes. */
  readonly readings: Readings;
  /** References that a person ticked; undefined until a person has chosen, empty when the person wants none. */
  readonly ticked: readonly string[] | undefined;
  /** The site's policy: suggested findings are sent until a person chooses, but never sensitive ones. */
  readonly takesSuggested: boolean;
  /** The patient's resources of a type, in a stable order. */
  readonly mine: <Type extends FhirResource['resourceType']>(type: Type) => readonly Located<OfType<Type>>[];
  /** Resolves a reference, if its target is in the chart, of one of the types, and not of another patient. */
  readonly resolve: <Type extends FhirResource['resourceType']>(
    reference: Reference | undefined,
    from: Located<Resource>,
    ...types: readonly Type[]
  ) => Located<OfType<Type>> | undefined;
}
