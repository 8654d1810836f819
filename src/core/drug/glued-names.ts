import type { DrugKnowledge } from './drug-knowledge.ts';
import { formWord } from './form-words.ts';
import { namesSalt, splitNames } from './ingredient.ts';
import { isKnown, isOfNames, knownSpan } from './name-words.ts';
import { isMarkWord } from './order-marks.ts';
import type { DrugReading } from './reading.ts';
import { releaseOf } from './release.ts';

/**
 * Splits hyphenated names into ingredients if every part is known, or if one part is known and each part has its own
 * strength. `Ortho-Novum 1-35 mg-mcg` stays one name.
 */
export function settleGlued(reading: DrugReading, knowledge: DrugKnowledge): DrugReading {
  if (reading.source === 'rxnorm') return splitUp(reading, knowledge);
  const runs = runsOf(reading).map((run) => (isCombination(run, reading, knowledge) ? run : [run.join('-')]));
  const ingredients = runs.flat();
  if (ingredients.length === reading.ingredients.length) return reading;
  return { ...reading, ingredients, components: undefined, strength: reading.asWritten };
}

// "SITAGLIPTIN-METFORMIN 50 MG TABLET" has the form of an RxNorm name, but RxNorm has no hyphenated names.
function splitUp(reading: DrugReading, knowledge: DrugKnowledge): DrugReading {
  const [name = '', ...more] = reading.ingredients;
  const parts = splitNames(name);
  const isOne = more.length > 0 || parts.length < 2 || isKnown(name, knowledge);
  if (isOne || !parts.every((part) => isName(part, reading, knowledge))) return reading;
  return { ...reading, source: 'text', ingredients: parts };
}

function runsOf({ name = '', ingredients }: DrugReading): string[][] {
  const runs: string[][] = [];
  for (const ingredient of ingredients) {
    const run = runs.at(-1);
    if (run !== undefined && name.includes(`${run.at(-1)}-${ingredient}`)) run.push(ingredient);
    else runs.push([ingredient]);
  }
  return runs;
}

function isCombination(run: readonly string[], reading: DrugReading, knowledge: DrugKnowledge): boolean {
  const known = run.filter((name) => isName(name, reading, knowledge));
  if (known.length === run.length) return true;
  if (reading.components === undefined && (known.length === 0 || reading.amounts.length > 1)) return true;
  // Without a strength for each part, a first word that is not known is not an ingredient: "office-metoprolol".
  const isProven = reading.components !== undefined || known[0] === run[0];
  return known.length > 0 && isProven && !run.some(isMarkWord);
}

// Accepts known names with shortened salts ("fluticasone propion"). Brands have no salts, so a name with a salt is an
// ingredient: "Menthol-Pramoxine HCl".
function isName(name: string, reading: DrugReading, knowledge: DrugKnowledge): boolean {
  if (isKnown(name, knowledge) || namesSalt(name)) return true;
  const words = name.split(' ');
  const { from, to } = knownSpan(words, knowledge) ?? { from: 0, to: 0 };
  const others = [...words.slice(0, from), ...words.slice(to)];
  return to > 0 && others.every((word) => isOfNames(word, reading, knowledge));
}

export interface Unglued {
  readonly name: string | undefined;
  readonly unread: readonly string[];
}

export function unglue(name: string, reading: DrugReading, knowledge: DrugKnowledge): Unglued {
  const [first = '', ...others] = name.split(' ');
  const parts = first.split('-');
  for (let at = 1; at < parts.length; at += 1) {
    const [front, back] = [parts.slice(0, at), parts.slice(at)].map((some) => some.join('-'));
    const found = taken({ name, front: front ?? '', back: back ?? '', others }, reading, knowledge);
    if (found !== undefined) return found;
  }
  return { name, unread: [] };
}

interface Glued {
  readonly name: string;
  readonly front: string;
  readonly back: string;
  readonly others: readonly string[];
}

function taken(
  { name, front, back, others }: Glued,
  reading: DrugReading,
  knowledge: DrugKnowledge,
): Unglued | undefined {
  const first = `${front}-${back}`;
  const isDrug = (words: string) => isKnown(words, knowledge) || isKnown([words, ...others].join(' '), knowledge);
  const without = (words: string, other: string) => ({ name: [words, ...others].join(' '), unread: [other] });
  if (isMarkWord(front) && !isTitle.test(first)) return without(back, front);
  if (isMarkWord(back) && isDrug(front)) return without(front, back);
  const isBrand = isTitle.test(first) || (/^\p{Lu}+-\p{Lu}+$/u.test(first) && !knowledge.isIngredient(back));
  if (isKnown(name, knowledge) || isBrand || reading.amounts.length > 1) return undefined;
  if (isDrug(back) && !isDrug(front) && !locant.test(front))
    return front.length < leastOfIngredient ? without(back, front) : { name: undefined, unread: [front] };
  const isOther = isDrug(front) && !isDrug(back) && back.length < leastOfIngredient;
  return isOther && !isBehind(back, reading, knowledge) ? without(front, back) : undefined;
}

// A longer word after a drug may be an ingredient that is not known: "ampicillin-sulbactam".
const leastOfIngredient = 5;

// A brand such as "Depo-Testosterone". Brands in capitals such as "TRI-SPRINTEC" are recognized elsewhere.
const isTitle = /^\p{Lu}\p{Ll}+-\p{Lu}/u;

// Prefixes for positions in a molecule: "5-fluorouracil", "p-hydroxyamphetamine".
const locant = /^(?:\d{1,2}|[dlnoprs]|dl|alpha|beta|gamma|delta)$/i;

// Accepts the second word of "metoprolol-succinate", "metformin-ER" and "beta-1a".
function isBehind(word: string, reading: DrugReading, knowledge: DrugKnowledge): boolean {
  if (!/^\p{L}+$/u.test(word)) return true;
  return isOfNames(word, reading, knowledge) || formWord(word) !== undefined || releaseOf(word) !== undefined;
}
