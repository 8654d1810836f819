import type { DrugKnowledge, DrugNameRow } from './drug-knowledge.ts';
import { readDrugName } from './read-drug-name.ts';

/**
 * Other names of a drug in the tables: for a brand, its ingredients; for ingredients, the brands and other names with
 * exactly those ingredients. Empty for a drug that is not in the tables.
 *
 * @example otherNames('apremilast 30 MG Oral Tablet', knowledge) // ['Otezla']
 */
export function otherNames(text: string, knowledge: DrugKnowledge): readonly string[] {
  const reading = readDrugName(text);
  if (reading === undefined) return [];
  const { ingredients, brands, otherNames: beside } = reading;
  const rows = [...brands, ...ingredients, ...beside].flatMap((name) => knowledge.rowOf(name) ?? []);
  const ofBrands = rows.filter(isBrand).flatMap((row) => [...row.ingredients, ...namesBeside(row, knowledge)]);
  // An order for one brand is not an order for other brands of its ingredient.
  return [...new Set(ofBrands.length > 0 ? ofBrands : ofIngredients(ingredients, knowledge))];
}

function ofIngredients(names: readonly string[], knowledge: DrugKnowledge): readonly string[] {
  const stated = names.flatMap((name) => knowledge.rowOf(name)?.ingredients ?? [name]);
  const others = stated.filter((name) => !names.includes(name));
  return [...others, ...knowledge.rowsWith(stated).map(({ name }) => name)];
}

function namesBeside({ ingredients }: DrugNameRow, knowledge: DrugKnowledge): readonly string[] {
  const rows = ingredients.flatMap((one) => knowledge.rowsWith([one]));
  return rows.filter((row) => !isBrand(row)).map(({ name }) => name);
}

function isBrand({ isOtherName }: DrugNameRow): boolean {
  return isOtherName !== true;
}
