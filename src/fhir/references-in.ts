import { isObject } from './is-object.ts';

/**
 * Every reference inside a resource or an element, to be resolved: Reference elements (literal, logical, search-style)
 * and the addresses of Binary.
 * Those to contained resources are left out: what they mean came along.
 */
export function referencesIn(within: unknown): readonly unknown[] {
  const found: unknown[] = [];
  // A list of what is still to be looked at, since what is nested without end would end the stack.
  const open: unknown[] = [within];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      for (const inner of value) if (isContainer(inner)) open.push(inner);
    } else if (isObject(value)) {
      if (isReference(value)) found.push(value);
      if (typeof value.url === 'string' && /(^|\/)Binary\/[^/]+$/.test(value.url)) found.push(value.url);
      // every element of every resource: a list of them would be made for each object
      for (const name in value) if (isContainer(value[name])) open.push(value[name]);
    }
  }
  return found;
}

function isReference({ reference, identifier }: Readonly<Record<string, unknown>>): boolean {
  if (typeof reference === 'string') return !reference.startsWith('#');
  return isObject(identifier) && typeof identifier.value === 'string';
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
