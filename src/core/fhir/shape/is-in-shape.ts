import type { Resource } from 'fhir/r4.js';
import { canonicalSystem } from '../codes/systems.ts';
import { Generated, isObjectText } from '../generated.ts';
import { isObject } from '../is-object.ts';
import { mayGenerate } from '../may-generate.ts';
import { type Element, elementsOf, isPrimitive, isResourceType, jsonKindOf } from '../model/model.ts';
import { mayBeDamaged } from '../text/damage.ts';

/** Nothing of a chart is nested deeper; what is was made to exhaust the stack. */
export const deepest = 40;

/**
 * Whether every element of a resource has the JSON form that FHIR R4 gives it, no element stands there that FHIR R4
 * does not have, code systems are written in their one spelling and no text may be damaged: it is read as it stands.
 * false also for types that FHIR R4 does not have, and for all where no code may be generated. Only looks: what nearly
 * every resource needs, in about 20 microseconds for a chart of 20 KiB.
 */
export function isInShape(resource: Resource): boolean {
  return mayGenerate && fitsAsResource(resource, 0);
}

type Fits = (value: object, depth: number) => boolean;

/** `fits` is compiled at its first use and then stands in its own place. */
interface Checker {
  fits: Fits;
}

const checkers = new Map<string, Checker>();

function checkerOf(type: string): Checker {
  const known = checkers.get(type);
  if (known !== undefined) return known;
  const checker: Checker = {
    fits: (value, depth) => {
      checker.fits = compile(type);
      return checker.fits(value, depth);
    },
  };
  checkers.set(type, checker);
  return checker;
}

// An empty object holds the place of a contained resource that was not used.
function fitsAsResource(value: unknown, depth: number): boolean {
  if (!isObject(value)) return false;
  const type = value.resourceType;
  if (typeof type !== 'string') return Object.keys(value).length === 0;
  return isResourceType(type) && checkerOf(type).fits(value, depth);
}

// Generated code: a loop over a list of elements takes twice the time. Every name in it comes from the model, none from
// a chart.
function compile(type: string): Fits {
  const elements = [...(elementsOf(type)?.values() ?? [])];
  const held = [...new Set(elements.map((element) => element.type))].filter((name) => !isPrimitive(name));
  const checkersHere = held.map((name) => (name === 'Resource' ? { fits: fitsAsResource } : checkerOf(name)));
  const source = new Generated();
  const called = [...checkersHere, checkerOf('Element'), canonicalSystem, mayBeDamaged].map((one) => source.pass(one));
  return source.build(`((${[...held.map(variableOf), 'element', 'canonicalSystem', 'mayBeDamaged'].join(', ')}) =>
    (value, depth) => {
      if (depth > ${deepest}) return false;
      for (const key in value) {
        const given = value[key];
        switch (key) {${isResourceType(type) ? "case 'resourceType': break;" : ''}${casesOf(elements)}
          default: return false;
        }
      }
      return true;
    })(${called.join(', ')})`);
}

// Elements of one form share their lines.
function casesOf(elements: readonly Element[]): string {
  const primitives = elements.filter(({ type }) => isPrimitive(type));
  const ofOneForm = Map.groupBy(elements, (element) => `${element.isList}${namesSystem(element)}${formOf(element)}`);
  const besides = Map.groupBy(primitives, ({ isList }) => isList);
  return [
    ...[...ofOneForm.values()].map((group) => `${labels(group, '')} ${formTest(group[0])} break;`),
    ...[...besides].map(([isList, group]) => `${labels(group, '_')} ${besideTest(isList)} break;`),
  ].join('\n');
}

/** Whether an element says of which system a code, a number or a unit is; a system of contact (`phone`) is a code. */
export function namesSystem({ key, type }: Element): boolean {
  return key === 'system' && type === 'uri';
}

function formOf(element: Element): string {
  const { type } = element;
  if (holdsWords(element)) return 'words';
  return isPrimitive(type) ? jsonKindOf(type) : type;
}

function labels(elements: readonly Element[], prefix: string): string {
  return elements.map(({ key }) => `case '${prefix}${key}':`).join('');
}

function formTest(element: Element | undefined): string {
  if (element === undefined) return '';
  const { type, isList } = element;
  if (namesSystem(element)) return `if (${misfit('given', element)} || canonicalSystem(given) !== given) return false;`;
  const mayBeNull = isPrimitive(type) ? 'item !== null && ' : ''; // FHIR's way to say "see the extension"
  return isList ? listTest(`${mayBeNull}${misfit('item', element)}`) : `if (${misfit('given', element)}) return false;`;
}

// What stands beside a primitive: its id and extensions.
function besideTest(isList: boolean): string {
  const misfits = (name: string) => `(!(${isObjectText(name)}) || !element.fits(${name}, depth + 1))`;
  return isList ? listTest(`item !== null && ${misfits('item')}`) : `if (${misfits('given')}) return false;`;
}

function listTest(misfits: string): string {
  return `if (!Array.isArray(given)) return false; for (const item of given) if (${misfits}) return false;`;
}

function misfit(name: string, element: Element): string {
  const { type } = element;
  const kind = jsonKindOf(type);
  if (holdsWords(element)) return `(typeof ${name} !== 'string' || mayBeDamaged(${name}))`;
  if (kind !== 'object') return `typeof ${name} !== '${kind}'`;
  return `(!(${isObjectText(name)}) || !${variableOf(type)}.fits(${name}, depth + 1))`;
}

/** Whether an element holds words for people, in which any character may stand; no address of a resource does. */
export function holdsWords({ key, type }: Pick<Element, 'key' | 'type'>): boolean {
  return (type === 'string' && key !== 'reference') || type === 'markdown';
}

function variableOf(type: string): string {
  return type.replaceAll('.', '_');
}
