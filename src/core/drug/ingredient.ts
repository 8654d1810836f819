// Salts, esters and delivery forms that follow the name of a moiety (USAN, "modified" names; RxNorm precise
// ingredients).
const salts = new Set(
  (
    'hydrochloride dihydrochloride hcl hydrobromide hbr sodium disodium potassium calcium magnesium ' +
    'bitartrate tartrate succinate maleate fumarate mesylate mesilate besylate besilate ' +
    'sulfate sulphate phosphate diphosphate acetate citrate nitrate lactate gluconate tosylate pamoate ' +
    'malate oxalate edisylate esylate bromide chloride iodide meglumine tromethamine arginine lysine ' +
    'propionate dipropionate furoate valerate cypionate enanthate decanoate undecanoate benzoate butyrate ' +
    'xinafoate estolate stearate ethylsuccinate hyclate saccharate aspartate polistirex resinate ' +
    'medoxomil axetil proxetil mofetil cilexetil etexilate disoproxil alafenamide marboxil dimeglumine ' +
    'trifenatate palmitate lauroxil benzathine procaine etabonate acetonide hexacetonide pivalate dimesylate ' +
    'carbonate bicarbonate oxide hydroxide'
  ).split(' '),
);
export const saltWords: readonly string[] = [...salts];

const sameSalt: Readonly<Record<string, string>> = {
  hcl: 'hydrochloride',
  hbr: 'hydrobromide',
  mesilate: 'mesylate',
  besilate: 'besylate',
  sulphate: 'sulfate',
};
// A metal before the name of an acid makes it a salt: potassium clavulanate.
const metals = new Set('sodium potassium calcium magnesium'.split(' '));
const water = new Set('monohydrate dihydrate trihydrate hemihydrate anhydrous hydrate hydrous'.split(' '));
const noise = new Set('human porcine recombinant usp substance product hfa odt diskus respimat ellipta'.split(' '));
/** A parsed ingredient for comparison, in lowercase. */
export interface Ingredient {
  /**
   * The moiety with its words sorted: `hydrocodone` for `hydrocodone bitartrate`, `adalimumab` for `adalimumab-adaz`.
   */
  readonly base: string;
  /** The moiety with its words in the original order: `zoledronic acid`. */
  readonly moiety: string;
  /** The name with its salts: `ferrous sulfate`. */
  readonly whole: string;
  readonly salts: readonly string[];
  /** The four letters that distinguish biosimilars (FDA, Nonproprietary Naming of Biological Products): `adaz`. */
  readonly suffix: string | undefined;
}

/**
 * Splits combined names: `drospirenone-ethinyl estradiol`, `metformin HCl-sitagliptin`, `sacubitril/valsartan`,
 * `losartan and hydrochlorothiazide`. `beta-1a` and `adalimumab-adaz` stay whole.
 */
export function splitNames(name: string): string[] {
  return name
    .split(/ [/+] |\/(?=\p{L}{4})| (?:and|with|&) |(?<=\p{L}{5}| hcl| hbr)-(?=\p{L}{5}|(?:pot|zinc) )/iu)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

export function ingredientOf(name: string): Ingredient {
  const words = name
    .toLowerCase()
    .replace(/\([^()]{0,40}\)/g, ' ')
    .split(/[\s,]+/)
    .filter((word) => word !== '' && !noise.has(word) && !water.has(word));
  // Compounds of one metal are different drugs, such as "potassium chloride" and "potassium citrate", so their names
  // keep the metal.
  const isOfMetal = metals.has(words[0] ?? '') && words.slice(1).some((word) => !salts.has(word));
  const isSalt = (word: string, index: number): boolean => (index > 0 || isOfMetal) && salts.has(word);
  const [, stem, suffix] = /^(.{5,})-([a-z]{4})$/.exec(words.at(-1) ?? '') ?? [];
  const base = words.filter((word, index) => !isSalt(word, index));
  if (stem !== undefined) base.splice(-1, 1, stem);
  return {
    base: base.toSorted().join(' '),
    moiety: base.join(' '),
    whole: words.join(' '),
    salts: words.filter(isSalt).map((word) => sameSalt[word] ?? word),
    suffix,
  };
}

/** Whether both have the same moiety and no conflicting salt or biosimilar. A name may leave out its salt. */
export function isSameIngredient(left: Ingredient, right: Ingredient): boolean {
  if (left.base !== right.base) return false;
  if (left.suffix !== undefined && right.suffix !== undefined && left.suffix !== right.suffix) return false;
  return isPart(left.salts, right.salts) || isPart(right.salts, left.salts);
}

function isPart(few: readonly string[], many: readonly string[]): boolean {
  return few.every((salt) => many.includes(salt));
}

/**
 * Whether the names are salts or isomers of one drug, so that its label states their sum: mixed amphetamine salts, or
 * both betamethasones of a suspension.
 */
export function areOfOneDrug(names: readonly string[]): boolean {
  const drugs = names.map((name) => ingredientOf(name).base.replace(isomer, ''));
  return names.length > 1 && drugs.every((drug) => drug === drugs[0]);
}

// Prefixes of mirror-image isomers, as in dextroamphetamine.
const isomer = /^(?:dextro|levo)(?=\p{L}{6})/u;

/** Whether a name includes a salt. Brands never do. */
export function namesSalt(name: string): boolean {
  return ingredientOf(name).salts.length > 0;
}

const leastLetters = 8;

/**
 * Whether two long names differ in only one letter (`alemtuzamab`), so that one may be misspelled. Names of two
 * commonly confused drugs differ in more.
 */
export function isNearlySpelled(left: Ingredient, right: Ingredient): boolean {
  if (left.base === right.base) return isSameIngredient(left, right);
  const [short, long] = left.base.length <= right.base.length ? [left.base, right.base] : [right.base, left.base];
  if (short.length < leastLetters || long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const isReplaced = short.length === long.length;
  return short.slice(isReplaced ? at + 1 : at) === long.slice(at + 1);
}
