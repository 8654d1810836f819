import { accountForName } from './account-for-name.ts';
import { compareNames } from './compare-names.ts';
import { unitKindsOf } from './dispense-unit.ts';
import type { DrugKnowledge } from './drug-knowledge.ts';
import { namesSalt } from './ingredient.ts';
import { withoutMarks } from './order-marks.ts';
import { plainText, readDrugName } from './read-drug-name.ts';
import { type Component, type DrugReading, readingOf, strengthsOf } from './reading.ts';
import { compareStrengths } from './strength.ts';

/**
 * Reads a text about a drug, in most cases as one reading. There are several readings if the text offers two drugs or
 * strengths without showing which is ordered ("Xeljanz 5 mg tablet or Rinvoq 15 mg tablet", "Xeljanz 5 mg tablet (11
 * mg)"); each has the words of the whole text. A combination ("hydrocodone 5 mg, acetaminophen 325 mg tablet") is one
 * reading, and so is a strength with its dose ("lisinopril 10 mg tablet, 20 mg"). Empty when the text has no drug name.
 *
 * @example readDrugs('Xeljanz 5 mg tablet (11 mg)', knowledge).map(({ strength }) => strength) // ['5 mg', '11 mg']
 */
export function readDrugs(text: string, knowledge: DrugKnowledge): readonly DrugReading[] {
  const read = readDrugName(text);
  if (read === undefined) return [];
  const whole = accountForName(read, knowledge);
  if (whole.source !== 'text' || !mayBeSeveral.test(text)) return [whole];
  const pieces = piecesOf(withoutMarks(plainText(text)).text);
  const readings = drugsIn(pieces, whole, knowledge) ?? strengthsIn(pieces, whole, knowledge);
  // A person chooses one before anything is sent, so every reading is certain by itself.
  if (readings.length > 1) {
    const { words, states, flags } = whole;
    return readings.map((reading) => ({ ...reading, words, states, flags, unread: [], isCertain: true }));
  }
  return readings.length === 1 ? readings : [whole];
}

const mayBeSeveral = /[,;+(/&\n]| (?:or|and|with) |\d\D+\d/i;
interface Piece {
  readonly text: string;
  readonly reading: DrugReading | undefined;
  /** The text before the piece: `or`, `,`, `(` for an amount in parentheses, or empty for an amount after a form. */
  readonly joint: string;
}

const joints = new RegExp(
  [
    '\\s*[;\\n]\\s*|,\\s+|\\s+(?:or|and|with)\\s+|\\s+[+&/]\\s+|(?<=\\p{L}{4})/(?=\\p{L}{4})',
    '(?<=\\b(?:tablets?|tabs?|capsules?|caps?)) (?=\\d[\\d.,]* ?(?:mg|mcg|g)\\b)',
  ].join('|'),
  'giu',
);
const amountAside = /\(\s*(?:or )?(\d[\d.,]* ?(?:mg|mcg|g)(?: ?\/ ?(?:tablet|tab|capsule|cap))?)\s*\)/i;

// Parentheses are never split: "(0.25 or 0.5 MG/DOSE)".
function piecesOf(text: string): readonly Piece[] {
  const [aside, amount] = amountAside.exec(text) ?? [];
  const plain = aside === undefined ? text : text.replace(aside, ' ').replace(/\s+/g, ' ');
  const masked = plain.replace(/\([^()]*\)/g, (group) => '_'.repeat(group.length));
  const pieces: Piece[] = [];
  let [from, joint] = [0, ''];
  for (const found of masked.matchAll(joints)) {
    pieces.push(pieceOf(plain.slice(from, found.index), joint));
    [from, joint] = [found.index + found[0].length, found[0].trim().toLowerCase()];
  }
  pieces.push(pieceOf(plain.slice(from), joint));
  return amount === undefined ? pieces : [...pieces, pieceOf(amount, '(')];
}

// A dilution is not part of the name: "epinephrine 1:100,000".
function pieceOf(text: string, joint: string): Piece {
  return { text, joint, reading: readDrugName(text.replace(/\b1:\d[\d,]*/, ' ')) };
}

/** The different drugs in the text, or the combination that they form. Undefined when all pieces are the same drug. */
function drugsIn(
  pieces: readonly Piece[],
  whole: DrugReading,
  knowledge: DrugKnowledge,
): readonly DrugReading[] | undefined {
  const different: { readonly joint: string; readonly reading: DrugReading }[] = [];
  for (const { joint, reading } of pieces) {
    if (reading === undefined || !isKnown(reading, knowledge)) continue;
    if (different.every((one) => compareNames(one.reading, reading, knowledge) === 'differs'))
      different.push({ joint, reading });
  }
  if (different.length < 2) return undefined;
  const readings = different.map(({ reading }) => reading);
  const isChoice =
    different.slice(1).some(({ joint }) => joint === 'or') ||
    readings.every(({ form }) => form !== undefined) ||
    readings.every((reading) => isBrand(reading, knowledge));
  if (isChoice) return readings;
  // Text after a complete product is a remark: "Xeljanz 5 mg tablet with methotrexate".
  const isCombination = readings.slice(0, -1).every(({ form }) => form === undefined);
  if (!isCombination || whole.ingredients.length >= readings.length) return [whole];
  const others = pieces.filter(({ reading }) => isOther(reading, readings, knowledge));
  return [others.length === 0 ? combined(readings, whole) : halfRead(others, whole)];
}

// Whether a name with a strength is not one of the known drugs, as in "ketamine 10%, gabapentin 6%".
function isOther(
  reading: DrugReading | undefined,
  known: readonly DrugReading[],
  knowledge: DrugKnowledge,
): reading is DrugReading {
  if (reading === undefined || reading.amounts.length === 0 || isKnown(reading, knowledge)) return false;
  return known.every((one) => compareNames(one, reading, knowledge) !== 'same');
}

// When one part of a mixture cannot be read, the other parts do not identify the mixture.
function halfRead(others: readonly Piece[], whole: DrugReading): DrugReading {
  const unread = others.flatMap(({ reading }) => reading?.ingredients ?? []);
  return readingOf({
    ...whole,
    ...{ name: undefined, ingredients: [], brands: [], components: undefined, strength: undefined, amounts: [] },
    unread: [...new Set([...whole.unread, ...unread])],
    refused: 'several_strengths',
    isCertain: false,
  });
}

function isKnown({ ingredients, brands }: DrugReading, { rowOf, isIngredient }: DrugKnowledge): boolean {
  const names = [...ingredients, ...brands];
  return names.length > 0 && names.every((name) => rowOf(name) !== undefined || isIngredient(name));
}

function isBrand({ ingredients, brands }: DrugReading, { rowOf }: DrugKnowledge): boolean {
  return [...ingredients, ...brands].every((name) => rowOf(name) !== undefined && rowOf(name)?.isOtherName !== true);
}

// The strengths are sent as the text has them, unless each ingredient has exactly one strength.
function combined(readings: readonly DrugReading[], whole: DrugReading): DrugReading {
  const names = readings.flatMap(({ ingredients }) => ingredients);
  const isEach = readings.every(({ ingredients, amounts }) => ingredients.length === 1 && amounts.length === 1);
  return readingOf({
    ...whole,
    name: names.join(' / '),
    ingredients: names,
    brands: readings.flatMap(({ brands }) => brands),
    strength: undefined,
    components: isEach ? readings.map(componentOf) : undefined,
    amounts: isEach ? readings.flatMap(({ amounts }) => amounts) : [],
    possible: [],
    unread: whole.unread.filter((word) => !names.some((name) => name.includes(word))),
    note: isEach ? undefined : whole.note,
    refused: isEach ? undefined : whole.refused,
    isCertain: isEach && readings.every(({ isCertain }) => isCertain),
  });
}

function componentOf({ ingredients: [ingredient = ''], strength = '' }: DrugReading): Component {
  return { ingredient, strength };
}

// A pack with a rising dose has several strengths but is one product.
const packed = /\b(pack|pak|kit|starter|starting|titration|month)\b/i;

/** One drug with different strengths. Empty when the text states only one strength. */
function strengthsIn(pieces: readonly Piece[], whole: DrugReading, knowledge: DrugKnowledge): readonly DrugReading[] {
  const first = pieces.find(({ reading }) => reading !== undefined)?.reading;
  const [name] = [...(first?.brands ?? []), ...(first?.ingredients ?? [])];
  if (first === undefined || name === undefined || packed.test(whole.words)) return [];
  const isCounted = pieces.some(({ text }) => unitKindsOf(readDrugName(`${name} ${text}`)?.form).includes('counted'));
  if (!isCounted) return [];
  const readings = pieces.flatMap((piece) => {
    const reading = piece.reading ?? readDrugName(`${name} ${piece.text}`);
    const isOfIt = reading !== undefined && compareNames(first, reading, knowledge) === 'same';
    return isOfIt && reading.amounts.length === 1 ? [{ ...piece, reading, isNamed: piece.reading !== undefined }] : [];
  });
  const [stated, ...more] = readings;
  if (stated === undefined) return [];
  const others = more.filter(({ reading, joint, isNamed }) => {
    if (
      compareStrengths(strengthsOf(stated.reading, stated.reading.amounts), strengthsOf(reading, reading.amounts)) !==
      'differs'
    )
      return false;
    if (joint === 'or') return true;
    if (isNamed) return reading.form !== undefined && stated.reading.form !== undefined;
    return joint === '(' ? !isBaseOf(reading, stated.reading) : !isDoseOf(reading, stated.reading);
  });
  if (others.length === 0) return [];
  const form = readings.map(({ reading }) => reading.form).find((one) => one !== undefined);
  return [stated, ...others].map(({ reading }) => ({
    ...reading,
    name: first.name,
    form: reading.form ?? form,
  }));
}

// The second amount in "ferrous sulfate 325 mg (65 mg)" is the metal or base of the salt.
function isBaseOf(reading: DrugReading, { ingredients, amounts: [whole] }: DrugReading): boolean {
  const [part] = reading.amounts;
  const isSmaller = (part?.amount.value ?? 0) < (whole?.amount.value ?? 0);
  return isSmaller && ingredients.some((name) => namesSalt(name) || /^\p{L}+ \p{L}+/u.test(name));
}

// In "lisinopril 10 mg tablet, 20 mg" the dose is two tablets. Half and quarter tablets are doses too.
function isDoseOf({ amounts: [dose] }: DrugReading, { amounts: [one] }: DrugReading): boolean {
  const count = (dose?.amount.value ?? 0) / (one?.amount.value ?? 1);
  return [count, count * 2, count * 4].some((times) => times >= 1 && Math.abs(times - Math.round(times)) < 1e-9);
}
