import { isObject } from '../../../core/fhir/is-object.ts';
import { isFhirCode } from '../../../core/fhir/model/codes.ts';
import type { ElementPlace, JsonObject } from './element-place.ts';
import { isPublicCode } from './public-systems.ts';
import { publicCodes } from './public-words.ts';
import { splitWords } from './split-words.ts';

/**
 * Whether the code of a Coding, Quantity or extension is kept. It must have the form of its public system's codes, or
 * be a code of FHIR itself.
 */
export function isKeptCode(system: unknown, code: unknown, named: ReadonlySet<string>): boolean {
  if (typeof code !== 'string') return false;
  if (typeof system === 'string' && isPublicCode(system, code)) return true;
  return isFhirCode(code) || publicCodes.has(code) || named.has(code);
}

/**
 * Whether the display of a Coding is kept. The code must be of a public system, and the text must have nothing unusual
 * for a display.
 */
export function isKeptDisplay(coding: JsonObject): boolean {
  const { system, code, display } = coding;
  if (typeof system !== 'string' || typeof code !== 'string' || typeof display !== 'string') return false;
  return (
    isPublicCode(system, code) && display.length <= 400 && !/\d{5}|@|\d{4}-\d{2}-\d{2}|\d\/\d{1,2}\/\d{2}/.test(display)
  );
}

/** The displays of a CodeableConcept's codings that are kept. */
export function keptDisplays(concept: JsonObject): string[] {
  const codings = Array.isArray(concept.coding) ? concept.coding.filter(isObject) : [];
  return codings.filter(isKeptDisplay).map(({ display }) => String(display));
}

/** Every word of the displays that are kept, anywhere in the input. */
export function wordsOfKeptDisplays(json: unknown): ReadonlySet<string> {
  const words = new Set<string>();
  const pending: unknown[] = [json];
  while (pending.length > 0) {
    const value = pending.pop();
    if (Array.isArray(value)) for (const item of value) pending.push(item);
    if (!isObject(value)) continue;
    if (isKeptDisplay(value)) for (const word of splitWords(String(value.display))) words.add(word);
    for (const inner of Object.values(value)) pending.push(inner);
  }
  return words;
}

const medicationElements: ReadonlySet<string> = new Set([
  'Medication.code',
  'Medication.form',
  'Medication.ingredient.item',
  'MedicationKnowledge.code',
  'AllergyIntolerance.code',
  'AllergyIntolerance.reaction.substance',
  'Immunization.vaccineCode',
  'Dosage.route',
  'Dosage.method',
  'Dosage.site',
  'CatalogEntry.referencedItem',
]);

/** Whether an element names a drug, or a part of how the drug is given. */
export function isMedicationConcept({ holder, element }: ElementPlace): boolean {
  return element.name === 'medication' || medicationElements.has(`${holder}.${element.name}`);
}
