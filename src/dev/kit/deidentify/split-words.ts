/** A word or number of a text: letters and digits with nothing between. */
export const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;

/** The words of a text in lower case, whatever separates them. */
export function splitWords(text: string): string[] {
  return text.normalize('NFC').toLowerCase().match(wordPattern) ?? [];
}
