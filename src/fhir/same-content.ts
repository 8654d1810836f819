import type { Resource } from 'fhir/r4.js';
import { isObject } from './is-object.ts';

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

const ownKeys: ReadonlySet<string> = new Set(['id', 'meta']);
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
    keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key], right[key]))
  );
}

function statedKeys(value: Readonly<Record<string, unknown>>, except: ReadonlySet<string>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined && !except.has(key));
}
