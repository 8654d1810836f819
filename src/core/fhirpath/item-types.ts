import { dateNames, timeNames } from '../fhir/model/model.ts';
import { type Item, resourceTypeOf } from './item.ts';

/** The FHIR type of an item if it is known: of resources, and of values found through a choice element. */
export function typeOf(item: Item): string | undefined {
  return item.type ?? resourceTypeOf(item.value);
}

export function isDate(item: Item): boolean {
  return item.type === undefined ? dateNames.has(item.key) : dateTypes.has(item.type);
}

/** Whether an item is a time of day; the subset has no literal for it. */
export function isTime(item: Item): boolean {
  return item.type === undefined ? timeNames.has(item.key) : item.type === 'time';
}

const dateTypes: ReadonlySet<string> = new Set(['date', 'dateTime', 'instant']);
