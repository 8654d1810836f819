import { type DrugKnowledge, saysNothingOfContents } from './drug-knowledge.ts';
import { namesSalt, saltWords } from './ingredient.ts';
import { isOfPackIn, isPackWord } from './pack-words.ts';
import type { DrugReading } from './reading.ts';

export function isKnown(name: string, { rowOf, isIngredient }: DrugKnowledge): boolean {
  return rowOf(name) !== undefined || isIngredient(name);
}

// In characters. A shorter word inside another name is never taken for a known name.
const leastLetters = 4;

const mostWords = 12;

/** The position of the longest known name within another name. */
export function knownSpan(
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

// Words of drug names that are neither a brand nor an ingredient.
const ofNames = new Set(
  (
    'insulin human regular mix mixed salts protamine isophane nph vitamin plus forte junior children children’s ' +
    'childrens infant infants infant’s adult adults pediatric maximum max extra strength double triple base ' +
    'free acid ' +
    'acids ester oil dipotassium porcine bovine equine rabbit macrocrystals macrocrystalline ' +
    'conjugated esterified synthetic pegylated liposomal liposome liposomes lipid complex modified micronized ' +
    'nanocrystals nanocrystal purified activated concentrated viscous buffered emollient augmented alfa alpha beta ' +
    'gamma ratio recombinant live attenuated inactivated virus vaccine antigen toxoid extract ether esters and with ' +
    'in of the / - & , cf pf df hp ds generic brand cold allergy sinus arthritis night nighttime day daytime cough ' +
    'relief pain sleep low dose high-dose low-dose probutate butyrate caproate hexanoate dinitrate mononitrate ' +
    'bound protein-bound albumin-bound kit pack pak'
  ).split(' '),
);
// A product with a word for a device has no strength.
const ofDevices = new Set('system sensor transmitter reader receiver pump glucose test meter monitor'.split(' '));

/** Whether a word may be part of a drug name: a salt, `plus`, `D3`, `70/30`, or another known name. */
export function isOfNames(word: string, reading: DrugReading, knowledge: DrugKnowledge): boolean {
  const plain = word.toLowerCase().replace(/[,;.()]+$|^[()]+/g, '');
  if (plain === '' || ofNames.has(plain) || namesSalt(`x ${plain}`)) return true;
  if (isPackWord(plain)) return isOfPackIn(reading.plain, plain);
  if (ofDevices.has(plain)) return isDevice(reading, knowledge);
  if (saysNothingOfContents(plain)) return true;
  // matches "D3", "B-12", "70/30", "U-100", "G", and the "#3" of Tylenol
  if (/^(?:#[2-4]|[a-z]|[a-z]{0,2}-?\d{1,4}(?:[/-]\d{1,3})?[a-z]?)$/.test(plain)) return true;
  return isCutSalt(plain) || (plain.length >= leastLetters && isKnown(plain, knowledge));
}

function isDevice({ amounts, possible, ingredients }: DrugReading, { isIngredient }: DrugKnowledge): boolean {
  const words = ingredients.flatMap((name) => name.split(' '));
  return amounts.length === 0 && possible.length === 0 && !words.some((word) => isIngredient(word));
}

// Drug files shorten salts: "propion", "pot", "succ".
function isCutSalt(word: string): boolean {
  return word.length >= 3 && saltWords.some((salt) => salt.startsWith(word));
}

// Matches "1/2", "30/30", "q12h" and "90d".
const outside = /^(?:[^\p{L}]*\d[^\p{L}]*|q\d{1,2}[hdw]?|\d{1,3}[dwx])$/iu;

/** The number of words before a name that are numbers or times, not part of the name. */
export function outsideInFront(words: readonly string[]): number {
  const isMix = words.some((word) => /^insulin$/i.test(word)) && isMixRatio(words[0] ?? '');
  return isMix
    ? 0
    : Math.max(
        0,
        words.findIndex((word) => !outside.test(word)),
      );
}

/** Whether a ratio states the parts of a mixed insulin: `70/30`. */
export function isMixRatio(number: string): boolean {
  const parts = number.split(/[-/]/).map(Number);
  return parts.length === 2 && parts.reduce((sum, part) => sum + part, 0) === 100;
}
