import type { FieldSpec } from '../labels.ts';

/** Maps typed text to a value of a closed list with the tables of the mappings; undefined if none matches. */
export type TypedWord = (target: string, text: string) => string | undefined;

/**
 * The value of the field's list for typed text: `tablet` for `Tabs`. Returns the text unchanged if no value matches.
 */
export function listedWord(spec: FieldSpec, text: string, typedWord: TypedWord | undefined): string {
  const list = listOf(spec);
  const plain = text.trim().toLowerCase();
  if (list.includes(plain)) return plain;
  const found = list.length === 0 ? undefined : typedWord?.(spec.target, plain);
  return found !== undefined && list.includes(found) ? found : text;
}

/** The values of a field's list; empty if it has none. */
export function listOf({ suggestions, options }: FieldSpec): readonly string[] {
  return suggestions ?? options?.map(([value]) => value) ?? [];
}
