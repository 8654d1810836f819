import { unitKindsOf } from './dispense-unit.ts';
import type { DrugKnowledge } from './drug-knowledge.ts';
import { formOf } from './form.ts';
import { areOfOneDrug, ingredientOf } from './ingredient.ts';
import { isKnown } from './name-words.ts';
import { namesPack } from './pack-words.ts';
import type { DrugReading } from './reading.ts';

/**
 * Removes a strength that does not fit the ingredients. Two numbers for one ingredient are a range, and one number for
 * two ingredients belongs to only one of them, unless the label states the sum.
 */
export function strengthOfEach(reading: DrugReading, knowledge: DrugKnowledge): DrugReading {
  if (reading.source !== 'text' || reading.strength === undefined || reading.components !== undefined) return reading;
  const contents = contentsOf(reading, knowledge);
  if (contents === undefined) return reading;
  const { amounts } = reading;
  // A pack with a rising dose has several strengths.
  const isSingle = contents.length === 1 && !namesPack(reading.plain);
  const isRange = isSingle && new Set(amounts.map(({ amount }) => amount.value)).size > 1;
  if (isRange)
    return refuse(
      reading,
      'several_strengths',
      amounts.map((one) => [one]),
    );
  const isOfOne = contents.length > 1 && amounts.length === 1 && !isSum(reading, contents, knowledge);
  return isOfOne ? refuse(reading, 'ingredient_without_strength', [amounts]) : reading;
}

function refuse(reading: DrugReading, refused: DrugReading['refused'], possible: DrugReading['possible']): DrugReading {
  return { ...reading, strength: undefined, amounts: [], possible, refused, isCertain: false };
}

/** The moieties, each once. Undefined when a name has unknown contents. */
function contentsOf({ ingredients, brands }: DrugReading, knowledge: DrugKnowledge): readonly string[] | undefined {
  const names = ingredients.length > 0 ? ingredients : brands;
  if (!names.some((name) => isKnown(name, knowledge))) return undefined;
  const contents = names.map((name) => knowledge.rowOf(name)?.ingredients ?? plainOf(name, knowledge));
  if (contents.some((one) => one === undefined)) return undefined;
  return [...new Set(contents.flatMap((one) => one ?? []).map((name) => ingredientOf(name).base))];
}

// A lowercase name beside a known name is not a brand: "carbidopa/levodopa".
function plainOf(name: string, { isIngredient }: DrugKnowledge): readonly string[] | undefined {
  return isIngredient(name) || /^\p{Ll}/u.test(name) ? [name] : undefined;
}

// Salts of one drug, insulins, and the contents of one vial have a summed strength. A brand may have one if its form is
// not counted.
function isSum(
  { form, amounts, ingredients }: DrugReading,
  contents: readonly string[],
  { isIngredient }: DrugKnowledge,
): boolean {
  const insulins = contents.filter((name) => name.includes('insulin'));
  // accepts the words of "insulin NPH and regular human"
  const isInsulin = insulins.length > 0 && contents.every((name) => insulins.includes(name) || !isIngredient(name));
  if (areOfOneDrug(contents) || isInsulin) return true;
  const isVial = formOf(form)?.family === 'injection' || formOf(form)?.route === 'intravenous';
  const isMass = amounts.every(({ amount, per }) => amount.unit === 'mg' && per === undefined);
  return (isVial && isMass) || (ingredients.length < contents.length && !unitKindsOf(form).includes('counted'));
}
