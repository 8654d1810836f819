import type { DrugKnowledge } from '../drug/drug-knowledge.ts';
import { ingredientOf } from '../drug/ingredient.ts';
import { readDrugName } from '../drug/read-drug-name.ts';
import type { DrugReading } from '../drug/reading.ts';
import { Cited } from '../evidence/cite.ts';
import type { Drug } from '../evidence/drug.ts';

/**
 * The ingredients of a drug, sorted and joined by ` / `. A brand is replaced by its ingredients, and a salt by its base
 * if the tables know the base. So "Trexall 10 mg" and "methotrexate sodium 2.5 MG Oral Tablet" are one drug; ferrous
 * sulfate and ferrous gluconate stay two. A drug that is not in the tables keeps its own words.
 *
 * @example ingredientsOf(drug, knowledge) // 'methotrexate'
 */
export function ingredientsOf(drug: Drug, knowledge: DrugKnowledge): string {
  const names = namesOf(drug).flatMap((name) => knowledge.rowOf(name)?.ingredients ?? [name]);
  return [...new Set(names.map((name) => plainName(name, knowledge)))].sort().join(' / ');
}

function plainName(name: string, knowledge: DrugKnowledge): string {
  const { base, moiety, whole, salts } = ingredientOf(name);
  const isPlain = salts.length === 0 || (knowledge.isMoiety(base) && !knowledge.isOwnEster(whole));
  return isPlain ? moiety : whole;
}

/**
 * A key that is the same for two names of one drug, whatever the order of their words.
 *
 * @example drugKey('insulin glargine') === drugKey('glargine insulin') // true
 */
export function drugKey(ingredients: string): string {
  const sorted = partsOf(ingredients).map((part) => part.split(' ').sort().join(' '));
  return sorted.sort().join(' / ');
}

function namesOf({ name, product, isCertain }: Drug): readonly string[] {
  if (isCertain) return name.split(' / ');
  const reading = readDrugName(product.value);
  const read = [...(reading?.ingredients ?? []), ...(reading?.brands ?? [])];
  return read.length === 0 ? [name] : read;
}

export function partsOf(ingredients: string): readonly string[] {
  return ingredients.split(' / ');
}

/**
 * Every ingredient that a name may mean, normalized as in `ingredientsOf`: the contents of a brand, or both parts of `a
 * / b`.
 */
export function ingredientsInName(name: string, knowledge: DrugKnowledge): string[] {
  const reading = readDrugName(name);
  const names = [...name.split(' / '), ...(reading?.ingredients ?? []), ...(reading?.brands ?? [])];
  const all = names.flatMap((one) => knowledge.rowOf(one)?.ingredients ?? [one]);
  return [...new Set(all.map((one) => plainName(one, knowledge)))];
}

/** What `of` reads from the first of a drug's names that has it: first its text, then the names of its codes. */
export function saidIn<Said>(
  { product, coded }: Drug,
  of: (reading: DrugReading) => Said | undefined,
): Cited<Said> | undefined {
  for (const { value, source } of [product, ...coded]) {
    const reading = readDrugName(value);
    const said = reading === undefined ? undefined : of(reading);
    if (said !== undefined) return new Cited(said, source);
  }
  return undefined;
}

/**
 * Whether the tables list the name as a brand. The name grammar cannot decide this: it reads a lone brand as an
 * ingredient.
 */
export function isBrand(name: string, { rowOf }: DrugKnowledge): boolean {
  const row = rowOf(name);
  return row !== undefined && row.isOtherName !== true;
}
