import type { Reference } from 'fhir/r4.js';
import { baseOf, canonicalReference, conditionalReference, logicalReference } from '../address.ts';
import { canonicalSystem } from '../codes/systems.ts';
import type { OwnServer } from './own-server.ts';

export interface HeldReference {
  readonly reference: Reference | undefined;
  readonly base: string | undefined;
}

/**
 * Whether the texts of two references name the same target or the same identifier; for references that do not resolve
 * in the chart. References to contained resources, or with only a display, are never the same.
 */
export function isSameReference(one: HeldReference, other: HeldReference, own: OwnServer): boolean {
  return isSameText(spelled(one), spelled(other), own);
}

/**
 * The reference with its base, or the identifier; undefined for a reference that means nothing outside of the resource
 * that holds it.
 */
function spelled({ reference, base }: HeldReference): string | undefined {
  const text = reference?.reference;
  const logical = text === undefined ? logicalReference(reference) : conditionalReference(text);
  if (logical !== undefined) return `${canonicalSystem(logical.identifier.system ?? '')}|${logical.identifier.value}`;
  return text === undefined || text === '' || text.startsWith('#') ? undefined : canonicalReference(text, base);
}

function isSameText(left: string | undefined, right: string | undefined, own: OwnServer): boolean {
  if (left === undefined || right === undefined) return false;
  const [one, other] = [left, right].map((text) => baseOf(text));
  return left.slice((one?.length ?? -1) + 1) === right.slice((other?.length ?? -1) + 1) && own.isSame(one, other);
}
