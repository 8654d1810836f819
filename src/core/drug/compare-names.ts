import { type DrugKnowledge, type DrugNameRow, saysNothingOfContents } from './drug-knowledge.ts';
import { type Ingredient, ingredientOf, isNearlySpelled, isSameIngredient, namesSalt } from './ingredient.ts';
import type { DrugReading } from './reading.ts';

type Outcome = 'same' | 'differs' | 'unknown';

interface Contents {
  readonly names: readonly string[];
  readonly ingredients: readonly Ingredient[];
  /** Every name is an ingredient, or a brand with a row. */
  readonly isKnown: boolean;
  readonly rows: readonly DrugNameRow[];
}

/**
 * Whether two readings are about the same drug. Brands are replaced by their ingredients, which are compared in any
 * order and with or without salts. `unknown` when a name may be a brand without a row.
 */
export function compareNames(left: DrugReading, right: DrugReading, knowledge: DrugKnowledge): Outcome {
  if (isWithoutName(left) || isWithoutName(right)) return 'same';
  const [ours, theirs] = [contentsOf(left, knowledge), contentsOf(right, knowledge)];
  const isSaidAlike = wordsOf(left.ingredients) === wordsOf(right.ingredients) && left.ingredients.length > 0;
  if (isSaidAlike || isSameSet(ours.ingredients, theirs.ingredients, isSameIngredient) || areSaltsOf(ours, theirs))
    return isOtherBiosimilar(ours, theirs, knowledge) ? 'differs' : compareBrands(left, right, knowledge);
  if (isNamed(left, right, knowledge) || isNamed(right, left, knowledge)) return 'same';
  const isMisspelled = isSameSet(ours.ingredients, theirs.ingredients, (one, other) =>
    isMisspelling(one, other, knowledge),
  );
  return ours.isKnown && theirs.isKnown && !isMisspelled ? 'differs' : 'unknown';
}

/**
 * Whether the names in one reading belong together. "metformin (GLUCOTROL)" `differs`; a brand without a row is
 * `unknown`.
 */
export function compareOwnNames(reading: DrugReading, knowledge: DrugKnowledge): Outcome {
  const others = reading.otherNames.filter(
    (name) => knowledge.rowOf(name) !== undefined || knowledge.isIngredient(name),
  );
  const ingredients: DrugReading = { ...reading, brands: [], otherNames: [], brand: undefined };
  const outcomes = [
    compareNames({ ...reading, ingredients: [] }, ingredients, knowledge),
    compareNames({ ...ingredients, ingredients: others }, ingredients, knowledge),
  ];
  if (outcomes.includes('differs')) return 'differs';
  return outcomes.includes('unknown') ? 'unknown' : 'same';
}

function isWithoutName({ ingredients, brands }: DrugReading): boolean {
  return ingredients.length === 0 && brands.length === 0;
}

// A name without a row matches the brand or the only ingredient of the other reading if both are equal apart from words
// for a device or package.
function isNamed(one: DrugReading, other: DrugReading, knowledge: DrugKnowledge): boolean {
  const [name, ...more] = [...one.ingredients, ...one.brands];
  if (name === undefined || more.length > 0 || knowledge.rowOf(name) !== undefined) return false;
  const only = other.ingredients.length === 1 ? other.ingredients : [];
  return [...other.brands, ...other.otherNames, ...only].some(
    (word) => isBeginning(name, word) || isBeginning(word, name),
  );
}

// Ignores the order of words and the separators, as in "hydrocodone-acetaminophen".
function wordsOf(names: readonly string[]): string {
  const words = names
    .join(' ')
    .toLowerCase()
    .split(/[\s,/()-]+/);
  return words
    .filter((word) => word !== '')
    .sort()
    .join(' ');
}

// "Levlen" matches "Levlen 28 Day".
function isBeginning(short: string, long: string): boolean {
  const [name, whole] = [lower(short), lower(long)];
  return whole === name || (whole.startsWith(`${name} `) && saysNothingOfContents(whole.slice(name.length)));
}

const lower = (name: string): string => name.toLowerCase();

// A brand agrees with its ingredient, but two brands of one ingredient are two products.
function compareBrands(left: DrugReading, right: DrugReading, knowledge: DrugKnowledge): Outcome {
  const [ours, theirs] = [brandsOf(left, knowledge), brandsOf(right, knowledge)];
  if (ours.length === 0 || theirs.length === 0 || ours.some(({ key }) => theirs.some((one) => one.key === key)))
    return 'same';
  return [...ours, ...theirs].every(({ isKnown }) => isKnown) ? 'differs' : 'unknown';
}

// A brand without a row is compared by its first word: "Sprintec 28 Day" is Sprintec.
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
  const names = reading.ingredients;
  if (names.length === 0) {
    const [row] = rows;
    return {
      names,
      ingredients: row === undefined ? [] : row.ingredients.map(ingredientOf),
      isKnown: row !== undefined,
      rows,
    };
  }
  const plain = names.filter((name) => knowledge.rowOf(name) === undefined);
  const looked = names.flatMap((name) => knowledge.rowOf(name)?.ingredients ?? [name]);
  const isMarked = reading.brands.length > 0;
  const isKnown = plain.every((name) => isMarked || isIngredientName(name, reading, knowledge));
  const others = reading.otherNames;
  if (!isKnown && others.length > 0 && others.every((name) => knowledge.isIngredient(name)))
    return { names, ingredients: distinct(others.map(ingredientOf)), isKnown: true, rows };
  return { names, ingredients: distinct(looked.map(ingredientOf)), isKnown, rows };
}

function distinct(ingredients: readonly Ingredient[]): Ingredient[] {
  return [...new Map(ingredients.map((one) => [`${one.base}|${one.salts}`, one])).values()];
}

// RxNorm writes ingredients in lowercase. A brand starts with a capital letter and never includes a salt.
function isIngredientName(name: string, { source }: DrugReading, knowledge: DrugKnowledge): boolean {
  const isSmall = source !== 'text' && /^\p{Ll}/u.test(name);
  return isSmall || source === 'structure' || namesSalt(name) || knowledge.isIngredient(name);
}

function isMisspelling(one: Ingredient, other: Ingredient, knowledge: DrugKnowledge): boolean {
  const areTwo = knowledge.isIngredient(one.base) && knowledge.isIngredient(other.base);
  return isSameIngredient(one, other) || (!areTwo && isNearlySpelled(one, other));
}

// "dextroamphetamine-amphetamine" matches a reading with two salts of each.
function areSaltsOf({ ingredients: ours }: Contents, { ingredients: theirs }: Contents): boolean {
  const isIn = (some: readonly Ingredient[]) => (one: Ingredient) => some.some((other) => isSameIngredient(one, other));
  return ours.length > 0 && theirs.length > 0 && ours.every(isIn(theirs)) && theirs.every(isIn(ours));
}

type IsSame = (left: Ingredient, right: Ingredient) => boolean;

function isSameSet(ours: readonly Ingredient[], theirs: readonly Ingredient[], isSame: IsSame): boolean {
  const rest = [...theirs];
  return (
    ours.length === theirs.length &&
    ours.every((one) => {
      const found = rest.findIndex((other) => isSame(one, other));
      if (found !== -1) rest.splice(found, 1);
      return found !== -1;
    })
  );
}

// "adalimumab" may be any biosimilar, but "Humira" is not adalimumab-adaz.
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
