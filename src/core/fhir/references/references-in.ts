import { isObject } from '../is-object.ts';

/**
 * Every reference inside a resource or an element that has to be resolved: Reference elements (literal, logical,
 * search-style) and the addresses of Binary. References to contained resources are omitted, because their targets are
 * in the resource itself.
 */
export function referencesIn(within: unknown): readonly unknown[] {
  const found: unknown[] = [];
  // A list of the values still to be visited, because recursion into deeply nested input could exhaust the stack.
  const open: unknown[] = [within];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      for (const inner of value) if (isContainer(inner)) open.push(inner);
    } else if (isObject(value)) {
      let isReference = false;
      let hasIdentifier = false;
      // This loop visits every element of every resource once. It reads only properties that an object has, because
      // looking up missing ones would cost the most.
      for (const name in value) {
        const inner = value[name];
        if (isContainer(inner)) {
          open.push(inner);
          if (name === 'identifier') hasIdentifier = isObject(inner) && typeof inner.value === 'string';
        } else if (typeof inner === 'string') {
          if (name === 'reference') isReference = true;
          else if (name === 'url' && binary.test(inner)) found.push(inner);
        }
      }
      if (isReference ? !String(value.reference).startsWith('#') : hasIdentifier) found.push(value);
    }
  }
  return found;
}

const binary = /(^|\/)Binary\/[^/]+$/;

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
