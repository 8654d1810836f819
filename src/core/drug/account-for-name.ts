import { withoutBareNumber } from './bare-number.ts';
import type { DrugKnowledge } from './drug-knowledge.ts';
import { settleGlued, unglue } from './glued-names.ts';
import { isKnown, isOfNames, knownSpan, outsideInFront } from './name-words.ts';
import { isMarkWord } from './order-marks.ts';
import { isPackWord, namesPack } from './pack-words.ts';
import { type DrugReading, eachBeside, withKinds } from './reading.ts';
import { strengthOfEach } from './strength-of-each.ts';

/**
 * Lists in `unread` the words of a name that drug names do not have: an unknown bracket after the drug, a word in
 * capitals before lowercase words, or a word that is no salt, device or usual name word. An unknown name is accepted if
 * it is a single word with its salts and devices, or is written as in RxNorm.
 */
export function accountForName(read: DrugReading, knowledge: DrugKnowledge): DrugReading {
  if (read.source === 'structure') return read;
  return strengthOfEach(accountForWords(read, knowledge), knowledge);
}

function accountForWords(read: DrugReading, knowledge: DrugKnowledge): DrugReading {
  const reading = withoutBareNumber(
    settleGlued(withoutRepeats(withoutAdded(read, knowledge), knowledge), knowledge),
    knowledge,
  );
  const drugs = reading.unread.filter((word) => isKnown(word.replace(/^[-/+&]+/, ''), knowledge));
  if (drugs.length > 0) return accountForWords(withOthers(reading, drugs), knowledge);
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
    ...strengthBeside(
      reading,
      names.map(({ name }) => name),
    ),
    ingredients,
    brands,
    brand,
    otherNames: others,
    name: isHalfRead(reading) ? undefined : nameOf(reading, ingredients, brand),
    unread: [...new Set(unread)],
    isCertain: reading.isCertain && unread.length === 0,
  };
}

// When the names change, each strength stays with its ingredient.
function strengthBeside(
  { components, strength, asWritten }: DrugReading,
  names: readonly (string | undefined)[],
): Pick<DrugReading, 'components' | 'strength'> {
  if (components === undefined) return { components, strength };
  const named = components.flatMap((one, index) => {
    const ingredient = names[index];
    return ingredient === undefined ? [] : [{ ...one, ingredient }];
  });
  if (named.length < components.length) return { components: undefined, strength: asWritten };
  return { components: named, strength: eachBeside(named) };
}

// The name of a single drug may contain a dash, as in "methoxy polyethylene glycol-epoetin beta".
function namesOf({ ingredients }: DrugReading, knowledge: DrugKnowledge): readonly string[] {
  const whole = ingredients.join('-');
  return isKnown(whole, knowledge) ? [whole] : ingredients;
}

// The ingredient of a named brand adds nothing, as in "HumuLIN R U-500 (Conc) Insulin".
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

function withoutAdded(reading: DrugReading, knowledge: DrugKnowledge): DrugReading {
  const isOfPack = namesPack(reading.plain);
  const plain = (name: string) => {
    // The propellant in "albuterol sulfate HFA" is part of brands (ProAir HFA), not of the ingredient.
    const bare = name.replace(/ HFA$/i, '');
    if (bare !== name && knowledge.isIngredient(bare)) return bare;
    // In "Xeljanz starting 5 mg tablet pack", the pack words are not part of the name.
    const [first = '', ...more] = name.split(' ');
    const words = [first, ...more.filter((word) => !isPackWord(word))].join(' ');
    return isOfPack && isKnown(words, knowledge) ? words : name;
  };
  const found = reading.ingredients.filter((name) => plain(name) !== name);
  if (found.length === 0) return reading;
  const without = (text: string | undefined) => found.reduce((all, name) => all?.replace(name, plain(name)), text);
  const ingredients = reading.ingredients.map((name) => (found.includes(name) ? plain(name) : name));
  const components = reading.components?.map((one) => ({ ...one, ingredient: without(one.ingredient) ?? '' }));
  return { ...reading, ingredients, components, name: without(reading.name), strength: without(reading.strength) };
}

// One of several strengths may belong to an unknown word, and half of a combination must not be offered as the drug.
function isHalfRead({ refused }: DrugReading): boolean {
  return refused === 'several_strengths' || refused === 'another_drug_named' || refused === 'mixture';
}

// Whether the doubtful name is a known drug or an abbreviation of one.
function isOther(name: string, reading: DrugReading, knowledge: DrugKnowledge): boolean {
  const read = readName(name, reading, knowledge);
  return read.isKnown && read.unread.length === 0;
}

// The second drug in "Xeljanz 5 mg tablet with methotrexate" is known, so its words are not unread and the text is not
// split.
function withOthers(reading: DrugReading, drugs: readonly string[]): DrugReading {
  const unread = reading.unread.filter((word) => !drugs.includes(word));
  const name = reading.refused === undefined ? reading.name : reading.plain;
  return { ...reading, name, unread, refused: reading.refused ?? 'another_drug_named' };
}

interface Name {
  readonly name: string | undefined;
  readonly unread: readonly string[];
  readonly isKnown: boolean;
}

function readName(written: string, reading: DrugReading, knowledge: DrugKnowledge): Name {
  const all = written.split(' ');
  const outside = all.slice(0, outsideInFront(all));
  const { name, unread: glued } = unglue(all.slice(outside.length).join(' '), reading, knowledge);
  if (name === undefined) return { name, unread: [...outside, ...glued], isKnown: true };
  const read = readPlain(name, reading, knowledge);
  return { ...read, unread: [...outside, ...glued, ...read.unread] };
}

function readPlain(name: string, reading: DrugReading, knowledge: DrugKnowledge): Name {
  if (isKnown(name, knowledge)) return { name, unread: [], isKnown: true };
  const words = name.split(' ');
  const span = knownSpan(words, knowledge);
  if (span === undefined) {
    const unread = strangeIn(words, reading, knowledge);
    return { name: withoutMarksInFront(words, unread), unread, isKnown: false };
  }
  const others = [...words.slice(0, span.from), ...words.slice(span.to)];
  const known = words.slice(span.from, span.to).join(' ');
  const beyond = others.filter((word) => !isOfNames(word, reading, knowledge));
  const unread = beyond.filter((word) => !isMadeOf(known, word, knowledge));
  return { name: beyond.length === 0 ? name : known, unread, isKnown: true };
}

// The mark in "START sodium phosphate dihydrate" raises a question but is not part of the offered name or strength.
function withoutMarksInFront(words: readonly string[], strange: readonly string[]): string {
  const first = words.findIndex((word) => !(strange.includes(word) && isMark(word)));
  return words.slice(Math.max(first, 0)).join(' ');
}

function isMark(word: string): boolean {
  return isMarkWord(word) || isPackWord(word);
}

/** Words of an unknown name that drug names do not contain. */
function strangeIn(words: readonly string[], reading: DrugReading, knowledge: DrugKnowledge): readonly string[] {
  const odd = words.filter((word) => /[*:#!=_|<>?^~@]|^\d+-in-\d+$/i.test(word));
  const dash = words.findIndex((word) => /^[–—-]+$/.test(word));
  const front = dash > 0 ? words.slice(0, dash) : [];
  const marks = words.length > 1 ? words.filter((word) => isMark(word) && !isOfNames(word, reading, knowledge)) : [];
  return [...odd, ...front, ...marks, ...severalIn(words, reading, knowledge)];
}

// If two words are unknown, one of them may not belong to the name, as in "foo vutrisiran". RxNorm never starts a name
// of several words with a word in capitals.
function severalIn(words: readonly string[], reading: DrugReading, knowledge: DrugKnowledge): string[] {
  const own = words.filter((word) => !isOfNames(word, reading, knowledge));
  if (own.length < 2) return [];
  return reading.source === 'text' || /^\p{Lu}{2,}$/u.test(words[0] ?? '') ? own : [];
}

// Two to four capitals, as in "LDN (low dose naltrexone)", do not identify a drug.
function isAbbreviation({ ingredients: [name = '', ...more], brands, words }: DrugReading): boolean {
  return more.length === 0 && brands.length === 0 && /^[A-Z]{2,4}$/.test(name) && words !== words.toUpperCase();
}

function nameOf(reading: DrugReading, ingredients: readonly string[], brand: string | undefined): string | undefined {
  const base = ingredients.length === 0 ? brand : ingredients.join(' / ');
  return base === undefined ? undefined : withKinds(base, reading);
}
