import type { z } from 'zod';
import type { Edits } from '../../../core/mapping/result.ts';
import { hasPlace } from '../../../core/mapping/schema.ts';
import { parseTarget } from '../../../core/mapping/target.ts';
import type { SectionSpec } from '../labels.ts';

/**
 * An entry of a person that no field of the page shows, because it was made under earlier rules or for a further item
 * of a list.
 */
export interface UnshownEntry {
  readonly target: string;
  /** undefined if the field was cleared. */
  readonly text: string | undefined;
  /** false if requests no longer have the field, so that the entry is kept but not sent. */
  readonly goes: boolean;
}

/** The entries for which the contract has a field. Only these may reach the mapping. */
export function placedEntries(edits: Edits, schema: z.core.$ZodType): Edits {
  return Object.fromEntries(Object.entries(edits).filter(([target]) => isPlaced(target, schema)));
}

/** The entries that no field of the page shows, in the order in which they were made. */
export function entriesBeside(edits: Edits, sections: readonly SectionSpec[], schema: z.core.$ZodType): UnshownEntry[] {
  const fields = new Set(sections.flatMap((section) => section.fields).map(({ target }) => target));
  return Object.entries(edits)
    .filter(([target]) => !fields.has(target) || !isPlaced(target, schema))
    .map(([target, value]) => ({ target, text: textOf(value), goes: isPlaced(target, schema) }));
}

// A malformed target cannot be parsed and has no field either.
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
