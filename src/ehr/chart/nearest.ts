import type { PractitionerRole, Resource } from 'fhir/r4.js';
import { conditionalReference, isSameIdentifier } from '../../core/fhir/address.ts';
import { identifiersOf } from '../../core/fhir/references/reference-index.ts';
import { openReferences, relativeTo } from './references.ts';
import { typeNamedBy } from './searches.ts';

/**
 * Returns the resources in the order in which their references should be followed: first the focal order and the
 * resources that it leads to, step by step; then other resources; then the other orders. `resources` are keyed by
 * `Type/id`.
 */
export function nearestFirst(
  resources: ReadonlyMap<string, Resource>,
  base: string,
  order: string | undefined,
): readonly Resource[] {
  const focal = order === undefined ? undefined : resources.get(`MedicationRequest/${order}`);
  const near = new Set<Resource>(focal === undefined ? [] : [focal]);
  // Iterating a Set includes elements that are added during the loop.
  for (const resource of near)
    for (const reference of openReferences(resource, base, order))
      for (const found of meantBy(reference, resources, base)) near.add(found);
  const others = [...resources.values()].filter((resource) => !near.has(resource));
  const isOrder = ({ resourceType }: Resource) => resourceType === 'MedicationRequest';
  return [...near, ...others.filter((one) => !isOrder(one)), ...others.filter(isOrder)];
}

/** Returns the resources in `resources` that match a reference or search of `openReferences`. */
export function meantBy(
  reference: string,
  resources: ReadonlyMap<string, Resource>,
  base: string,
): readonly Resource[] {
  if (!reference.includes('?')) return [resources.get(reference) ?? []].flat();
  const type = typeNamedBy(reference);
  const ofType = [...resources.values()].filter(({ resourceType }) => resourceType === type);
  const practitioner = /^PractitionerRole\?practitioner=(.+)$/.exec(reference)?.[1];
  if (practitioner !== undefined) return ofType.filter((resource) => isRoleOf(resource, practitioner, base));
  const identifier = conditionalReference(reference)?.identifier;
  return identifier === undefined
    ? []
    : ofType.filter((resource) => identifiersOf(resource).some((one) => isSameIdentifier(one, identifier)));
}

function isRoleOf(resource: Resource, practitioner: string, base: string): boolean {
  const isRole = (each: Resource): each is PractitionerRole => each.resourceType === 'PractitionerRole';
  return (
    isRole(resource) && relativeTo(base, resource.practitioner?.reference ?? '') === `Practitioner/${practitioner}`
  );
}
