import { choiceTexts, dateText, nameText, plainTexts, timeText, typeTexts } from './r4.generated.ts';

/** One JSON property of a type of FHIR R4. */
export interface Element {
  /** The JSON property: `valueQuantity`. */
  readonly key: string;
  /** The name in FHIRPath: `value` for `valueQuantity`, otherwise the key. */
  readonly name: string;
  /**
   * `Quantity`, `dateTime`; the path of a backbone element (`Patient.contact`); `Resource` for an element that may hold
   * any resource.
   */
  readonly type: string;
  readonly isList: boolean;
  /**
   * Whether the element changes the meaning of its holder (FHIR R4 "isModifier"): status, doNotPerform, use of a name.
   */
  readonly isModifier: boolean;
  /** Whether the property is for one of the types of a choice element. */
  readonly isChoice: boolean;
  /** The resource types that a Reference may point to; absent when it may point to any. */
  readonly targets?: readonly string[];
}

export interface ChoiceKey {
  readonly key: string;
  readonly type: string;
  /**
   * Where an element that is not a choice has this name: its resource types, or the properties that hold a backbone
   * element with it.
   */
  readonly plainIn: readonly string[] | undefined;
}

export type JsonKind = 'boolean' | 'number' | 'string' | 'object';

interface Type {
  readonly kind: 'resource' | 'complex' | 'primitive' | 'backbone';
  readonly parent: string | undefined;
  readonly own: readonly string[];
}

const kinds: Readonly<Record<string, Type['kind']>> = { r: 'resource', c: 'complex', p: 'primitive', b: 'backbone' };
const numbers: ReadonlySet<string> = new Set(['decimal', 'integer', 'positiveInt', 'unsignedInt']);

// Parsed on first use: a process needs about thirty of the seven hundred types.
const types = new Map<string, Type>();
const elements = new Map<string, ReadonlyMap<string, Element>>();

/**
 * The elements of a type by JSON property, including the inherited ones: `id` and `extension` of every type, and
 * `deceasedBoolean` beside `deceasedDateTime`. undefined when FHIR R4 has no such type.
 *
 * @param type - a resource (`Patient`), a data type (`Period`, `string`) or the path of a backbone element
 * (`Patient.contact`)
 * @example
 * elementsOf('Observation')?.get('valueQuantity')
 * // { name: 'value', type: 'Quantity', isList: false, isModifier: false, ... }
 */
export function elementsOf(type: string): ReadonlyMap<string, Element> | undefined {
  const known = elements.get(type);
  if (known !== undefined) return known;
  const found = typeNamed(type);
  if (found === undefined) return undefined;
  const inherited = found.parent === undefined ? undefined : elementsOf(found.parent);
  const all = new Map([...(inherited ?? []), ...found.own.flatMap(elementsIn).map((one) => [one.key, one] as const)]);
  elements.set(type, all);
  return all;
}

/**
 * The elements of a type with one FHIRPath name: several for a choice element, none when the type has no such element.
 *
 * @example elementsNamed('Patient', 'deceased').map(({ type }) => type) // ['boolean', 'dateTime']
 */
export function elementsNamed(type: string, name: string): readonly Element[] {
  const all = elementsOf(type);
  const plain = all?.get(name);
  if (plain !== undefined && !plain.isChoice) return [plain];
  return [...(all?.values() ?? [])].filter((element) => element.name === name);
}

/** Whether a name is a resource type of FHIR R4, such as `Patient` or the abstract `Resource` and `DomainResource`. */
export function isResourceType(name: string): boolean {
  return typeNamed(name)?.kind === 'resource';
}

/** Whether a name is a primitive type of FHIR R4: a string, number or boolean in JSON. */
export function isPrimitive(name: string): boolean {
  return typeNamed(name)?.kind === 'primitive';
}

/**
 * Whether a name is a type of FHIR R4: a resource, a data type or a primitive; the path of a backbone element is not.
 */
export function isTypeName(name: string): boolean {
  const kind = typeNamed(name)?.kind;
  return kind !== undefined && kind !== 'backbone';
}

/** Whether any type of FHIR R4 has an element with this JSON property. */
export function isElementKey(key: string): boolean {
  keys ??= new Set(Object.keys(typeTexts).flatMap((type) => [...(elementsOf(type)?.keys() ?? [])]));
  return keys.has(key);
}

let keys: ReadonlySet<string> | undefined;

/** Whether FHIR R4 has an element with this name or this JSON property, such as `value` or `valueQuantity`. */
export function isElementName(name: string): boolean {
  names ??= new Set([
    ...nameText.split(' '),
    ...[...choiceKeys.values()].flatMap((choices) => choices.map(({ key }) => key)),
  ]);
  return names.has(name);
}

let names: ReadonlySet<string> | undefined;

export function jsonKindOf(type: string): JsonKind {
  if (!isPrimitive(type)) return 'object';
  if (type === 'boolean') return 'boolean';
  return numbers.has(type) ? 'number' : 'string';
}

/** The parent of a type: `Quantity` for `Age`, `string` for `code`, `DomainResource` for `Patient`. */
export function parentOf(type: string): string | undefined {
  return typeNamed(type)?.parent;
}

/** Whether a type is the wanted one or descends from it. */
export function isA(type: string, wanted: string): boolean {
  for (let at: string | undefined = type; at !== undefined; at = parentOf(at)) if (at === wanted) return true;
  return false;
}

/**
 * The JSON properties of a choice element anywhere in FHIR R4; undefined for a name that is not a choice element.
 *
 * @example
 * choiceKeysOf('multipleBirth')
 * // [{ key: 'multipleBirthBoolean', type: 'boolean' }, { key: 'multipleBirthInteger', type: 'integer' }]
 */
export function choiceKeysOf(name: string): readonly ChoiceKey[] | undefined {
  return choiceKeys.get(name);
}

/**
 * The names of elements that are a date, dateTime or instant in every type that has them; names that are so only in
 * some types are not included.
 */
export const dateNames: ReadonlySet<string> = new Set(dateText.split(' '));

/** The names of elements that are a time of day in every type that has them. */
export const timeNames: ReadonlySet<string> = new Set(timeText.split(' '));

const choiceKeys: ReadonlyMap<string, readonly ChoiceKey[]> = new Map(
  Object.entries(choiceTexts).map(([name, text]) => [name, text.split(' ').map((type) => choiceKey(name, type))]),
);

function choiceKey(name: string, type: string): ChoiceKey {
  const key = name + capitalized(type);
  return { key, type, plainIn: Object.hasOwn(plainTexts, key) ? plainTexts[key]?.split(' ') : undefined };
}

function typeNamed(name: string): Type | undefined {
  const known = types.get(name);
  if (known !== undefined || !Object.hasOwn(typeTexts, name)) return known;
  const [head = '', ...own] = (typeTexts[name] ?? '').split(' ');
  const type: Type = { kind: kinds[head.charAt(0)] ?? 'complex', parent: head.slice(1) || undefined, own };
  types.set(name, type);
  return type;
}

// Parses `deceased[x]!:boolean,dateTime` or `subject:Reference(Patient|Group)`.
function elementsIn(text: string): Element[] {
  const colon = text.indexOf(':');
  const [named, given] = [text.slice(0, colon), text.slice(colon + 1)];
  const name = /^\w+/.exec(named)?.[0] ?? '';
  const isChoice = named.includes('[x]');
  return given.split(',').map((one): Element => {
    const [type = '', targets] = one.split(/[()]/);
    const key = isChoice ? name + capitalized(type) : name;
    const element = { key, name, type, isList: named.includes('*'), isModifier: named.endsWith('!'), isChoice };
    return targets === undefined ? element : { ...element, targets: targets.split('|') };
  });
}

function capitalized(type: string): string {
  return type.charAt(0).toUpperCase() + type.slice(1);
}
