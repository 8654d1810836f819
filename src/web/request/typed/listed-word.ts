import type { FieldSpec } from '../labels.ts';

/** The word of a closed list for a typed text, by the tables of the mappings; undefined where none knows it. */
export type TypedWord = (target: string, text: string) => string | undefined;

/**
 * The word of the field's list that a person means: `tablet` for `Tabs`. The text itself where the field has no list,
 * or where no table knows it.
 */
export function listedWord(spec: FieldSpec, text: string, typedWord: TypedWord | undefined): string {
  const list = listOf(spec);
  const plain = text.trim().toLowerCase();
  if (list.includes(plain)) return plain;
  const found = list.length === 0 ? undefined : typedWord?.(spec.target, plain);
  return found !== undefined && list.includes(found) ? found : text;
}

/** The suggested words of a field; empty where it has no list of words. */
export function listOf({ suggestions, options }: FieldSpec): readonly string[] {
  return suggestions ?? options?.map(([value]) => value) ?? [];
}
