import { isObject } from '../../fhir/is-object.ts';
import { isDamaged, mayBeDamaged, mendText } from '../../fhir/text/damage.ts';
import { cleanLines } from '../../fhir/text/text.ts';

/**
 * A value as it may be sent: every text in it decoded as far as that is certain, without what cannot be seen and
 * without blanks around it; line breaks stay. The one place that every value of a body goes through. What is clean
 * already is returned as it is.
 * @example cleanValue({ text: ' take\u200b 1 ' }) // { text: 'take 1' }
 */
export function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanWords(mayBeDamaged(value) ? mendText(value).text : value);
  if (Array.isArray(value)) return cleanItems(value);
  return isObject(value) ? cleanMembers(value) : value;
}

/** The same of a text in which nothing is to be decoded. */
export function cleanWords(text: string): string {
  return needsCleaning.test(text) ? cleanLines(text) : text;
}

/** Whether any text in a value is damaged. */
export function holdsDamage(value: unknown): boolean {
  if (typeof value === 'string') return isDamaged(value);
  if (Array.isArray(value)) return value.some(holdsDamage);
  return isObject(value) && Object.values(value).some(holdsDamage);
}

// Printable ASCII without a blank at an end is what nearly every value is.
const needsCleaning = /[^ -~]|^ | $/;

function cleanItems(items: readonly unknown[]): readonly unknown[] {
  const clean = items.map(cleanValue);
  return clean.every((item, index) => item === items[index]) ? items : clean;
}

function cleanMembers(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const clean = Object.entries(object).map(([key, value]) => [key, cleanValue(value)] as const);
  return clean.every(([key, value]) => value === object[key]) ? object : Object.fromEntries(clean);
}
