import { isObject } from '../is-object.ts';

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
      let isReference = false;
      let hasIdentifier = false;
      // Every element of every resource, each looked at once: read by name, what an object does not have costs most.
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
