import { type Ingredient, ingredientOf, isSameIngredient, namesSalt } from './ingredient.ts';
import type { DrugKnowledge, DrugNameRow } from './knowledge.ts';
import type { DrugReading } from './reading.ts';

type Outcome = 'same' | 'differs' | 'unknown';

/** What a reading says is in the drug. */
interface Contents {
  /** As stated. */
  readonly names: readonly string[];
  readonly ingredients: readonly Ingredient[];
  /** Every name is an ingredient's, or a brand's of which the contents are known. */
  readonly isKnown: boolean;
  /** Rows of the brands that it states and that are known. */
  readonly rows: readonly DrugNameRow[];
}

/**
 * Whether two readings name one drug: their ingredients after brands are looked up, in any order, with or without salts.
 * `unknown` where a name may be a brand that the knowledge does not have.
 */
export function compareNames(left: DrugReading, right: DrugReading, knowledge: DrugKnowledge): Outcome {
  if (isWithoutName(left) || isWithoutName(right) || sharesName(left, right)) return 'same';
  const [ours, theirs] = [contentsOf(left, knowledge), contentsOf(right, knowledge)];
  if (!isSameSet(ours.ingredients, theirs.ingredients)) return ours.isKnown && theirs.isKnown ? 'differs' : 'unknown';
  if (isOtherBiosimilar(ours, theirs, knowledge)) return 'differs';
  return compareBrands(left, right, knowledge);
}

/**
 * Whether the brand of a reading holds the ingredients that the same reading states: "metformin (GLUCOTROL)" differs. `unknown` for a
 * brand that the knowledge does not have.
 */
export function compareBrand(reading: DrugReading, knowledge: DrugKnowledge): Outcome {
  if (reading.brands.length === 0 || reading.ingredients.length === 0) return 'same';
  return compareNames({ ...reading, ingredients: [] }, { ...reading, brands: [], brand: undefined }, knowledge);
}

function isWithoutName({ ingredients, brands }: DrugReading): boolean {
  return ingredients.length === 0 && brands.length === 0;
}

// The same words are the same drug, whatever is known of them.
function sharesName(left: DrugReading, right: DrugReading): boolean {
  const [ours, theirs] = [left, right].map(({ ingredients, brands }) => ({
    ingredients: ingredients.map(lower).sort().join('|'),
    all: [...ingredients, ...brands].map(lower),
    brands: brands.map(lower),
  }));
  if (ours === undefined || theirs === undefined) return false;
  if (ours.ingredients === theirs.ingredients && ours.brands.length * theirs.brands.length === 0) return true;
  const isOneName = ours.all.length === 1 || theirs.all.length === 1;
  return isOneName && ours.all.some((name) => theirs.all.includes(name)) && ours.ingredients !== theirs.ingredients;
}

const lower = (name: string): string => name.toLowerCase();

// A brand and an ingredient of it may agree, two brands of one ingredient are two products.
function compareBrands(left: DrugReading, right: DrugReading, knowledge: DrugKnowledge): Outcome {
  const [ours, theirs] = [brandsOf(left, knowledge), brandsOf(right, knowledge)];
  if (ours.length === 0 || theirs.length === 0 || ours.some(({ key }) => theirs.some((one) => one.key === key)))
    return 'same';
  return [...ours, ...theirs].every(({ isKnown }) => isKnown) ? 'differs' : 'unknown';
}

// A brand that no row has counts by its first word: "Sprintec 28 Day" is Sprintec.
function brandsOf({ brands, ingredients }: DrugReading, knowledge: DrugKnowledge): { key: string; isKnown: boolean }[] {
  const found = [...brands, ...ingredients].flatMap((name) => knowledge.rowOf(name) ?? []);
  const known = found
    .filter(({ isOtherName }) => isOtherName !== true)
    .map(({ name }) => ({ key: lower(name), isKnown: true }));
  const unknown = brands.filter((name) => knowledge.rowOf(name) === undefined);
  return [...known, ...unknown.map((name) => ({ key: lower(name).split(/[\s(]/)[0] ?? '', isKnown: false }))];
}

function contentsOf(reading: DrugReading, knowledge: DrugKnowledge): Contents {
  const rows = [...reading.brands, ...reading.ingredients].flatMap((name) => knowledge.rowOf(name) ?? []);
  const isMarked = reading.brands.length > 0;
  const plain = reading.ingredients.filter((name) => knowledge.rowOf(name) === undefined);
  const [row] = rows;
  if (plain.length === 0 && row !== undefined)
    return { names: reading.ingredients, ingredients: row.ingredients.map(ingredientOf), isKnown: true, rows };
  const looked = reading.ingredients.flatMap((name) => knowledge.rowOf(name)?.ingredients ?? [name]);
  const isKnown = plain.length > 0 && plain.every((name) => isMarked || isIngredientName(name, reading, knowledge));
  return { names: reading.ingredients, ingredients: looked.map(ingredientOf), isKnown, rows };
}

// RxNorm writes ingredients in small letters; a brand has a capital, and never a salt.
function isIngredientName(name: string, { source }: DrugReading, knowledge: DrugKnowledge): boolean {
  const isSmall = source !== 'text' && /^\p{Ll}/u.test(name);
  return isSmall || source === 'structure' || namesSalt(name) || knowledge.isIngredient(name);
}

function isSameSet(ours: readonly Ingredient[], theirs: readonly Ingredient[]): boolean {
  const rest = [...theirs];
  return (
    ours.length === theirs.length &&
    ours.every((one) => {
      const found = rest.findIndex((other) => isSameIngredient(one, other));
      if (found !== -1) rest.splice(found, 1);
      return found !== -1;
    })
  );
}

// "adalimumab" may be any, "Humira" is not adalimumab-adaz.
function isOtherBiosimilar(ours: Contents, theirs: Contents, knowledge: DrugKnowledge): boolean {
  return isOther(ours, theirs, knowledge) || isOther(theirs, ours, knowledge);
}

function isOther({ names }: Contents, { rows }: Contents, knowledge: DrugKnowledge): boolean {
  const brands = names
    .filter((name) => ingredientOf(name).suffix !== undefined)
    .flatMap((name) => knowledge.brandsOf(name));
  const stated = rows.filter(({ isOtherName }) => isOtherName !== true).map(({ name }) => lower(name));
  return brands.length > 0 && stated.length > 0 && !stated.some((name) => brands.includes(name));
}
