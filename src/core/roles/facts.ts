import type { FhirResource, Reference, Resource } from 'fhir/r4.js';
import type { Readings } from '../fhir/documents/readings.ts';
import type { Graph, Located } from '../fhir/references/graph.ts';
import type { Today } from '../fhir/time/today.ts';
import type { Environment } from '../fhirpath/environment.ts';
import type { Root } from '../mapping/input.ts';
import type { Answers } from './chart.ts';
import type { SitePolicy } from './policy.ts';

type OfType<Type extends FhirResource['resourceType']> = Extract<FhirResource, { resourceType: Type }>;

/** What the caller asks for: which order of which patient, for which site, on which day. */
export interface RoleRequest {
  /** `Patient/123` as the graph names it. */
  readonly patient: string;
  /** `MedicationRequest/9` as the graph names it. */
  readonly order: string;
  readonly now: Date;
  readonly site: SitePolicy;
  readonly answers: Answers;
  readonly readings: Readings;
  readonly submission?: string;
  /** The support program of an enrollment, when the site has several. */
  readonly programId?: string;
  /** Resource types of which not all was read: of what is not found, nobody knows whether the chart has it. */
  readonly unread?: readonly string[];
  /** Orders that a CDS Hooks request names while they are being written. */
  readonly drafts?: ReadonlySet<string>;
}

/** Everything that filling a role may look at. Nothing of another patient is reachable through it. */
export interface Facts {
  readonly request: RoleRequest;
  /** The site's day. */
  readonly today: Today;
  /** Compares FHIR dates by instant, newest first. */
  readonly newestFirst: (left: string | undefined, right: string | undefined) => number;
  readonly graph: Graph;
  readonly environment: Environment;
  /** Whether a resource carries a sensitivity label. */
  readonly isSensitive: (resource: FhirResource) => boolean;
  /** Whether its labels, codes or words tell of a sensitive category. */
  readonly tellsSensitive: (resource: FhirResource) => boolean;
  /** What another role stands for. */
  readonly root: (role: string) => Root;
  /** The resource that a role's first node is. */
  readonly resource: <T extends Resource>(role: string) => Located<T> | undefined;
  /** Resources of the type that are the patient's, in a stable order. */
  readonly mine: <Type extends FhirResource['resourceType']>(type: Type) => readonly Located<OfType<Type>>[];
  /** Resources of the type that belong to another record of the same person (Patient.link). */
  readonly linked: <Type extends FhirResource['resourceType']>(type: Type) => readonly Located<OfType<Type>>[];
  /** Resources of the type whoever they belong to (Practitioner, Organization, ...). */
  readonly all: <Type extends FhirResource['resourceType']>(type: Type) => readonly Located<OfType<Type>>[];
  /** What a reference points to, when it is here, of one of the types, and not of another patient. */
  readonly resolve: <Type extends FhirResource['resourceType']>(
    reference: Reference | undefined,
    from: Located<Resource>,
    ...types: readonly Type[]
  ) => Located<OfType<Type>> | undefined;
}
