/** A word or a number: letters and digits with nothing between them. */
export const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;

/** The words of a text in lower case, whatever separates them. */
export function splitWords(text: string): string[] {
  return text.normalize('NFC').toLowerCase().match(wordPattern) ?? [];
}
