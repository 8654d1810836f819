/** A word or number of a text: letters and digits with nothing between. */
export const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;

/** The words of a text in small letters, whatever stands between them. */
export function splitWords(text: string): string[] {
  return text.normalize('NFC').toLowerCase().match(wordPattern) ?? [];
}
