/** One letter or digit of any script. Characters between them are not part of a number. */
export const letterOrDigit = /[\p{L}\p{N}]/gu;
const plain = /^[A-Za-z0-9]+$/;

/**
 * The part of a member number, an identifier or another number that is compared: its letters and digits, in lower case.
 * Empty if it has none.
 *
 * @example lettersAndDigits('EM-551 208') // 'em551208'
 */
export function lettersAndDigits(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return (text.match(letterOrDigit) ?? []).join('').toLowerCase();
}
