// Salts, esters and what a molecule is delivered as, behind the name of the moiety (USAN, "modified" names; RxNorm
// precise ingredients).
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
/** All of them. */
export const saltWords: readonly string[] = [...salts];

const sameSalt: Readonly<Record<string, string>> = {
  hcl: 'hydrochloride',
  hbr: 'hydrobromide',
  mesilate: 'mesylate',
  besilate: 'besylate',
  sulphate: 'sulfate',
};
// In front of an acid they are its salt: potassium clavulanate.
const metals = new Set('sodium potassium calcium magnesium'.split(' '));
const water = new Set('monohydrate dihydrate trihydrate hemihydrate anhydrous hydrate hydrous'.split(' '));
const noise = new Set('human porcine recombinant usp substance product hfa odt diskus respimat ellipta'.split(' '));
/** An ingredient taken apart, for comparison; in small letters, words in any order. */
export interface Ingredient {
  /** The moiety: `hydrocodone` of `hydrocodone bitartrate`, `adalimumab` of `adalimumab-adaz`. */
  readonly base: string;
  /** The moiety with its words in their order: `zoledronic acid`. */
  readonly moiety: string;
  /** With its salts: `ferrous sulfate`. */
  readonly whole: string;
  readonly salts: readonly string[];
  /** The four letters that tell biosimilars apart (FDA, Nonproprietary Naming of Biological Products): `adaz`. */
  readonly suffix: string | undefined;
}

/**
 * The ingredients of `drospirenone-ethinyl estradiol`, `metformin HCl-sitagliptin`, `sacubitril/valsartan`, `losartan
 * and hydrochlorothiazide`; `beta-1a` and `adalimumab-adaz` stay whole.
 */
export function splitNames(name: string): string[] {
  return name
    .split(/ [/+] |\/(?=\p{L}{4})| (?:and|with|&) |(?<=\p{L}{5}| hcl| hbr)-(?=\p{L}{5}|(?:pot|zinc) )/iu)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** An ingredient's name taken apart. */
export function ingredientOf(name: string): Ingredient {
  const words = name
    .toLowerCase()
    .replace(/\([^()]{0,40}\)/g, ' ')
    .split(/[\s,]+/)
    .filter((word) => word !== '' && !noise.has(word) && !water.has(word));
  // "Potassium chloride": of a metal's compound too, so that it is no "potassium citrate".
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

/** true when both name one moiety and neither states another salt or another biosimilar than the other. */
export function isSameIngredient(left: Ingredient, right: Ingredient): boolean {
  if (left.base !== right.base) return false;
  if (left.suffix !== undefined && right.suffix !== undefined && left.suffix !== right.suffix) return false;
  return isPart(left.salts, right.salts) || isPart(right.salts, left.salts);
}

function isPart(few: readonly string[], many: readonly string[]): boolean {
  return few.every((salt) => many.includes(salt));
}

/**
 * true for salts or isomers of one drug, of which labels state the sum: the four of mixed amphetamine salts, both
 * betamethasones of a suspension.
 */
export function areOfOneDrug(names: readonly string[]): boolean {
  const drugs = names.map((name) => ingredientOf(name).base.replace(isomer, ''));
  return names.length > 1 && drugs.every((drug) => drug === drugs[0]);
}

// The right-handed and the left-handed form: dextroamphetamine.
const isomer = /^(?:dextro|levo)(?=\p{L}{6})/u;

/** true for a name with a salt, which no brand has. */
export function namesSalt(name: string): boolean {
  return ingredientOf(name).salts.length > 0;
}

const leastLetters = 8;

/**
 * true for two long names that differ in one letter (`alemtuzamab`): one of them may be misspelled. No two names that
 * are often confused are so near.
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
