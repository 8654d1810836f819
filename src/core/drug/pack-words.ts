import { nounOf } from './form-words.ts';

// What packs are called in which a dose rises or with which a treatment begins.
const ofPacks = new Set('starter start starting titration treat treatment initiation month dvt-pe'.split(' '));

/** true for a word that is one of a pack where the text has a pack: `starter`, `30-day`. Else it says what to do. */
export function isPackWord(word: string): boolean {
  return ofPacks.has(word.toLowerCase()) || /^\d{1,3}-?days?$/i.test(word);
}

/** Whether a word belongs to a text's pack. In front of a name ("START Rebif kit") it says what to do. */
export function isOfPackIn(text: string, word: string): boolean {
  const [first] = /[\p{L}\d-]+/u.exec(text) ?? [];
  return isPackWord(word) && namesPack(text) && first?.toLowerCase() !== word.toLowerCase();
}

/** true for words with a pack, a kit or its box. */
export function namesPack(words: string): boolean {
  return words
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => nounOf(word)?.family === 'pack' || /^(?:box|carton|card)(?:es|s)?$/.test(word));
}
