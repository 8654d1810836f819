import { isDamaged } from '../../fhir/text/damage.ts';
import { memoized } from '../../text-cache.ts';
import { compareNames } from '../compare-names.ts';
import type { DrugKnowledge } from '../drug-knowledge.ts';
import { ingredientOf } from '../ingredient.ts';
import { readDrugName } from '../read-drug-name.ts';
import type { DrugReading } from '../reading.ts';

/**
 * The drug that the directions say to take, if it is certainly not the ordered one: `metformin` in "Take 1 tablet of
 * metformin daily" on an order for Xeljanz. Undefined for directions that also name the ordered drug, or name the other
 * drug only as a companion ("1 tablet daily, with metformin").
 */
export function otherDrugIn(
  text: string,
  ordered: () => readonly DrugReading[],
  knowledge: DrugKnowledge,
): string | undefined {
  const name = dosedDrugBy(knowledge)(text);
  const dosed = name === undefined ? undefined : readDrugName(name);
  if (dosed === undefined) return undefined;
  const named = ordered().filter(({ ingredients, brands }) => ingredients.length + brands.length > 0);
  if (named.length === 0) return undefined;
  if (!named.every((reading) => compareNames(dosed, reading, knowledge) === 'differs')) return undefined;
  const ours = new Set(named.flatMap((reading) => contentsOf(reading, knowledge)));
  const isPart = contentsOf(dosed, knowledge).some((content) => ours.has(content));
  return isPart || [...ours].some((content) => says(text, content)) ? undefined : name;
}

// In characters. Directions are a sentence or two, so a longer text is not read.
const longest = 1000;

const verb = 'take|give|use|inject|apply|inhale|swallow|chew|dissolve|place|insert|instill|infuse|administer';
const verbs = new RegExp(`\\b(?:${verb})\\b`, 'gi');
const forbidden = /\b(?:not|never|avoid|don'?t|stop|to)\s+$/i;
const clauseEnd = /[;\n]|\.(?!\d)/;
// Words that may stand between the verb and the drug: an amount, its unit, an article.
const filler = new RegExp(
  '^(?:[\\d./()-]+|an?|the|your|of|one|two|three|four|five|six|half|mg|mcg|g|ml|units?|tab(?:let)?s?|' +
    'tab(?:let)?\\(s\\)|cap(?:sule)?s?|pens?|syringes?|injections?|vials?|puffs?|sprays?|drops?|patch(?:es)?|' +
    'pills?|doses?|packets?)$',
  'i',
);

const readers = new WeakMap<DrugKnowledge, (text: string) => string | undefined>();

function dosedDrugBy(knowledge: DrugKnowledge): (text: string) => string | undefined {
  const read = readers.get(knowledge) ?? memoized((text) => dosedDrug(text, knowledge));
  readers.set(knowledge, read);
  return read;
}

/**
 * The known drug name after every verb of the text, or at the start of the text before a strength. Undefined when the
 * names differ.
 */
function dosedDrug(text: string, knowledge: DrugKnowledge): string | undefined {
  if (text.length > longest || isDamaged(text)) return undefined;
  const leading = knownName(wordsOf(text), knowledge);
  if (leading !== undefined && /^\s*\d[\d.,]* ?(?:mg|mcg|g|ml|units?)\b/i.test(text.slice(leading.length)))
    return leading;
  const found = [...text.matchAll(verbs)].flatMap(({ index, 0: word }) =>
    forbidden.test(text.slice(0, index)) ? [] : [objectOf(text.slice(index + word.length), knowledge)],
  );
  const stated = found.filter((one) => one !== undefined);
  const [name] = stated;
  return stated.every((one) => one === name) ? name || undefined : undefined;
}

// The name of the drug that is taken. Empty for an amount alone, which means the ordered drug; undefined when there is
// no dose, as in "take with food".
function objectOf(rest: string, knowledge: DrugKnowledge): string | undefined {
  const words = wordsOf(rest.split(clauseEnd)[0] ?? '');
  const start = words.findIndex((word) => !filler.test(word));
  const name = knownName(start < 0 ? [] : words.slice(start), knowledge);
  if (name !== undefined) return name;
  return words.slice(0, start < 0 ? words.length : start).some((word) => /\d|one|two|three|four|half/i.test(word))
    ? ''
    : undefined;
}

const mostWords = 3;

function knownName(words: readonly string[], { rowOf, isIngredient }: DrugKnowledge): string | undefined {
  const amount = words.findIndex((word) => /^\d/.test(word));
  for (let count = Math.min(mostWords, amount < 0 ? words.length : amount); count > 0; count -= 1) {
    const name = words.slice(0, count).join(' ');
    if (rowOf(name) !== undefined || isIngredient(name)) return name;
  }
  return undefined;
}

function wordsOf(text: string): string[] {
  return text
    .split(/[\s,:]+/)
    .map((word) => word.replace(/^[("']+|[)"'.]+$/g, ''))
    .filter((word) => word !== '');
}

/** The names of a drug and its ingredients, in lowercase. */
function contentsOf({ ingredients, brands, otherNames }: DrugReading, { rowOf }: DrugKnowledge): string[] {
  const names = [...ingredients, ...brands, ...otherNames];
  return names.flatMap((name) => [name, ...(rowOf(name)?.ingredients ?? [])]).map((name) => ingredientOf(name).base);
}

function says(text: string, content: string): boolean {
  const words = new Set(text.toLowerCase().split(/[^\p{L}\d]+/u));
  return content.split(/[\s-]+/).every((word) => words.has(word));
}
