import { isObject } from './is-object.ts';

// What names or describes a resource without being part of what it says.
const apart = new Set(['id', 'meta', 'text', 'implicitRules', 'language']);

/** Whether two resources say the same: equal apart from id, meta and narrative. Lists are compared in order. */
export function sameContent(left: unknown, right: unknown): boolean {
  return left === right || (isObject(left) && isObject(right) && sameKeys(left, right, apart));
}

function sameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, at) => sameValue(item, right[at]))
    );
  }
  return isObject(left) && isObject(right) && sameKeys(left, right, new Set());
}

function sameKeys(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
  ignored: ReadonlySet<string>,
): boolean {
  const keys = Object.keys(left).filter((key) => !ignored.has(key));
  if (keys.length !== Object.keys(right).filter((key) => !ignored.has(key)).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameValue(left[key], right[key]));
}
