import { ingredientOf, isSameIngredient } from './ingredient.ts';
import { type Component, type DrugReading, eachBeside, strengthsOf } from './reading.ts';
import { compareStrengths } from './strength.ts';

export type Ordered = Pick<DrugReading, 'name' | 'strength'>;

/**
 * The name and strength of a reading with its ingredients in the order of a text about the same drug. Names show the
 * order, or else strengths ("Janumet 50 mg-1,000 mg"). Undefined when the order is the same already, or the text does
 * not show an order.
 *
 * @example
 * // reading: "metformin hydrochloride 1000 MG / sitagliptin 50 MG Oral Tablet [Janumet]"
 * inOrderOfText(reading, readDrugName('Janumet 50 mg-1,000 mg tablet'))?.strength
 * // 'sitagliptin 50 MG / metformin hydrochloride 1000 MG'
 */
export function inOrderOfText(reading: DrugReading, text: DrugReading): Ordered | undefined {
  const { components } = reading;
  if (components === undefined || components.length !== text.amounts.length) return undefined;
  const order = orderOf(reading, components, text);
  if (order === undefined || order.every((place, index) => place === index)) return undefined;
  const ordered = order.flatMap((place) => components[place] ?? []);
  return { name: nameIn(ordered, reading, components), strength: eachBeside(ordered) };
}

function orderOf(
  reading: DrugReading,
  components: readonly Component[],
  text: DrugReading,
): readonly number[] | undefined {
  const free = new Set(components.keys());
  const order = text.amounts.flatMap((_, at) => {
    const [place, ...others] = [...free].filter((one) => isNamedAlike(components[one], text.ingredients[at]));
    const found = place !== undefined && others.length === 0 ? place : placeOf(at, reading, text, free);
    if (found === undefined) return [];
    free.delete(found);
    return [found];
  });
  return free.size === 0 ? order : undefined;
}

function isNamedAlike(component: Component | undefined, name: string | undefined): boolean {
  if (component === undefined || name === undefined) return false;
  return isSameIngredient(ingredientOf(component.ingredient), ingredientOf(name));
}

// Of equal strengths the first is taken, because "800 mg-800 mg" does not show an order.
function placeOf(at: number, reading: DrugReading, text: DrugReading, free: ReadonlySet<number>): number | undefined {
  return [...free].find((place) => {
    const [ours, theirs] = [reading.amounts[place], text.amounts[at]];
    if (ours === undefined || theirs === undefined) return false;
    return compareStrengths(strengthsOf(reading, [ours]), strengthsOf(text, [theirs])) === 'same';
  });
}

// A brand has no order of ingredients. The release stays after the names.
function nameIn(ordered: readonly Component[], { name }: DrugReading, components: readonly Component[]) {
  const [before, after] = [components, ordered].map((each) => each.map(({ ingredient }) => ingredient).join(' / '));
  return before === undefined || after === undefined ? name : name?.replace(before, () => after);
}
