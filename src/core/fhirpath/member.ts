import { Generated, isObjectText } from '../fhir/generated.ts';
import { isObject } from '../fhir/is-object.ts';
import { mayGenerate } from '../fhir/may-generate.ts';
import { type ChoiceKey, choiceKeysOf } from '../fhir/model/model.ts';
import { type Items, noItems } from './environment.ts';
import { Item, ItemStep, resourceTypeOf } from './item.ts';
import type { Predicate } from './predicate.ts';

/** The step from items to their children of one name. */
export interface Member {
  /**
   * The child of one item, if it is a single plain value or a list of one; null if there is none; undefined if `all`
   * has to decide.
   */
  readonly only: (item: Item) => Item | null | undefined;
  readonly all: (input: Items) => Items;
  /** Like `all`, but creates no items for structures that do not meet the criterion. */
  readonly meeting: (criterion: Predicate) => (input: Items) => Items;
}

/**
 * The step from items to their children of one name. A choice element (`value`) finds the property that is present
 * (`valueQuantity`).
 */
export function compileMember(name: string): Member {
  const known = members.get(name);
  if (known !== undefined) return known;
  const choices = choicesOf(name);
  const child: Child = { name, beside: `_${name}`, choices };
  const member: Member = {
    only: mayGenerate ? onlyChild(name, choices) : () => undefined,
    all: (input) => children(input, child, undefined),
    meeting: (criterion) => (input) => children(input, child, criterion),
  };
  members.set(name, member);
  return member;
}

const members = new Map<string, Member>();

export interface BesideChoice extends ChoiceKey {
  readonly beside: string;
}

export function choicesOf(name: string): readonly BesideChoice[] | undefined {
  return choiceKeysOf(name)?.map((choice) => ({ ...choice, beside: `_${choice.key}` }));
}

/**
 * The property names for reading children. The strings are made once, because V8 treats each new string as a new
 * property name.
 */
interface Child {
  readonly name: string;
  readonly beside: string;
  readonly choices: readonly BesideChoice[] | undefined;
}

function children(input: Items, { name, beside, choices }: Child, criterion: Predicate | undefined): Items {
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
      add(found, item, name, value, element, undefined, criterion);
      continue;
    }
    for (const choice of choices) {
      const chosen = holder[choice.key];
      // a choice element is never a list
      if ((chosen === undefined && holder[choice.beside] === undefined) || Array.isArray(chosen)) continue;
      if (choice.plainIn?.includes(resourceTypeOf(holder) ?? item.key) !== true)
        add(found, item, choice.key, chosen, holder[choice.beside], choice.type);
    }
  }
  return found;
}

// Generated, so that each name has its own machine code: reading a property by a variable name costs as much as making
// the item.
function onlyChild(name: string, choices: readonly BesideChoice[] | undefined): Member['only'] {
  const source = new Generated();
  const [value, beside] = [source.property(name), source.property(`_${name}`)];
  const item = (found: string, step: ItemStep) => `new ${source.pass(Item)}(${found}, ${source.pass(step)}, item)`;
  return source.build(`(item) => {
    const holder = item.value;
    if (!(${isObjectText('holder')})) return undefined;
    const value = holder${value};
    if (value === undefined) {
      if (holder${beside} !== undefined) return undefined;
      ${onlyChoice(source, choices ?? [], item)}
    }
    if (!Array.isArray(value)) return value === null ? undefined : ${item('value', new ItemStep(name))};
    if (value.length !== 1 || value[0] === undefined || value[0] === null) return undefined;
    return holder${beside} === undefined ? ${item('value[0]', new ItemStep(name, 0))} : undefined;
  }`);
}

// Only `value` has more choices than this. Its choices are searched in a loop.
export const mostChoices = 12;

function onlyChoice(
  source: Generated,
  choices: readonly BesideChoice[],
  item: (found: string, step: ItemStep) => string,
): string {
  if (choices.length > mostChoices) return 'return undefined;';
  const looks = choices.map(({ key, beside, type, plainIn }) => {
    const chosen = `holder${source.property(key)}`;
    const isPlain = `found === null && ${chosen} !== undefined && ${chosen} !== null && !Array.isArray(${chosen})`;
    return `if (${chosen} !== undefined || holder${source.property(beside)} !== undefined) {
      if (!(${plainIn === undefined ? isPlain : 'false'})) return undefined;
      found = ${item(chosen, new ItemStep(key, -1, type))};
    }`;
  });
  return `let found = null; ${looks.join('\n')} return found;`;
}

const extension: Child = { name: 'extension', beside: '_extension', choices: undefined };

/** The extensions with one URL, of elements and of primitives (`_birthDate.extension`). */
export function extensionsOf(input: Items, url: string): Items {
  return children(input, extension, undefined).filter(({ value }) => isObject(value) && value.url === url);
}

function add(
  found: Item[],
  parent: Item,
  key: string,
  value: unknown,
  element: unknown,
  type: string | undefined,
  criterion?: Predicate,
): void {
  if (Array.isArray(value)) addList(found, parent, key, value, element, type, criterion);
  else if (value !== undefined && value !== null) found.push(new Item(value, new ItemStep(key, -1, type), parent));
  else if (Array.isArray(element)) addList(found, parent, key, [], element, type);
  else if (isObject(element)) found.push(new Item(undefined, new ItemStep(key, -1, type), parent));
}

// In a list of primitives, null stands for a primitive that has only extensions (FHIR JSON, "primitive elements").
function addList(
  found: Item[],
  parent: Item,
  key: string,
  values: readonly unknown[],
  element: unknown,
  type: string | undefined,
  criterion?: Predicate,
): void {
  const elements: readonly unknown[] = Array.isArray(element) ? element : noItems;
  const length = Math.max(values.length, elements.length);
  for (let index = 0; index < length; index += 1) {
    const value = values[index] ?? undefined;
    if (criterion !== undefined && isObject(value) && criterion(value) !== true) continue;
    const beside = elements[index] ?? undefined;
    if (value !== undefined || isObject(beside)) found.push(new Item(value, new ItemStep(key, index, type), parent));
  }
}
