import { nounOf } from './form-words.ts';

// Words for packs with a rising dose or for the start of treatment.
const ofPacks = new Set('starter start starting titration treat treatment initiation month dvt-pe'.split(' '));

/**
 * Whether a word may describe a pack, such as `starter` or `30-day`. In a text without a pack, the word is an
 * instruction.
 */
export function isPackWord(word: string): boolean {
  return ofPacks.has(word.toLowerCase()) || /^\d{1,3}-?days?$/i.test(word);
}

/** Whether a word describes the pack in a text. As the first word ("START Rebif kit") it is an instruction. */
export function isOfPackIn(text: string, word: string): boolean {
  const [first] = /[\p{L}\d-]+/u.exec(text) ?? [];
  return isPackWord(word) && namesPack(text) && first?.toLowerCase() !== word.toLowerCase();
}

/** Whether the words name a pack, a kit or a box. */
export function namesPack(words: string): boolean {
  return words
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => nounOf(word)?.family === 'pack' || /^(?:box|carton|card)(?:es|s)?$/.test(word));
}
