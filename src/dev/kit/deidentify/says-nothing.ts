import { isOnlyZeros, isPlaceholder } from '../../../core/fhir/text/placeholder.ts';

/** Whether a text is a placeholder for a missing value: mappings treat it differently, so it stays. */
export function saysNothing(text: string): boolean {
  return isPlaceholder(text) || isOnlyZeros(text);
}

/** `saysNothing` for a part of a person's name, except "Null", which is a surname. */
export function isNoName(text: string): boolean {
  return text.trim() !== 'Null' && saysNothing(text);
}

// One repeated digit, or the digits in order: typed to satisfy a required field.
const noPhone = /^1?(?:(\d)\1{9}|1234567890|0123456789)$/;

/** `saysNothing` for a telephone number. */
export function isNoPhone(text: string): boolean {
  return saysNothing(text) || (/^[\d\s().+-]{10,30}$/.test(text) && noPhone.test(text.replace(/\D/g, '')));
}
