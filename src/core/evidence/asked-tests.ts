import type { CodeableConcept } from 'fhir/r4.js';
import { systems } from '../fhir/codes/systems.ts';
import type { EvidenceChart } from './evidence-chart.ts';
import type { AskedOf, DrugClass } from './knowledge.ts';

/**
 * The tests that reviewers commonly ask for with a drug of these classes. `drug` is its ingredients. A class with
 * several diseases has only the tests for the ICD-10-CM codes, or all tests if there are no codes.
 */
export function testsAsked(drug: string, classes: readonly DrugClass[], codes: readonly string[]): string[] {
  const names = drug.toLowerCase().split(/[ /-]+/);
  const fits = ({ diagnoses, drugs }: AskedOf) =>
    (codes.length === 0 || isOfOne(codes, diagnoses)) && (drugs?.some((name) => names.includes(name)) ?? true);
  const asked = classes.flatMap(({ asks, asksOf }) => [...asks, ...asksOf.filter(fits).flatMap(({ tests }) => tests)]);
  return [...new Set(asked)];
}

/** Whether one of these ICD-10-CM codes starts with one of these prefixes. True without prefixes. */
export function isOfOne(codes: readonly string[], beginnings: readonly string[] | undefined): boolean {
  return beginnings?.some((one) => codes.some((code) => code.startsWith(one.replace('.', '')))) ?? true;
}

/** The ICD-10-CM codes of a concept, without the dot. */
export function icd10Of(concept: CodeableConcept | undefined): string[] {
  return (concept?.coding ?? []).flatMap(({ system, code }) =>
    system === systems.icd10 && code !== undefined ? [code.replace('.', '').toUpperCase()] : [],
  );
}

export function codesOfOrder({ order, resolve }: EvidenceChart): string[] {
  const { reasonCode = [], reasonReference = [] } = order.resource;
  const conditions = reasonReference.map((reference) => resolve(reference, order, 'Condition')?.resource.code);
  return [...reasonCode, ...conditions].flatMap(icd10Of);
}
