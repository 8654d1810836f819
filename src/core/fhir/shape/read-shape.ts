import type { Resource } from 'fhir/r4.js';
import { canonicalSystem } from '../codes/systems.ts';
import { isObject } from '../is-object.ts';
import { type Element, elementsOf, isPrimitive, isResourceType, jsonKindOf } from '../model/model.ts';
import { type Decoding, hasLost, mendText } from '../text/damage.ts';
import { deepest, holdsWords, isInShape, namesSystem } from './is-in-shape.ts';

/** A place in a resource that does not have its JSON form in FHIR R4. */
export interface Misshapen {
  /** `class[0].type`, `contained[1].code`; never with a value. */
  readonly path: string;
  /** Whether the element changes the meaning of its holder (FHIR R4 "isModifier"). */
  readonly isModifier: boolean;
  /**
   * `absent`: the element is read as absent. `part`: the element is a modifier, so its holder `part` is not used.
   * `resource`: the element is a modifier of the whole resource, which is not used. `ask`: the element is a modifier of
   * a Patient, which is never left out, so a person has to be asked.
   */
  readonly effect: 'absent' | 'part' | 'resource' | 'ask';
  /** `name[0]`; only with the effect `part`. */
  readonly part?: string;
}

/** A text that is decoded in `Shape.resource`. The given resource still has it encoded. */
export interface Decoded extends Decoding {
  /** `name[0].family` */
  readonly path: string;
  readonly text: string;
}

/** A resource as far as it has the form of FHIR R4. */
export interface Shape {
  /**
   * The resource without misshapen and foreign elements, and with the canonical spelling of code systems; the same
   * object if nothing had to be changed, which is nearly always so.
   */
  readonly resource: Resource;
  /** false when a modifier of the whole resource cannot be read, so that the meaning of the resource is unknown. */
  readonly isUsable: boolean;
  readonly misshapen: readonly Misshapen[];
  /**
   * Paths of elements that FHIR R4 does not have: those of another release (`reason` of an R5 MedicationRequest), or of
   * no release.
   */
  readonly foreign: readonly string[];
  /** Texts that were damaged and could be decoded; absent if there are none. */
  readonly decoded?: readonly Decoded[];
  /** Paths of texts that have lost characters; absent if there are none. */
  readonly lost?: readonly string[];
}

/**
 * Reads a resource by the model of FHIR R4. An element of another JSON form is read as absent, or as an empty item of
 * its list, so that the other items keep their index. If the element is a modifier, the smallest part that holds it is
 * not used. Texts are decoded if the decoding is certain. The given resource is not changed. Code systems get their
 * canonical spelling, unless `systemOf` says otherwise.
 *
 * @example readShape({ resourceType: 'Patient', name: [{ use: 7, family: 'Old' }, { family: 'New' }] })
 * // resource: { resourceType: 'Patient', name: [{}, { family: 'New' }] }
 * // misshapen: [{ path: 'name[0].use', isModifier: true, effect: 'part', part: 'name[0]' }]
 */
export function readShape(resource: Resource, systemOf = canonicalSystem): Shape {
  if (isInShape(resource)) return { resource, isUsable: true, misshapen: none, foreign: none };
  return new ShapeReader(systemOf).read(resource);
}

const none: readonly never[] = [];

/** The result of reading a value; `value` is undefined if it could not be read. */
interface Reading {
  readonly value: unknown;
  /** Whether the whole value could be read. null counts as read. */
  readonly isWhole: boolean;
}

interface Holder {
  readonly type: string;
  /** Empty for the resource itself, otherwise `name[0]`. */
  readonly path: string;
  readonly depth: number;
  readonly isWords?: boolean;
}

interface Property extends Reading {
  readonly key: string;
  readonly given: unknown;
  /** Whether the property is an unreadable modifier, so that its holder cannot be used. */
  readonly isFatal: boolean;
}

class ShapeReader {
  private readonly misshapen: Misshapen[] = [];
  private readonly foreign: string[] = [];
  private readonly decoded: Decoded[] = [];
  private readonly lost: string[] = [];

  constructor(private readonly systemOf: (stated: string) => string) {}

  read(given: Resource): Shape {
    const properties = this.properties(given, { type: modelTypeOf(given), path: '', depth: 0 });
    return {
      resource: readOf(given, properties) as Resource, // the type of the resource is unchanged
      isUsable: !properties.some(({ isFatal }) => isFatal),
      misshapen: this.misshapen,
      foreign: this.foreign,
      ...(this.decoded.length === 0 ? {} : { decoded: this.decoded }),
      ...(this.lost.length === 0 ? {} : { lost: this.lost }),
    };
  }

  private properties(given: object, holder: Holder): Property[] {
    return Object.entries(given).map(([key, value]) => {
      const element = elementFor(holder.type, key);
      if (element !== undefined) return this.property(value, element, holder);
      const isKept = isAllowed(key, holder.type);
      if (!isKept && isOfModifier(key, holder.type))
        this.misshapen.push({ path: key, isModifier: true, effect: 'ask' });
      else if (!isKept) this.foreign.push(pathOf(holder, /^\w{1,40}$/.test(key) ? key : '(no name of an element)'));
      return { key, given: value, value: isKept ? value : undefined, isWhole: true, isFatal: false };
    });
  }

  private property(given: unknown, element: Element, holder: Holder): Property {
    const before = this.misshapen.length;
    const path = pathOf(holder, element.key);
    const reading = this.element(given, element, { path, depth: holder.depth + 1 });
    const effect = reading.isWhole ? undefined : effectOf(element, holder);
    if (effect !== undefined)
      this.misshapen.splice(before, Number.POSITIVE_INFINITY, { path, isModifier: true, ...effect });
    const isFatal = effect?.effect === 'part' || effect?.effect === 'resource';
    return { key: element.key, given, ...reading, isFatal };
  }

  private element(given: unknown, element: Element, at: Omit<Holder, 'type'>): Reading {
    if (given === null) return absent;
    if (namesSystem(element) && typeof given === 'string') return { value: this.systemOf(given), isWhole: true };
    if (!element.isList) return this.one(given, { ...at, type: element.type, isWords: holdsWords(element) });
    if (!Array.isArray(given)) return this.refuse(at.path);
    const empty = jsonKindOf(element.type) === 'object' && element.type !== besideType ? {} : null;
    const items = given.map((item: unknown, index) =>
      item === null
        ? { value: empty, isWhole: true }
        : this.item(
            item,
            { type: element.type, path: `${at.path}[${index}]`, depth: at.depth, isWords: holdsWords(element) },
            empty,
          ),
    );
    const values = items.map(({ value }) => value);
    const isSame = values.every((value, index) => value === given[index]);
    return { value: isSame ? given : values, isWhole: items.every(({ isWhole }) => isWhole) };
  }

  private item(given: unknown, at: Holder, empty: object | null): Reading {
    const before = this.misshapen.length;
    const reading = this.one(given, at);
    if (reading.isWhole || at.type !== patientLink) return { ...reading, value: reading.value ?? empty };
    this.misshapen.splice(before, Number.POSITIVE_INFINITY, {
      path: at.path,
      isModifier: true,
      effect: 'part',
      part: at.path,
    });
    return { value: empty, isWhole: false };
  }

  private one(given: unknown, at: Holder): Reading {
    const kind = jsonKindOf(at.type);
    if (typeof given === 'string' && at.isWords === true) return this.words(given, at.path);
    if (kind !== 'object') return typeof given === kind ? { value: given, isWhole: true } : this.refuse(at.path);
    if (!isObject(given) || at.depth > deepest) return this.refuse(at.path);
    if (at.type !== 'Resource') return this.object(given, at);
    if (typeof given.resourceType === 'string') return this.object(given, { ...at, type: modelTypeOf(given) });
    return Object.keys(given).length === 0 ? { value: given, isWhole: true } : this.refuse(at.path);
  }

  private words(given: string, path: string): Reading {
    const { text, note, isMisread } = mendText(given);
    if (note !== undefined) this.decoded.push({ path, text, note, ...(isMisread === true ? { isMisread } : {}) });
    if (hasLost(text)) this.lost.push(path);
    return { value: text, isWhole: true };
  }

  private object(given: object, at: Holder): Reading {
    const before = this.foreign.length;
    const properties = this.properties(given, at);
    if (properties.some(({ isFatal }) => isFatal)) return { value: undefined, isWhole: false };
    const value = readOf(given, properties);
    const stated = properties.find((property) => property.key === 'system' && property.value !== property.given);
    if (typeof stated?.given === 'string' && stated.value !== undefined) statedSystems.set(value, stated.given);
    const isOnlyForeign = this.foreign.length > before && Object.keys(value).length === 0;
    return { value, isWhole: !isOnlyForeign && properties.every(({ isWhole }) => isWhole) };
  }

  private refuse(path: string): Reading {
    this.misshapen.push({ path, isModifier: false, effect: 'absent' });
    return { value: undefined, isWhole: false };
  }
}

// Entries live as long as the elements that were read.
const statedSystems = new WeakMap<object, string>();

/**
 * The chart's spelling of the system of a coding, an identifier or a quantity that was read; undefined if it was
 * canonical already.
 */
export function statedSystemOf(element: object): string | undefined {
  return statedSystems.get(element);
}

const absent: Reading = { value: undefined, isWhole: true };
const patientLink = 'Patient.link';
/**
 * The type of the property beside a primitive (`_birthDate`): its id and extensions. No element of FHIR R4 itself has
 * this type.
 */
const besideType = 'Element';

// A Patient is never left out. An unreadable `Patient.link` is left out by itself, although it is a modifier.
function effectOf(element: Element, holder: Holder): Pick<Misshapen, 'effect' | 'part'> | undefined {
  if (!element.isModifier || element.type === patientLink) return undefined;
  if (holder.type === 'Patient') return { effect: 'ask' };
  return holder.path === '' ? { effect: 'resource' } : { effect: 'part', part: holder.path };
}

function elementFor(type: string, key: string): Element | undefined {
  const elements = elementsOf(type);
  const known = elements?.get(key);
  if (known !== undefined || !key.startsWith('_')) return known;
  const primitive = elements?.get(key.slice(1));
  if (primitive === undefined || !isPrimitive(primitive.type)) return undefined;
  return { ...primitive, key, type: besideType, isModifier: false };
}

// `deceased` without its type suffix is one of the Patient's modifiers, but its value is unclear.
function isOfModifier(key: string, type: string): boolean {
  if (type !== 'Patient') return false;
  const elements = [...(elementsOf(type)?.values() ?? [])];
  return elements.some(
    (element) => element.isModifier && element.key.startsWith(key) && /^[A-Z]/.test(element.key.slice(key.length)),
  );
}

// For a type that FHIR R4 does not have, only the elements of every resource are known.
function isAllowed(key: string, type: string): boolean {
  if (key === 'resourceType') return isResourceType(type);
  return type === anyResource && !(key in Object.prototype);
}

const anyResource = 'DomainResource';

function modelTypeOf(resource: object): string {
  const type: unknown = Reflect.get(resource, 'resourceType');
  return typeof type === 'string' && isResourceType(type) ? type : anyResource;
}

function readOf(given: object, properties: readonly Property[]): object {
  if (properties.every((property) => property.value === property.given)) return given;
  return Object.fromEntries(
    properties.filter(({ value }) => value !== undefined).map(({ key, value }) => [key, value]),
  );
}

function pathOf(holder: Holder, key: string): string {
  return holder.path === '' ? key : `${holder.path}.${key}`;
}
