import { isObject } from '../../fhir/is-object.ts';
import { isDamaged, mayBeDamaged, mendText } from '../../fhir/text/damage.ts';
import { cleanLines } from '../../fhir/text/text.ts';

/**
 * A value as it may be sent: every text in it decoded as far as that is certain, without invisible characters and
 * without surrounding blanks; line breaks are kept. Every value of a body passes through here. A clean value is
 * returned as the same object.
 * @example cleanValue({ text: ' take\u200b 1 ' }) // { text: 'take 1' }
 */
export function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanWords(mayBeDamaged(value) ? mendText(value).text : value);
  if (Array.isArray(value)) return cleanItems(value);
  return isObject(value) ? cleanMembers(value) : value;
}

/** Like `cleanValue`, for a text that does not need decoding. */
export function cleanWords(text: string): string {
  return needsCleaning.test(text) ? cleanLines(text) : text;
}

export function holdsDamage(value: unknown): boolean {
  if (typeof value === 'string') return isDamaged(value);
  if (Array.isArray(value)) return value.some(holdsDamage);
  return isObject(value) && Object.values(value).some(holdsDamage);
}

// Nearly every value is printable ASCII without a blank at either end.
const needsCleaning = /[^ -~]|^ | $/;

function cleanItems(items: readonly unknown[]): readonly unknown[] {
  const clean = items.map(cleanValue);
  return clean.every((item, index) => item === items[index]) ? items : clean;
}

function cleanMembers(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const clean = Object.entries(object).map(([key, value]) => [key, cleanValue(value)] as const);
  return clean.every(([key, value]) => value === object[key]) ? object : Object.fromEntries(clean);
}
