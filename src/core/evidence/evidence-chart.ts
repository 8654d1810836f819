import type { FhirResource, MedicationRequest, Reference, Resource } from 'fhir/r4.js';
import type { Readings } from '../fhir/documents/readings.ts';
import type { Located } from '../fhir/references/graph.ts';
import type { Today } from '../fhir/time/today.ts';

type OfType<Type extends FhirResource['resourceType']> = Extract<FhirResource, { resourceType: Type }>;

/** All that evidence is looked for in: one patient's resources, around one order. */
export interface EvidenceChart {
  /** The order that the request is for; it is no evidence itself. */
  readonly order: Located<MedicationRequest>;
  /** The present as the site has it. */
  readonly today: Today;
  /** What was made of the bytes of notes. */
  readonly readings: Readings;
  /** References that a person ticked; undefined as long as nobody has chosen, empty when a person wants none. */
  readonly ticked: readonly string[] | undefined;
  /** The site's policy: what is suggested is taken until a person chooses. Never what is sensitive. */
  readonly takesSuggested: boolean;
  /** Resources of the type that are the patient's, in a stable order. */
  readonly mine: <Type extends FhirResource['resourceType']>(type: Type) => readonly Located<OfType<Type>>[];
  /** What a reference points to, when it is here, of one of the types, and not of another patient. */
  readonly resolve: <Type extends FhirResource['resourceType']>(
    reference: Reference | undefined,
    from: Located<Resource>,
    ...types: readonly Type[]
  ) => Located<OfType<Type>> | undefined;
}
