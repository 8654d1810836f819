import { isObject } from '../fhir/is-object.ts';
import { choiceKeysOf } from '../fhir/model/model.ts';
import { type Items, none, type StepRun } from './environment.ts';
import { Item, resourceTypeOf } from './item.ts';

/**
 * The step from items to their children of one name; a choice element (`value`) finds the property that is there
 * (`valueQuantity`).
 */
export function compileMember(name: string): StepRun {
  const beside = `_${name}`;
  const choices = choiceKeysOf(name)?.map((choice) => ({ ...choice, beside: `_${choice.key}` }));
  return (input) => {
    if (input.length === 0) return none;
    if (input.length === 1) {
      const only = onlyChild(input[0] as Item, name, beside, choices === undefined); // there is one
      if (only !== undefined) return only;
    }
    const found: Item[] = [];
    for (const item of input) {
      const holder = item.value;
      if (!isObject(holder)) {
        if (isObject(item.element)) add(found, item, name, item.element[name], undefined, undefined);
        continue;
      }
      const value = holder[name];
      const element = holder[beside];
      if (value !== undefined || element !== undefined || choices === undefined) {
        add(found, item, name, value, element, undefined);
        continue;
      }
      for (const choice of choices) {
        const chosen = holder[choice.key];
        // no choice element is a list
        if ((chosen === undefined && holder[choice.beside] === undefined) || Array.isArray(chosen)) continue;
        if (choice.plainIn?.includes(resourceTypeOf(holder) ?? item.key) !== true)
          add(found, item, choice.key, chosen, holder[choice.beside], choice.type);
      }
    }
    return found;
  };
}

// Nearly every step: one item with one plain value of that name, or with nothing. A list literal of one is far cheaper
// than a list that grows.
function onlyChild(parent: Item, name: string, beside: string, isPlain: boolean): Items | undefined {
  const holder = parent.value;
  if (!isObject(holder)) return isPlain && parent.element === undefined ? none : undefined;
  const value = holder[name];
  if (value === undefined) return isPlain && holder[beside] === undefined ? none : undefined;
  if (Array.isArray(value)) return onlyEntry(parent, name, beside, value);
  return value === null ? undefined : [new Item(value, parent.origin, parent, name)];
}

// Most lists of a chart have one entry.
function onlyEntry(parent: Item, name: string, beside: string, list: readonly unknown[]): Items | undefined {
  const [entry] = list;
  if (list.length !== 1 || entry === undefined || entry === null) return undefined;
  const holder = parent.value as Readonly<Record<string, unknown>>; // the list is in it
  return holder[beside] === undefined ? [new Item(entry, parent.origin, parent, name, 0)] : undefined;
}

/** The extensions of one URL, of elements and of primitives (`_birthDate.extension`). */
export function extensionsOf(input: Items, url: string): Items {
  return compiledExtension(input, none, never).filter((item) => isObject(item.value) && item.value.url === url);
}

const compiledExtension = compileMember('extension');
const never = {
  variable: () => none,
  resolve: () => undefined,
};

function add(
  found: Item[],
  parent: Item,
  key: string,
  value: unknown,
  element: unknown,
  type: string | undefined,
): void {
  if (Array.isArray(value)) addList(found, parent, key, value, element, type);
  else if (value !== undefined && value !== null) found.push(new Item(value, parent.origin, parent, key, -1, type));
  else if (Array.isArray(element)) addList(found, parent, key, [], element, type);
  else if (isObject(element)) found.push(new Item(undefined, parent.origin, parent, key, -1, type));
}

// In a list of primitives null holds the place of one that has only extensions (FHIR JSON, "primitive elements").
function addList(
  found: Item[],
  parent: Item,
  key: string,
  values: readonly unknown[],
  element: unknown,
  type: string | undefined,
): void {
  const elements: readonly unknown[] = Array.isArray(element) ? element : none;
  const length = Math.max(values.length, elements.length);
  for (let index = 0; index < length; index += 1) {
    const value = values[index] ?? undefined;
    const beside = elements[index] ?? undefined;
    if (value !== undefined || isObject(beside)) found.push(new Item(value, parent.origin, parent, key, index, type));
  }
}
