import type { DrugKnowledge } from '../drug/drug-knowledge.ts';
import { drugKey, ingredientsInName, partsOf } from './ingredients.ts';

/** The sentences and parts of sentences of a note; a title ends none. */
export function sentencesIn(text: string): string[] {
  return text
    .split(/(?<!\b(?:Dr|Mr|Mrs|Ms|St))[.;\n]+(?:\s+|$)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && sentence.length <= longest);
}

// What is longer is a text without sentences.
const longest = 300;

/** Whether a word of the sentence is the name of a drug that has none of these ingredients. */
export function namesOtherDrug(sentence: string, ingredients: string, drugs: DrugKnowledge): boolean {
  const own = new Set(partsOf(ingredients).map(drugKey));
  return sentence.split(/[^\p{L}\d-]+/u).some((word) => {
    if (word === '' || (drugs.rowOf(word) === undefined && !drugs.isIngredient(word))) return false;
    return !ingredientsInName(word, drugs).some((one) => own.has(drugKey(one)));
  });
}
