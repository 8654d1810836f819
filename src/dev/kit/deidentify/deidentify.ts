import { isObject } from '../../../core/fhir/is-object.ts';
import {
  choiceKeysOf,
  type Element,
  elementsOf,
  isElementKey,
  isResourceType,
} from '../../../core/fhir/model/model.ts';
import { wordsOfKeptDisplays } from './concepts.ts';
import type { ElementPlace, JsonObject } from './element-place.ts';
import { inputWordsOf } from './input-words.ts';
import type { Means } from './means.ts';
import { movedDate } from './move-date.ts';
import { createRenamed } from './rename-references.ts';
import { replacedText, replacedUnknown } from './replace-text.ts';
import { replacedNumber } from './replaced-number.ts';
import { splitWords } from './split-words.ts';
import { createStandIns } from './stand-ins.ts';

export interface Deidentified<R> {
  readonly resources: readonly R[];
  readonly replace: {
    readonly reference: (reference: string) => string;
    readonly date: (date: string) => string;
    /** Replaces the URI of a code system or of an identifier system. */
    readonly system: (system: string) => string;
    readonly code: (system: string, code: string) => string;
  };
}

export interface DeidentifyOptions {
  /** Any unpredictable text. It is never stored. */
  readonly seed: string;
  /** Every date is moved by this many days. Multiples of seven keep the days of the week. */
  readonly shiftDays: number;
  /** Texts in the mapping's expressions, such as the URL of an extension or a code of a site. */
  readonly named?: readonly string[];
  /** Known drug names, whose words identify nobody. */
  readonly drugNames?: readonly string[];
  /** An order and its directions that a person has reviewed. They stay unchanged. */
  readonly kept?: { readonly order: string; readonly sigs: readonly string[] };
}

/**
 * Replaces identifying data of people and places in FHIR resources, element by element, by the types of FHIR R4.
 * Everything is replaced unless a rule keeps it. Kept are codes and displays of public code systems, quantities, status
 * codes, booleans and the public words of a drug's name. References are renamed, dates are moved by one constant, and
 * everything else is made up. The form is preserved: padding, missing parts, repetition, partial dates.
 */
export function deidentify<R extends object>(resources: readonly R[], options: DeidentifyOptions): Deidentified<R> {
  const means = meansFor(resources, options);
  const { renamed, standIns } = means;
  return {
    resources: resources.map((resource) => replaceResource(resource as JsonObject, undefined, means) as R),
    replace: {
      reference: renamed.reference,
      date: (date) => movedDate(date, options.shiftDays) ?? standIns.shape(date),
      system: renamed.uri,
      code: (system, code) => {
        const place = { holder: 'Coding', element: codingCode, parent: { system }, above: undefined, resource: '' };
        return replacedText(code, place, means);
      },
    },
  };
}

const codingCode = elementsOf('Coding')!.get('code')!; // FHIR R4 defines this element

function meansFor(
  resources: readonly unknown[],
  { seed, shiftDays, named = [], drugNames = [], kept }: DeidentifyOptions,
): Means {
  const words = inputWordsOf(resources);
  const { names, idTypes } = words;
  const standIns = createStandIns(seed, words);
  const namedTexts = new Set(named);
  return {
    standIns,
    renamed: createRenamed(standIns, idTypes, namedTexts),
    shiftDays,
    names,
    displayWords: wordsOfKeptDisplays(resources),
    drugWords: new Set(drugNames.flatMap(splitWords)),
    named: namedTexts,
    keptSigs: new Set(kept?.sigs ?? []),
    order: kept?.order,
  };
}

function replaceResource(resource: JsonObject, above: ElementPlace | undefined, means: Means): JsonObject {
  const type = String(resource.resourceType);
  const name = above?.resource ?? `${type}/${String(resource.id)}`;
  return replaceObject(resource, { type: isResourceType(type) ? type : undefined, above, name }, means);
}

interface ObjectPlace {
  /** undefined if FHIR R4 has no such element. */
  readonly type: string | undefined;
  readonly above: ElementPlace | undefined;
  /** The resource's reference, such as `Patient/9`. */
  readonly name: string;
}

function replaceObject(object: JsonObject, at: ObjectPlace, means: Means): JsonObject {
  const elements = at.type === undefined ? undefined : elementsOf(at.type);
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      if (key === 'resourceType') return [key, typeof value === 'string' && isResourceType(value) ? value : 'Basic'];
      const element = elements?.get(key) ?? primitiveSibling(elements, key);
      if (element === undefined) return [keptKey(key, means), replaceUnknown(value, at, means)];
      const place = { holder: at.type ?? '', element, parent: object, above: at.above, resource: at.name };
      return [key, replaceElement(value, place, means)];
    }),
  );
}

// `_birthDate` contains the id and the extensions of the primitive `birthDate`.
function primitiveSibling(elements: ReadonlyMap<string, Element> | undefined, key: string): Element | undefined {
  const of = key.startsWith('_') ? elements?.get(key.slice(1)) : undefined;
  return of === undefined ? undefined : { ...of, key, type: 'Element' };
}

// The name of a FHIR element identifies nobody. Any other property name may identify someone.
function keptKey(key: string, { standIns }: Means): string {
  const name = key.replace(/^_/, '');
  return isElementKey(name) ||
    choiceKeysOf(name) !== undefined ||
    /^(?:concept|_?reference|itemCodeableReference)$/.test(key)
    ? key
    : standIns.numbered('element-', key);
}

function replaceElement(value: unknown, place: ElementPlace, means: Means): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceElement(item, place, means));
  if (typeof value === 'string') return replacedText(value, place, means);
  if (typeof value === 'number') return replacedNumber(value, place, means);
  if (!isObject(value)) return value;
  if (typeof value.resourceType === 'string') return replaceResource(value, place, means);
  return replaceObject(value, { type: place.element.type, above: place, name: place.resource }, means);
}

function replaceUnknown(value: unknown, at: ObjectPlace, means: Means): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceUnknown(item, at, means));
  if (typeof value === 'string') return replacedUnknown(value, means);
  if (typeof value === 'number') return replacedNumber(value, undefined, means);
  return isObject(value) ? replaceObject(value, { ...at, type: undefined }, means) : value;
}
