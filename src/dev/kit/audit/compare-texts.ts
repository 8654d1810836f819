import { isObject } from '../../../core/fhir/is-object.ts';

/** Every text of an element, with those of its parts. */
export function textsIn(element: unknown): string[] {
  if (typeof element === 'string') return [element];
  if (Array.isArray(element)) return element.flatMap(textsIn);
  return isObject(element) ? Object.values(element).flatMap(textsIn) : [];
}

/** A text without invisible characters (control, zero-width and direction characters) and with single blanks. */
export function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The words of a text in lower case; letters and digits only. */
export function comparedWords(text: string): string[] {
  return (
    plain(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Whether one text contains the other as consecutive whole words. */
export function hasPhrase(text: string, phrase: string): boolean {
  const wanted = comparedWords(phrase).join(' ');
  return wanted !== '' && ` ${comparedWords(text).join(' ')} `.includes(` ${wanted} `);
}
