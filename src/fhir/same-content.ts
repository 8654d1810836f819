import type { Resource } from 'fhir/r4.js';
import { isObject } from './is-object.ts';
import { canonicalSystem } from './systems.ts';

/**
 * Whether two resources say the same: every element is equal but `id` and `meta`, in any order of keys. Two exports of
 * one Coverage under two ids are
 * one Coverage.
 *
 * @example
 * hasSameContent({ resourceType: 'Basic', id: 'a' }, { resourceType: 'Basic', id: 'b' }); // true
 */
export function hasSameContent(left: Resource, right: Resource): boolean {
  return left === right || isEqualObject({ ...left }, { ...right }, ownKeys);
}

/**
 * Whether two parts of a resource say the same: every element is equal but `id` and `sequence`, in any order of keys.
 * An EHR repeats an entry of a list under another of them.
 *
 * @example
 * isSamePart({ sequence: 1, text: 'daily' }, { text: 'daily', sequence: 2 }); // true
 */
export function isSamePart(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) return isEqual(left, right);
  return left === right || isEqualObject(left, right, partKeys);
}

/**
 * A text that two resources have alike where `hasSameContent` holds: their elements but `id` and `meta`, the keys in
 * one order. To find the same among many without comparing each two.
 */
export function contentText(resource: Resource): string {
  return JSON.stringify(resource, (key, value: unknown) =>
    isObject(value)
      ? sortedKeys(key === '' ? { ...value, id: undefined, meta: undefined } : value)
      : spelledAlike(key, value),
  );
}

// Two exports may write one code system in two ways.
function spelledAlike(key: string, value: unknown): unknown {
  return key === 'system' && typeof value === 'string' ? canonicalSystem(value) : value;
}

function sortedKeys(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

const ownKeys: ReadonlySet<string> = new Set(['id', 'meta']);
const partKeys: ReadonlySet<string> = new Set(['id', 'sequence']);
const none: ReadonlySet<string> = new Set();

function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left))
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, index) => isEqual(item, right[index]))
    );
  return isObject(left) && isObject(right) && isEqualObject(left, right, none);
}

function isEqualObject(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
  except: ReadonlySet<string>,
): boolean {
  const keys = statedKeys(left, except);
  return (
    keys.length === statedKeys(right, except).length &&
    keys.every(
      (key) => Object.hasOwn(right, key) && isEqual(spelledAlike(key, left[key]), spelledAlike(key, right[key])),
    )
  );
}

function statedKeys(value: Readonly<Record<string, unknown>>, except: ReadonlySet<string>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined && !except.has(key));
}
