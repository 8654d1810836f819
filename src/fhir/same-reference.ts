import type { Reference } from 'fhir/r4.js';
import { baseOf, canonicalReference, conditionalReference, logicalReference } from './address.ts';
import { canonicalSystem } from './systems.ts';

/**
 * Whether two references say the same in words, each with the base of the resource that holds it: one target, or one
 * identifier. For references that lead
 * to nothing that is here; what is contained or only named is never the same.
 */
export function isSameReference(
  one: Reference | undefined,
  baseOfOne: string | undefined,
  other: Reference | undefined,
  baseOfOther: string | undefined,
): boolean {
  return isSameText(spelled(one, baseOfOne), spelled(other, baseOfOther));
}

/**
 * `Encounter/1` under its base, or the identifier that is meant; undefined for what has no meaning outside of its
 * holder.
 */
function spelled(reference: Reference | undefined, base: string | undefined): string | undefined {
  const text = reference?.reference;
  const logical = text === undefined ? logicalReference(reference) : conditionalReference(text);
  if (logical !== undefined) return `${canonicalSystem(logical.identifier.system ?? '')}|${logical.identifier.value}`;
  return text === undefined || text === '' || text.startsWith('#') ? undefined : canonicalReference(text, base);
}

// Where only one of two has a base, the other one stands at the same server as far as anybody can tell.
function isSameText(left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  const [bases, names] = [
    [left, right].map((text) => baseOf(text)),
    [left, right].map((text) => text.slice((baseOf(text)?.length ?? -1) + 1)),
  ];
  return names[0] === names[1] && (bases[0] ?? bases[1]) === (bases[1] ?? bases[0]);
}
