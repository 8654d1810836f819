import { isOnlyZeros, isPlaceholder } from '../../../core/fhir/text/placeholder.ts';

/** Whether a text is a placeholder for a missing value. Mappings treat placeholders differently, so they are kept. */
export function saysNothing(text: string): boolean {
  return isPlaceholder(text) || isOnlyZeros(text);
}

/** Whether a part of a person's name is a placeholder. "Null" is not one, since it is a surname. */
export function isNoName(text: string): boolean {
  return text.trim() !== 'Null' && saysNothing(text);
}

// One repeated digit, or digits in order: typed to satisfy a required field.
const noPhone = /^1?(?:(\d)\1{9}|1234567890|0123456789)$/;

/** Whether a telephone number is a placeholder. */
export function isNoPhone(text: string): boolean {
  return saysNothing(text) || (/^[\d\s().+-]{10,30}$/.test(text) && noPhone.test(text.replace(/\D/g, '')));
}
