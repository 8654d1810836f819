import { namesSalt, saltWords } from './ingredient.ts';
import { type DrugKnowledge, saysNothingOfContents } from './knowledge.ts';
import { type DrugReading, withKinds } from './reading.ts';

/**
 * A reading of which every word of the name is accounted for, or that says in `unread` which are not. A name that
 * nobody knows is usual: one word with its salts and devices is one, and so are several as RxNorm writes them. A word
 * beside a name that is neither salt nor device nor another word of names, a bracket behind the drug that is no known
 * brand, and capitals in front of small letters are not.
 */
export function accountForName(read: DrugReading, knowledge: DrugKnowledge): DrugReading {
  if (read.source === 'structure') return read;
  const reading = withoutRepeats(withoutPropellant(read, knowledge), knowledge);
  const drugs = reading.unread.filter((word) => isKnown(word.replace(/^[-/+&]+/, ''), knowledge));
  if (drugs.length > 0) return accountForName(withOthers(reading, drugs), knowledge);
  const stated = namesOf(reading, knowledge);
  const names = stated.map((name) => readName(name, reading, knowledge));
  const doubtful = new Set(reading.doubtful.filter((name) => !isOther(name, reading, knowledge)));
  const isOpen = names.some(({ isKnown: known }) => !known);
  const unread = [...reading.unread, ...names.flatMap((name) => name.unread), ...doubtful];
  const isShort = isOpen && isAbbreviation(reading);
  if (isShort) unread.push(...reading.ingredients);
  const isCut = names.some(({ name }, at) => name !== stated[at]);
  if (unread.length === 0 && !isCut) return reading;
  const others = reading.otherNames.filter((name) => !doubtful.has(name));
  const ingredients = isShort && others.length > 0 ? others : names.flatMap(({ name }) => name ?? []);
  const brands = reading.brands.filter((brand) => !doubtful.has(brand));
  const brand = brands.length === 1 ? brands[0] : undefined;
  return {
    ...reading,
    ingredients,
    brands,
    brand,
    otherNames: others,
    name: nameOf(reading, ingredients, brand),
    unread: [...new Set(unread)],
    isCertain: reading.isCertain && unread.length === 0,
  };
}

// One drug may have a dash inside: "methoxy polyethylene glycol-epoetin beta".
function namesOf({ ingredients }: DrugReading, knowledge: DrugKnowledge): readonly string[] {
  const whole = ingredients.join('-');
  return isKnown(whole, knowledge) ? [whole] : ingredients;
}

// "HumuLIN R U-500 (Conc) Insulin": what a brand is made of says nothing that the brand does not.
function withoutRepeats(reading: DrugReading, knowledge: DrugKnowledge): DrugReading {
  const names = [...reading.ingredients, ...reading.brands];
  const unread = reading.unread.filter((word) => !names.some((name) => isMadeOf(name, word, knowledge)));
  if (unread.length === reading.unread.length) return reading;
  const isWhole = unread.length === 0 && reading.refused === undefined;
  return { ...reading, unread, isCertain: isWhole && (reading.amounts.length > 0 || reading.form !== undefined) };
}

function isMadeOf(brand: string, word: string, { rowOf }: DrugKnowledge): boolean {
  const words = rowOf(brand)?.ingredients.flatMap((one) => one.toLowerCase().split(/[\s,-]+/)) ?? [];
  return words.includes(word.toLowerCase());
}

// "albuterol sulfate HFA": the propellant belongs to brands (ProAir HFA) and is no part of an ingredient.
function withoutPropellant(reading: DrugReading, knowledge: DrugKnowledge): DrugReading {
  const plain = (name: string) => name.replace(/ HFA$/i, '');
  const found = reading.ingredients.filter((name) => plain(name) !== name && knowledge.isIngredient(plain(name)));
  if (found.length === 0) return reading;
  const without = (text: string | undefined) => found.reduce((all, name) => all?.replace(name, plain(name)), text);
  const ingredients = reading.ingredients.map((name) => (found.includes(name) ? plain(name) : name));
  const components = reading.components?.map((one) => ({ ...one, ingredient: without(one.ingredient) ?? '' }));
  return { ...reading, ingredients, components, name: without(reading.name), strength: without(reading.strength) };
}

// What is known, and of an abbreviation what it is short for.
function isOther(name: string, reading: DrugReading, knowledge: DrugKnowledge): boolean {
  const read = readName(name, reading, knowledge);
  return read.isKnown && read.unread.length === 0;
}

// "Xeljanz 5 mg tablet with methotrexate": what is another drug is understood, and the text is not taken apart.
function withOthers(reading: DrugReading, drugs: readonly string[]): DrugReading {
  const unread = reading.unread.filter((word) => !drugs.includes(word));
  return { ...reading, unread, refused: reading.refused ?? 'another_drug_named' };
}

interface Name {
  readonly name: string | undefined;
  readonly unread: readonly string[];
  readonly isKnown: boolean;
}

function readName(name: string, { source }: DrugReading, knowledge: DrugKnowledge): Name {
  if (isKnown(name, knowledge)) return { name, unread: [], isKnown: true };
  const words = name.split(' ');
  const span = knownSpan(words, knowledge);
  if (span === undefined) return { name, unread: strangeIn(words, source, knowledge), isKnown: false };
  const others = [...words.slice(0, span.from), ...words.slice(span.to)];
  const known = words.slice(span.from, span.to).join(' ');
  const beyond = others.filter((word) => !isOfNames(word, knowledge));
  const unread = beyond.filter((word) => !isMadeOf(known, word, knowledge));
  return { name: beyond.length === 0 ? name : known, unread, isKnown: true };
}

function isKnown(name: string, { rowOf, isIngredient }: DrugKnowledge): boolean {
  return rowOf(name) !== undefined || isIngredient(name);
}

const leastLetters = 4;
const mostWords = 12;

function knownSpan(
  words: readonly string[],
  knowledge: DrugKnowledge,
): { readonly from: number; readonly to: number } | undefined {
  const count = Math.min(words.length, mostWords);
  for (let length = count - 1; length > 0; length -= 1)
    for (let from = 0; from + length <= count; from += 1) {
      const span = words.slice(from, from + length).join(' ');
      if (span.length >= leastLetters && isKnown(span, knowledge)) return { from, to: from + length };
    }
  return undefined;
}

// Words that stand in names beside a brand or an ingredient and are neither.
const ofNames = new Set(
  (
    'insulin human regular mix mixed salts protamine isophane nph vitamin plus forte junior children children’s ' +
    'childrens infant infants infant’s adult adults pediatric maximum max extra strength double triple base ' +
    'free acid ' +
    'acids ester oil dipotassium porcine bovine equine rabbit macrocrystals macrocrystalline ' +
    'conjugated esterified synthetic pegylated liposomal liposome liposomes lipid complex modified micronized ' +
    'nanocrystals nanocrystal purified activated concentrated viscous buffered emollient augmented alfa alpha beta ' +
    'gamma ratio recombinant live attenuated inactivated virus vaccine antigen toxoid extract ether esters and with ' +
    'in of the / - & , cf pf df hp ds generic brand system sensor transmitter reader receiver pump glucose test ' +
    'meter monitor cold allergy sinus arthritis night nighttime day daytime cough relief pain sleep childrens ' +
    'low dose high-dose low-dose probutate butyrate caproate hexanoate dinitrate mononitrate bound protein-bound ' +
    'albumin-bound titration starter start treat treatment dvt-pe kit pack pak'
  ).split(' '),
);

function isOfNames(word: string, knowledge: DrugKnowledge): boolean {
  const plain = word.toLowerCase().replace(/[,;.()]+$|^[()]+/g, '');
  if (plain === '' || ofNames.has(plain) || saysNothingOfContents(plain) || namesSalt(`x ${plain}`)) return true;
  // "D3", "B-12", "70/30", "U-100", "G", "#3" of Tylenol
  if (/^(?:#[2-4]|[a-z]|[a-z]{0,2}-?\d{1,4}(?:[/-]\d{1,3})?[a-z]?)$/.test(plain)) return true;
  return isCutSalt(plain) || (plain.length >= leastLetters && isKnown(plain, knowledge));
}

// Drug files cut salts short: "propion", "pot", "succ".
function isCutSalt(word: string): boolean {
  return word.length >= 3 && saltWords.some((salt) => salt.startsWith(word));
}

/** Words of a name that nobody knows which no name has. */
function strangeIn(
  words: readonly string[],
  source: DrugReading['source'],
  knowledge: DrugKnowledge,
): readonly string[] {
  const odd = words.filter((word) => /[*:#!=_|<>?^~@]|^\d+-in-\d+$/i.test(word));
  const dash = words.findIndex((word) => /^[–—-]+$/.test(word));
  const front = dash > 0 ? words.slice(0, dash) : [];
  return [...odd, ...front, ...severalIn(words, source, knowledge)];
}

// Of two words that nobody knows either may be no name: "foo vutrisiran". RxNorm begins no name of several in capitals.
function severalIn(words: readonly string[], source: DrugReading['source'], knowledge: DrugKnowledge): string[] {
  const own = words.filter((word) => !isOfNames(word, knowledge));
  if (own.length < 2) return [];
  return source === 'text' || /^\p{Lu}{2,}$/u.test(words[0] ?? '') ? own : [];
}

// "LDN (low dose naltrexone)": of few capitals alone nobody knows what they are short for.
function isAbbreviation({ ingredients: [name = '', ...more], brands, words }: DrugReading): boolean {
  return more.length === 0 && brands.length === 0 && /^[A-Z]{2,4}$/.test(name) && words !== words.toUpperCase();
}

function nameOf(reading: DrugReading, ingredients: readonly string[], brand: string | undefined): string | undefined {
  const base = ingredients.length === 0 ? brand : ingredients.join(' / ');
  return base === undefined ? undefined : withKinds(base, reading);
}
