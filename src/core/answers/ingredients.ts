import type { DrugKnowledge } from '../drug/drug-knowledge.ts';
import { ingredientOf } from '../drug/ingredient.ts';
import { readDrugName } from '../drug/read-drug-name.ts';
import type { Drug } from '../evidence/drug.ts';

/**
 * The ingredients of a drug without their salts, in one order: a brand by its row, so that "Trexall 10 mg" and
 * "methotrexate sodium 2.5 MG Oral Tablet" are one drug. A drug that nobody knows is its own words.
 *
 * @example ingredientsOf(drug, knowledge) // 'methotrexate'
 */
export function ingredientsOf(drug: Drug, knowledge: DrugKnowledge): string {
  const names = namesOf(drug).flatMap((name) => knowledge.rowOf(name)?.ingredients ?? [name]);
  return [...new Set(names.map((name) => ingredientOf(name).base))].sort().join(' / ');
}

function namesOf({ name, product, isCertain }: Drug): readonly string[] {
  if (isCertain) return name.split(' / ');
  const reading = readDrugName(product.value);
  const read = [...(reading?.ingredients ?? []), ...(reading?.brands ?? [])];
  return read.length === 0 ? [name] : read;
}

/** The parts of a combination. */
export function partsOf(ingredients: string): readonly string[] {
  return ingredients.split(' / ');
}

/** Every ingredient that a name may stand for, without its salts: of a brand what is in it, of `a / b` both. */
export function ingredientsInName(name: string, knowledge: DrugKnowledge): string[] {
  const reading = readDrugName(name);
  const names = [...name.split(' / '), ...(reading?.ingredients ?? []), ...(reading?.brands ?? [])];
  const all = names.flatMap((one) => knowledge.rowOf(one)?.ingredients ?? [one]);
  return [...new Set(all.map((one) => ingredientOf(one).base))];
}
