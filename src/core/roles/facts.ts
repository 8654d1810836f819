import type { FhirResource, Reference, Resource } from 'fhir/r4.js';
import type { Readings } from '../fhir/documents/readings.ts';
import type { Graph, Located } from '../fhir/references/graph.ts';
import type { Today } from '../fhir/time/today.ts';
import type { Environment } from '../fhirpath/environment.ts';
import type { Root } from '../mapping/input.ts';
import type { Answers } from './chart.ts';
import type { SitePolicy } from './policy.ts';

type OfType<Type extends FhirResource['resourceType']> = Extract<FhirResource, { resourceType: Type }>;

export interface RoleRequest {
  /** The reference in the graph, such as `Patient/123`. */
  readonly patient: string;
  /** The reference in the graph, such as `MedicationRequest/9`. */
  readonly order: string;
  readonly now: Date;
  readonly site: SitePolicy;
  readonly answers: Answers;
  readonly readings: Readings;
  readonly submission?: string;
  /** The support program of an enrollment, if the site has several. */
  readonly programId?: string;
  /** Resource types that were not fully read. A resource that is not found may still be in the chart. */
  readonly unread?: readonly string[];
  /** Orders that a CDS Hooks request names while they are being written. */
  readonly drafts?: ReadonlySet<string>;
}

/** Everything that a role may be filled from. It gives no access to resources of other patients. */
export interface Facts {
  readonly request: RoleRequest;
  readonly today: Today;
  /** Compares FHIR dates by instant, newest first. */
  readonly newestFirst: (left: string | undefined, right: string | undefined) => number;
  readonly graph: Graph;
  readonly environment: Environment;
  /** Whether a resource has a sensitivity label. */
  readonly isSensitive: (resource: FhirResource) => boolean;
  /** Whether a resource is sensitive by its labels, codes or words, or its sensitivity is unknown. */
  readonly tellsSensitive: (resource: FhirResource) => boolean;
  readonly root: (role: string) => Root;
  /** The resource that is the first node of a role. */
  readonly resource: <T extends Resource>(role: string) => Located<T> | undefined;
  /** The patient's resources of the type, in a stable order. */
  readonly mine: <Type extends FhirResource['resourceType']>(type: Type) => readonly Located<OfType<Type>>[];
  /** Resources of the type that belong to another record of the same person (Patient.link). */
  readonly linked: <Type extends FhirResource['resourceType']>(type: Type) => readonly Located<OfType<Type>>[];
  /** All resources of the type, whatever the patient. For types such as Practitioner or Organization. */
  readonly all: <Type extends FhirResource['resourceType']>(type: Type) => readonly Located<OfType<Type>>[];
  /** Resolves a reference. Undefined when the target is missing, of another type, or of another patient. */
  readonly resolve: <Type extends FhirResource['resourceType']>(
    reference: Reference | undefined,
    from: Located<Resource>,
    ...types: readonly Type[]
  ) => Located<OfType<Type>> | undefined;
}
