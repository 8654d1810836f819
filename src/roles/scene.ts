import type { FhirResource, MedicationRequest, Patient, Reference, Resource } from 'fhir/r4.js';
import type { Readings } from '../documents/readings.ts';
import type { Located } from '../fhir/graph.ts';
import type { Sensitivity } from '../fhir/sensitivity.ts';
import type { Node, Root } from '../mapping/input.ts';
import type { Gap, Look } from '../mapping/result.ts';
import type { Answers, Choice, Role } from './chart.ts';
import type { SitePolicy } from './policy.ts';

type OfType<Type extends FhirResource['resourceType']> = Extract<FhirResource, { resourceType: Type }>;

/** All that one decision may look at. */
export interface Scene {
  /** Absent when the Patient itself is not among the resources. */
  readonly patient?: Located<Patient>;
  readonly order: Located<MedicationRequest>;
  readonly now: Date;
  readonly site: SitePolicy;
  readonly answers: Answers;
  readonly readings: Readings;
  readonly sensitivity: Sensitivity;
  readonly submission?: string;
  /** Resources of the type that are the patient's, in a stable order. */
  readonly mine: <Type extends FhirResource['resourceType']>(type: Type) => readonly Located<OfType<Type>>[];
  /** Resources of the type that hang on another record of the same person (Patient.link): never taken without a person's word. */
  readonly linked: <Type extends FhirResource['resourceType']>(type: Type) => readonly Located<OfType<Type>>[];
  /** Resources of the type whoever they belong to (Practitioner, Organization, ...). */
  readonly all: <Type extends FhirResource['resourceType']>(type: Type) => readonly Located<OfType<Type>>[];
  /** What a reference points to, when it is here and of one of the types. */
  readonly resolve: <Type extends FhirResource['resourceType']>(
    reference: Reference | undefined,
    from: Located<Resource>,
    ...types: readonly Type[]
  ) => Located<OfType<Type>> | undefined;
}

/** What one decision adds to the chart. */
export interface Decision {
  readonly roots: Partial<Record<Role, Root>>;
  readonly choices?: readonly Choice[];
  readonly questions?: readonly Gap[];
  readonly warnings?: readonly string[];
}

/** A value at a path of a resource: `at(patient, 'name[1]', name)`; without a path the resource itself. */
export function nodeAt(located: Located<Resource>, value: unknown, path?: string): Node {
  const { resource } = located;
  return {
    value,
    source: {
      resource: located.reference,
      ...(resource.meta?.versionId === undefined ? {} : { version: resource.meta.versionId }),
      path: path === undefined ? resource.resourceType : `${resource.resourceType}.${path}`,
    },
  };
}

export function rootOf(nodes: readonly Node[], more: Omit<Root, 'nodes'> = {}): Root {
  return { nodes, ...more };
}

/** A root without nodes that tells how far the search got. */
export function emptyRoot(...looks: readonly Look[]): Root {
  return { nodes: [], looks };
}

export function look(expression: string, steps: readonly (readonly [string, number])[], refused?: string): Look {
  return {
    expression,
    steps: steps.map(([step, items]) => ({ step, items })),
    ...(refused === undefined ? {} : { refused }),
  };
}
