import type { Truth } from './compare.ts';
import { type Items, noItems } from './environment.ts';
import { EvaluationError } from './error.ts';
import { type Item, literal } from './item.ts';

const yes: Items = [literal(true)];
const no: Items = [literal(false)];

/** A truth value as a collection; undefined becomes the empty collection. */
export function toItems(truth: Truth): Items {
  if (truth === undefined) return noItems;
  return truth ? yes : no;
}

/**
 * FHIRPath, "Singleton evaluation of collections": the boolean of a single item, or true for a single item of another
 * type.
 */
export function truthOf(items: Items): Truth {
  const item = onlyItem(items);
  if (item === undefined) return undefined;
  return typeof item.value === 'boolean' ? item.value : true;
}

/** The only item; undefined when there is none; throws EvaluationError for several. */
export function onlyItem(items: Items): Item | undefined {
  if (items.length > 1) throw new EvaluationError(`${items.length} items where one is expected`);
  return items[0];
}

export function singleText(items: Items): string | undefined {
  const value = onlyItem(items)?.value;
  if (value !== undefined && typeof value !== 'string') throw new EvaluationError('a text is expected');
  return value;
}
