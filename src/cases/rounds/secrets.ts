import type { SentField } from '../../core/contract/outreach.ts';
import { inAddresses } from './secret-addresses.ts';
import { merged, type Piece, type Range, split } from './secret-ranges.ts';
import { inTables } from './secret-tables.ts';
import { afterWords, beforeWords } from './secret-values.ts';
import { codedThings, fieldNames, fieldWords } from './secret-words.ts';

/**
 * Finds credentials in payer text: in fields with telling names, in URLs, in tables, and beside words such as key,
 * password, code, PIN. Hiding a harmless word is better than missing a credential, because a person can show the
 * original text.
 */

/** The text of a field in pieces, in order. Joined, they are the text without invisible characters. */
export function piecesOf({ name, text }: SentField): readonly Piece[] {
  const visible = text.replaceAll(/[\p{Cf}\u00ad]/gu, '');
  if (isSecretName(name)) return [{ text: visible, isSecret: true }];
  return split(visible, merged(secretsIn(visible)));
}

function secretsIn(text: string): Range[] {
  return [...inAddresses(text), ...inTables(text), ...afterWords(text), ...beforeWords(text)];
}

/** The text without its credentials. */
export function maskedText(field: SentField, mask: string): string {
  return piecesOf(field)
    .map(({ text, isSecret }) => (isSecret ? mask : text))
    .join('');
}

export function hasSecrets(fields: readonly SentField[]): boolean {
  return fields.some((field) => piecesOf(field).some(({ isSecret }) => isSecret));
}

const harmlessName = new RegExp(`\\b(?:${codedThings})[_ -]?(?:code|key)s?\\b`, 'i');

function isSecretName(name: string): boolean {
  const spaced = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  if (harmlessName.test(spaced)) return false;
  const words = spaced.toLowerCase().split(/[^a-z]+/);
  const joined = words.join('');
  return fieldNames.some((one) => joined.includes(one)) || fieldWords.some((one) => words.includes(one));
}
