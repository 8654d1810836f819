import { type Ingredient, ingredientOf, isSameIngredient } from './ingredient.ts';

/** A brand or another name of an ingredient, with the ingredients that it means. */
export interface DrugNameRow {
  readonly name: string;
  readonly ingredients: readonly string[];
  /** The name is another name of an ingredient (`paracetamol`, `APAP`), not a brand. */
  readonly isOtherName?: boolean | undefined;
}

/** What the tables say about drug names. A name that is not in the tables never contradicts another. */
export interface DrugKnowledge {
  /**
   * The row of a brand or of another name of an ingredient. Its first words are enough: `Humira` for "HUMIRA(CF) Pen".
   */
  rowOf(name: string): DrugNameRow | undefined;
  /** Whether a name is certainly an ingredient and not a brand. */
  isIngredient(name: string): boolean;
  /** Whether the tables have the moiety without a salt: `metoprolol`, but not `ferrous`. */
  isMoiety(base: string): boolean;
  /**
   * Whether a name with its salt or ester is a different drug from the name without it. The name must be in lowercase.
   */
  isOwnEster(name: string): boolean;
  /** The names of this biosimilar's rows (`adalimumab-adaz`), in lowercase. */
  brandsOf(ingredient: string): readonly string[];
  /** The rows with exactly these ingredients. A stated salt or biosimilar has to match. */
  rowsWith(ingredients: readonly string[]): readonly DrugNameRow[];
}

// Words after a brand that do not change its contents.
const neutral = new RegExp(
  String.raw`^(\d[\d/.-]*|pens?|kit|pack|starter|titration|sensoready|unoready|solostar|kwikpen|flexpen|` +
    'flextouch|penfill|sureclick|pushtouch|pushtronex|mini|hfa|diskus|respimat|ellipta|inhub|redihaler|' +
    'handihaler|turbuhaler|flexhaler|twisthaler|odt|cf|clickject|rebidose|auto-?injector|autoject|' +
    'injector|prefilled|syringe|insulin|tablets?|capsules?|injection|oral|' +
    String.raw`er|xr|sr|xl|dr|cr|la|u-?\d+|(blue|` +
    "green|orange|month|dose|pak|day|complete|liquid|maintenance|crohn'?s|psoriasis|uveitis|pediatric|" +
    'adult).*)$',
);

/**
 * Whether words after a brand name only a device, a package or a number: `Pen`, `28 Day`. The "PM" in Tylenol PM means
 * other contents.
 */
export function saysNothingOfContents(words: string): boolean {
  return words.split(' ').every((word) => word === '' || neutral.test(word));
}

/**
 * Knowledge from table rows and further ingredient names. If two rows have the same name, the first counts.
 *
 * @example drugKnowledge([{ name: 'Jakafi', ingredients: ['ruxolitinib'] }], ['methotrexate'])
 */
export function drugKnowledge(
  rows: readonly DrugNameRow[],
  ingredientNames: readonly string[] = [],
  ownEsters: readonly string[] = [],
): DrugKnowledge {
  const own = new Set(ownEsters);
  const byName = new Map<string, DrugNameRow>();
  const ingredients = new Set(ingredientNames.map((name) => ingredientOf(name).base));
  const moieties = new Set<string>();
  const addMoiety = (name: string): void => {
    const { base, salts } = ingredientOf(name);
    if (salts.length === 0) moieties.add(base);
  };
  ingredientNames.forEach(addMoiety);
  const brands = new Map<string, string[]>();
  const byContents = new Map<string, Contents[]>();
  for (const row of rows) {
    const key = plain(row.name);
    if (!byName.has(key)) byName.set(key, row);
    const contents = { row, parts: partsOf(row.ingredients) };
    byContents.set(basesOf(contents.parts), [...(byContents.get(basesOf(contents.parts)) ?? []), contents]);
    for (const ingredient of row.ingredients) {
      ingredients.add(ingredientOf(ingredient).base);
      addMoiety(ingredient);
      const found = brands.get(ingredient.toLowerCase());
      if (found === undefined) brands.set(ingredient.toLowerCase(), [key]);
      else found.push(key);
    }
  }
  return {
    rowOf: (name) => lookUp(byName, plain(name)),
    isIngredient: (name) => ingredients.has(ingredientOf(name).base),
    isMoiety: (base) => moieties.has(base),
    isOwnEster: (name) => own.has(name),
    brandsOf: (ingredient) => brands.get(ingredient.toLowerCase()) ?? [],
    rowsWith: (ingredients) => {
      const parts = partsOf(ingredients);
      const found = byContents.get(basesOf(parts)) ?? [];
      return found.filter((one) => parts.every((part, at) => isStatedIn(part, one.parts[at]))).map(({ row }) => row);
    },
  };
}

interface Contents {
  readonly row: DrugNameRow;
  readonly parts: readonly Ingredient[];
}

function partsOf(ingredients: readonly string[]): readonly Ingredient[] {
  return ingredients.map(ingredientOf).toSorted((one, other) => (one.base < other.base ? -1 : 1));
}

function basesOf(parts: readonly Ingredient[]): string {
  return parts.map(({ base }) => base).join(' / ');
}

function isStatedIn(stated: Ingredient, known: Ingredient | undefined): boolean {
  if (known === undefined || !isSameIngredient(stated, known)) return false;
  return stated.suffix === undefined || stated.suffix === known.suffix;
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[®™()]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const mostWords = 12;

function lookUp(rows: ReadonlyMap<string, DrugNameRow>, name: string): DrugNameRow | undefined {
  const words = name.split(' ').slice(0, mostWords);
  for (let count = words.length; count > 0; count -= 1) {
    const row = rows.get(words.slice(0, count).join(' '));
    if (row !== undefined) return saysNothingOfContents(words.slice(count).join(' ')) ? row : undefined;
  }
  return undefined;
}
