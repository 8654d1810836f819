import type { z } from 'zod';
import type { Edits } from '../../../core/mapping/result.ts';
import { hasPlace } from '../../../core/mapping/schema.ts';
import { parseTarget } from '../../../core/mapping/target.ts';
import type { SectionSpec } from '../labels.ts';

/** An entry of a person that no field of the page shows: made under earlier rules, or for an item of a list. */
export interface Entry {
  readonly target: string;
  /** undefined for what was cleared. */
  readonly text: string | undefined;
  /** false when requests have no such field any more: it is kept and does not go. */
  readonly goes: boolean;
}

/** The entries that have a place in the request that `schema` describes; the others must not reach the mapping. */
export function placedEntries(edits: Edits, schema: z.core.$ZodType): Edits {
  return Object.fromEntries(Object.entries(edits).filter(([target]) => isPlaced(target, schema)));
}

/** The entries that no field of the page shows, in the order in which they were made. */
export function entriesBeside(edits: Edits, sections: readonly SectionSpec[], schema: z.core.$ZodType): Entry[] {
  const fields = new Set(sections.flatMap((section) => section.fields).map(({ target }) => target));
  return Object.entries(edits)
    .filter(([target]) => !fields.has(target) || !isPlaced(target, schema))
    .map(([target, value]) => ({ target, text: textOf(value), goes: isPlaced(target, schema) }));
}

// A target that cannot be read at all has no place either.
function isPlaced(target: string, schema: z.core.$ZodType): boolean {
  try {
    return hasPlace(schema, parseTarget(target));
  } catch {
    return false;
  }
}

function textOf(value: unknown): string | undefined {
  if (value === null || value === '') return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
