import type { Resource } from 'fhir/r4.js';
import { canonicalSystem } from './codes/systems.ts';
import { isObject } from './is-object.ts';

/**
 * Whether two resources have the same content: every element except `id` and `meta` is equal, in any order of keys. Two
 * exports of one Coverage under two ids are one Coverage. `isSameTarget` compares the texts of literal references,
 * because a server may write the same reference relative or absolute.
 *
 * @example
 * hasSameContent({ resourceType: 'Basic', id: 'a' }, { resourceType: 'Basic', id: 'b' }); // true
 */
export function hasSameContent(left: Resource, right: Resource, isSameTarget: IsSameTarget = isSameText): boolean {
  return left === right || isEqualObject({ ...left }, { ...right }, ownKeys, isSameTarget);
}

type IsSameTarget = (left: string, right: string) => boolean;

/**
 * Whether two parts of a resource have the same content: every element except `id` and `sequence` is equal, in any
 * order of keys. An EHR may repeat an entry of a list under another id or sequence.
 *
 * @example
 * isSamePart({ sequence: 1, text: 'daily' }, { text: 'daily', sequence: 2 }); // true
 */
export function isSamePart(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) return isEqual(left, right, isSameText);
  return left === right || isEqualObject(left, right, partKeys, isSameText);
}

/**
 * A text that is equal for two resources if `hasSameContent` holds: their elements except `id` and `meta`, with sorted
 * keys. It finds equal resources among many without comparing each pair. `spelled` returns the canonical spelling of a
 * literal reference.
 */
export function contentText(resource: Resource, spelled: (reference: string) => string = asStated): string {
  return JSON.stringify(resource, (key, value: unknown) => {
    if (isObject(value)) return sortedKeys(key === '' ? { ...value, id: undefined, meta: undefined } : value);
    return key === 'reference' && typeof value === 'string' ? spelled(value) : spelledAlike(key, value);
  });
}

function asStated(reference: string): string {
  return reference;
}

function isSameText(left: string, right: string): boolean {
  return left === right;
}

// Two exports may spell the same code system differently.
function spelledAlike(key: string, value: unknown): unknown {
  return key === 'system' && typeof value === 'string' ? canonicalSystem(value) : value;
}

function sortedKeys(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

const ownKeys: ReadonlySet<string> = new Set(['id', 'meta']);
const partKeys: ReadonlySet<string> = new Set(['id', 'sequence']);
const none: ReadonlySet<string> = new Set();

function isEqual(left: unknown, right: unknown, isSameTarget: IsSameTarget): boolean {
  if (left === right) return true;
  if (Array.isArray(left))
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isEqual(item, right[index], isSameTarget))
    );
  return isObject(left) && isObject(right) && isEqualObject(left, right, none, isSameTarget);
}

function isEqualObject(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
  except: ReadonlySet<string>,
  isSameTarget: IsSameTarget,
): boolean {
  const isSame = (key: string): boolean => {
    const [one, other] = [left[key], right[key]];
    if (key === 'reference' && typeof one === 'string' && typeof other === 'string') return isSameTarget(one, other);
    return isEqual(spelledAlike(key, one), spelledAlike(key, other), isSameTarget);
  };
  const keys = statedKeys(left, except);
  return (
    keys.length === statedKeys(right, except).length && keys.every((key) => Object.hasOwn(right, key) && isSame(key))
  );
}

function statedKeys(value: Readonly<Record<string, unknown>>, except: ReadonlySet<string>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined && !except.has(key));
}
