import type { DrugKnowledge } from '../drug/drug-knowledge.ts';
import { drugKey, ingredientsInName, partsOf } from './ingredients.ts';

/** The sentences of a note, also split at `;`. The period of a title ("Dr.") does not end a sentence. */
export function sentencesIn(text: string): string[] {
  return text
    .split(/(?<!\b(?:Dr|Mr|Mrs|Ms|St))[.;\n]+(?:\s+|$)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && sentence.length <= longest);
}

// In characters. A longer passage is text without punctuation.
const longest = 300;

/** Whether the sentence names a drug that has none of these ingredients. */
export function namesOtherDrug(sentence: string, ingredients: string, drugs: DrugKnowledge): boolean {
  const own = new Set(partsOf(ingredients).map(drugKey));
  return sentence.split(/[^\p{L}\d-]+/u).some((word) => {
    if (word === '' || (drugs.rowOf(word) === undefined && !drugs.isIngredient(word))) return false;
    return !ingredientsInName(word, drugs).some((one) => own.has(drugKey(one)));
  });
}
