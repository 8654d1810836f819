import { isOnlyZeros, isPlaceholder } from '../../../core/fhir/text/placeholder.ts';

/** Whether a text stands where a value should be and is nobody's: mappings answer otherwise for it, so it stays. */
export function saysNothing(text: string): boolean {
  return isPlaceholder(text) || isOnlyZeros(text);
}

/** The same for a part of a person's name: Null is a surname. */
export function isNoName(text: string): boolean {
  return text.trim() !== 'Null' && saysNothing(text);
}

// One digit over and over, or the digits in a row: typed to get past a field.
const noPhone = /^1?(?:(\d)\1{9}|1234567890|0123456789)$/;

/** The same for a telephone number. */
export function isNoPhone(text: string): boolean {
  return saysNothing(text) || (/^[\d\s().+-]{10,30}$/.test(text) && noPhone.test(text.replace(/\D/g, '')));
}
