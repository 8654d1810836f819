import { isObject } from '../../../core/fhir/is-object.ts';

/** Every text of an element, including the texts in its parts. */
export function textsIn(element: unknown): string[] {
  if (typeof element === 'string') return [element];
  if (Array.isArray(element)) return element.flatMap(textsIn);
  return isObject(element) ? Object.values(element).flatMap(textsIn) : [];
}

/** Removes invisible characters (control, zero-width and direction characters) and repeated spaces. */
export function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The words of a text in lower case, made of letters and digits only. */
export function comparedWords(text: string): string[] {
  return (
    plain(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Whether `text` contains the words of `phrase` consecutively. */
export function hasPhrase(text: string, phrase: string): boolean {
  const wanted = comparedWords(phrase).join(' ');
  return wanted !== '' && ` ${comparedWords(text).join(' ')} `.includes(` ${wanted} `);
}
