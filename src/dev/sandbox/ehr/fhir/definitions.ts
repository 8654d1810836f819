import { readFileSync } from 'node:fs';
import { getSearchParameter, indexSearchParameterBundle, indexStructureDefinitionBundle } from '@medplum/core';
import type { SearchParameter, StructureDefinition } from '@medplum/fhirtypes';
import type { CompartmentDefinition } from 'fhir/r4.js';

/** The part of HL7's definitions that bin/generate-sandbox-definitions.mjs keeps. */
interface Definitions {
  readonly structures: StructureDefinition[];
  readonly parameters: SearchParameter[];
  readonly compartment: NonNullable<CompartmentDefinition['resource']>;
}

let compartment: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * Loads the FHIR R4 definitions of this EHR's types, once per process: structures for validation, search parameters,
 * and the Patient compartment.
 */
export function loadDefinitions(): void {
  if (compartment !== undefined) return;
  const file = new URL('./definitions.generated.json', import.meta.url);
  const definitions = JSON.parse(readFileSync(file, 'utf8')) as Definitions; // the build wrote the file
  indexStructureDefinitionBundle(definitions.structures);
  indexSearchParameterBundle({
    resourceType: 'Bundle',
    type: 'collection',
    entry: definitions.parameters.map((resource) => ({ resource })),
  });
  compartment = new Map(definitions.compartment.map((row) => [row.code, row.param ?? []]));
}

/**
 * FHIRPath expressions of the elements by which a resource of this type is in a Patient compartment; empty for types
 * that belong to no patient.
 */
export function compartmentExpressions(type: string): readonly string[] {
  if (compartment === undefined) throw new Error('loadDefinitions comes first');
  return (compartment.get(type) ?? []).flatMap((code) => getSearchParameter(type, code)?.expression ?? []);
}
