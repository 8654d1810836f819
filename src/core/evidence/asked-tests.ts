import type { CodeableConcept } from 'fhir/r4.js';
import { systems } from '../fhir/codes/systems.ts';
import type { EvidenceChart } from './evidence-chart.ts';
import type { AskedOf, DrugClass } from './knowledge.ts';

/**
 * The tests that reviewers commonly ask for with a drug of these classes, by its ingredients: of a class for several
 * diseases only what fits the ICD-10-CM codes; without codes all.
 */
export function testsAsked(drug: string, classes: readonly DrugClass[], codes: readonly string[]): string[] {
  const names = drug.toLowerCase().split(/[ /-]+/);
  const fits = ({ diagnoses, drugs }: AskedOf) =>
    (codes.length === 0 || isOfOne(codes, diagnoses)) && (drugs?.some((name) => names.includes(name)) ?? true);
  const asked = classes.flatMap(({ asks, asksOf }) => [...asks, ...asksOf.filter(fits).flatMap(({ tests }) => tests)]);
  return [...new Set(asked)];
}

/** Whether one of these ICD-10-CM codes begins as one of the beginnings; without beginnings any does. */
export function isOfOne(codes: readonly string[], beginnings: readonly string[] | undefined): boolean {
  return beginnings?.some((one) => codes.some((code) => code.startsWith(one.replace('.', '')))) ?? true;
}

/** ICD-10-CM codes without the dot. */
export function icd10Of(concept: CodeableConcept | undefined): string[] {
  return (concept?.coding ?? []).flatMap(({ system, code }) =>
    system === systems.icd10 && code !== undefined ? [code.replace('.', '').toUpperCase()] : [],
  );
}

/** The ICD-10-CM codes of the reasons of the order. */
export function codesOfOrder({ order, resolve }: EvidenceChart): string[] {
  const { reasonCode = [], reasonReference = [] } = order.resource;
  const conditions = reasonReference.map((reference) => resolve(reference, order, 'Condition')?.resource.code);
  return [...reasonCode, ...conditions].flatMap(icd10Of);
}
