import type { Resource } from 'fhir/r4.js';
import { canonicalSystem } from '../codes/systems.ts';
import { Generated, isObjectText } from '../generated.ts';
import { isObject } from '../is-object.ts';
import { mayGenerate } from '../may-generate.ts';
import { type Element, elementsOf, isPrimitive, isResourceType, jsonKindOf } from '../model/model.ts';
import { mayBeDamaged } from '../text/damage.ts';

/** The deepest nesting that is read. Real charts are less deep; deeper nesting is an attempt to exhaust the stack. */
export const deepest = 40;

/**
 * Whether a resource can be used without changes: every element has its JSON form in FHIR R4, no element is unknown to
 * FHIR R4, code systems have their canonical spelling, and no text may be damaged. Also false for types that FHIR R4
 * does not have, and for all resources if code generation is not allowed.
 *
 * Nearly every resource needs only this check. It takes about 20 microseconds for a chart of 20 KiB.
 */
export function isInShape(resource: Resource): boolean {
  return mayGenerate && fitsAsResource(resource, 0);
}

type Fits = (value: object, depth: number) => boolean;

/** `fits` compiles the check on its first call and replaces itself with the result. */
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

// An empty object is the placeholder of a contained resource that was not used.
function fitsAsResource(value: unknown, depth: number): boolean {
  if (!isObject(value)) return false;
  const type = value.resourceType;
  if (typeof type !== 'string') return Object.keys(value).length === 0;
  return isResourceType(type) && checkerOf(type).fits(value, depth);
}

// Generated code, because a loop over a list of elements takes twice the time. Every name in it comes from the model,
// none from a chart.
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

// Elements of the same form share one `case` in the generated code.
function casesOf(elements: readonly Element[]): string {
  const primitives = elements.filter(({ type }) => isPrimitive(type));
  const ofOneForm = Map.groupBy(elements, (element) => `${element.isList}${namesSystem(element)}${formOf(element)}`);
  const besides = Map.groupBy(primitives, ({ isList }) => isList);
  return [
    ...[...ofOneForm.values()].map((group) => `${labels(group, '')} ${formTest(group[0])} break;`),
    ...[...besides].map(([isList, group]) => `${labels(group, '_')} ${besideTest(isList)} break;`),
  ].join('\n');
}

/**
 * Whether an element is the system of a code, a number or a unit. The system of a contact (`phone`) is a code and does
 * not count.
 */
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
  const mayBeNull = isPrimitive(type) ? 'item !== null && ' : ''; // in FHIR, null means: see the extension
  return isList ? listTest(`${mayBeNull}${misfit('item', element)}`) : `if (${misfit('given', element)}) return false;`;
}

// The property beside a primitive holds its id and extensions.
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

/**
 * Whether an element holds words for people, which may contain any character; the address of a resource does not count.
 */
export function holdsWords({ key, type }: Pick<Element, 'key' | 'type'>): boolean {
  return (type === 'string' && key !== 'reference') || type === 'markdown';
}

function variableOf(type: string): string {
  return type.replaceAll('.', '_');
}
