import type { FieldSpec } from '../labels.ts';

/** Maps a typed text to the word of a closed list, by the tables of the mappings; undefined if none matches. */
export type TypedWord = (target: string, text: string) => string | undefined;

/**
 * The word of the field's list for a typed text: `tablet` for `Tabs`. The text itself if the field has no list, or if
 * no table has it.
 */
export function listedWord(spec: FieldSpec, text: string, typedWord: TypedWord | undefined): string {
  const list = listOf(spec);
  const plain = text.trim().toLowerCase();
  if (list.includes(plain)) return plain;
  const found = list.length === 0 ? undefined : typedWord?.(spec.target, plain);
  return found !== undefined && list.includes(found) ? found : text;
}

/** The suggested words of a field; empty if it has no list of words. */
export function listOf({ suggestions, options }: FieldSpec): readonly string[] {
  return suggestions ?? options?.map(([value]) => value) ?? [];
}
