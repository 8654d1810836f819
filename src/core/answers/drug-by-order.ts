import type {
  CodeableConcept,
  MedicationAdministration,
  MedicationDispense,
  MedicationRequest,
  MedicationStatement,
} from 'fhir/r4.js';
import { readDrugName } from '../drug/read-drug-name.ts';
import { evidenceDrug } from '../evidence/drug.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import { systems } from '../fhir/codes/systems.ts';
import type { Located } from '../fhir/references/graph.ts';
import type { Around } from './around.ts';
import { ingredientsOf } from './ingredients.ts';

/**
 * The ingredients of an entry's drug. If the drug has neither a code nor a table row ("mixed amphetamine salts"), they
 * come from the coded orders that the entry refers to.
 */
export function ingredientsOfEntry(entry: TherapyEntry, around: Around): string {
  const { drugs } = around.knowledge;
  const own = ingredientsOf(entry.drug, drugs);
  if (entry.kind === 'order' || isCoded(entry.located, around) || isKnown(entry, around)) return own;
  const ordered = ordersOf(entry, around)
    .filter((order) => isCoded(order, around))
    .map((order) => ingredientsOf(evidenceDrug(around.chart, order, order.resource), drugs));
  const [first, ...others] = ordered;
  return first !== undefined && others.every((other) => other === first) ? first : own;
}

function isKnown({ drug }: TherapyEntry, { knowledge: { drugs } }: Around): boolean {
  const reading = readDrugName(drug.product.value);
  const names = [drug.name, ...(reading?.ingredients ?? []), ...(reading?.brands ?? [])];
  return names.some((name) => drugs.rowOf(name) !== undefined || drugs.isIngredient(name));
}

function isCoded(located: Located, { chart }: Around): boolean {
  // Every kind of entry has `medication[x]`.
  const { medicationCodeableConcept, medicationReference } = located.resource as MedicationRequest;
  const medication = chart.resolve(medicationReference, located, 'Medication');
  const concept: CodeableConcept | undefined = medicationCodeableConcept ?? medication?.resource.code;
  return (concept?.coding ?? []).some(({ system }) => system === systems.rxnorm);
}

function ordersOf({ located }: TherapyEntry, { chart }: Around): Located<MedicationRequest>[] {
  // Each kind of entry has one of the three elements.
  const { authorizingPrescription = [] } = located.resource as MedicationDispense;
  const { request } = located.resource as MedicationAdministration;
  const { basedOn = [] } = located.resource as MedicationStatement;
  const references = [...authorizingPrescription, ...basedOn, ...(request === undefined ? [] : [request])];
  return references.flatMap((reference) => chart.resolve(reference, located, 'MedicationRequest') ?? []);
}
