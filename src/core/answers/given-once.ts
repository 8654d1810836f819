import type { MedicationAdministration, MedicationRequest } from 'fhir/r4.js';
import { hasCode } from '../fhir/codes/concept.ts';
import type { Located } from '../fhir/references/graph.ts';
import type { Around } from './around.ts';
import type { Attempt } from './history.ts';

/**
 * Whether the only evidence of a drug is one dose given in a hospital or at a procedure. Such a dose, for example of an
 * anesthetic, is not a trial of the drug, unless the order is for an inpatient.
 */
export function isGivenAtHospital({ entries }: Attempt, around: Around): boolean {
  const [dose, ...others] = entries.filter(({ kind }) => kind !== 'order');
  if (dose?.kind !== 'administration' || others.length > 0 || isInpatient(around.chart.order.resource)) return false;
  return isOfStay(dose.located as Located<MedicationAdministration>, around); // `kind` implies this type
}

function isOfStay(dose: Located<MedicationAdministration>, { chart: { resolve } }: Around): boolean {
  const { category, context, partOf = [] } = dose.resource;
  if (isInpatient({ category: category === undefined ? [] : [category] })) return true;
  if (partOf.some(({ reference }) => reference?.startsWith('Procedure/') === true)) return true;
  const stay = resolve(context, dose, 'Encounter')?.resource.class.code ?? '';
  return staying.includes(stay);
}

function isInpatient({ category = [] }: Pick<MedicationRequest, 'category'>): boolean {
  return category.some((concept) => hasCode(concept, 'inpatient'));
}

/** HL7 v3 ActCode classes for inpatient, emergency and observation encounters. */
const staying: readonly string[] = ['IMP', 'ACUTE', 'NONAC', 'EMER', 'OBSENC', 'SS'];
