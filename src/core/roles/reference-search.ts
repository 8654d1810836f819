import type { FhirResource, Resource } from 'fhir/r4.js';
import { isObject } from '../fhir/is-object.ts';
import { isResourceType } from '../fhir/model/model.ts';
import type { Located } from '../fhir/references/graph.ts';
import type { Expression, PathExpression, PathStep } from '../fhirpath/ast.ts';
import type { Item } from '../fhirpath/item.ts';
import { compileSearch, type OpenSearch } from '../fhirpath/predicate.ts';
import type { Facts } from './facts.ts';
import { holderOf } from './subject.ts';

interface From {
  readonly facts: Facts;
  readonly holder: Located<Resource>;
}

/** Whether a search from an item finds a value. Undefined if this cannot be decided without creating items. */
export type FindsFrom = (item: Item, facts: Facts) => boolean | undefined;

/**
 * Compiles a search through one reference that creates no items: `payor.resolve().ofType(Organization).name`. Undefined
 * for any other path.
 */
export function compileThroughReference(
  tree: Expression,
  holds: (found: unknown, facts: Facts) => boolean,
): FindsFrom | undefined {
  if (tree.kind !== 'path') return undefined;
  const at = tree.steps.findIndex((step) => step.kind === 'call' && step.name === 'resolve');
  const type = resourceTypeAt(tree.steps[at + 1]);
  if (at < 1 || type === undefined) return undefined;
  const search = compileSearch(startingAtContext(tree, at + 2), holds);
  if (search === undefined) return undefined;
  let isOpen = false;
  const find = compileReferences({ ...tree, steps: tree.steps.slice(0, at) }, (reference, { facts, holder }) => {
    // the search finds only references in elements of type Reference
    const target = facts.resolve(reference as never, holder, type);
    const isFound = target === undefined ? false : search(target.resource, facts);
    if (isFound === undefined) isOpen = true;
    return isFound ?? true;
  });
  return (item, facts) => {
    const isFound = find?.(item, facts);
    if (!isOpen) return isFound;
    isOpen = false;
    return undefined;
  };
}

/**
 * Compiles whether a path leads to a reference for which `meets` is true. `meets` also gets the resource that has the
 * reference.
 */
export function compileReferences(
  tree: Expression,
  meets: (reference: unknown, from: From) => boolean,
): FindsFrom | undefined {
  if (tree.kind !== 'path' || tree.steps.some(leavesResource)) return undefined;
  const isItself = tree.head.kind === 'this' && tree.steps.length === 0;
  const search: OpenSearch<From> | undefined = isItself ? meets : compileSearch(tree, meets);
  if (search === undefined) return undefined;
  return (item, facts) => {
    // a value from several places has no single holder
    if (!isObject(item.value) || item.origin.parts !== undefined) return undefined;
    const holder = holderOf(item, facts);
    return holder === undefined ? undefined : search(item.value, { facts, holder });
  };
}

// A resource inside another resource is the holder of its own references.
function leavesResource(step: PathStep): boolean {
  return step.kind === 'member' && (step.name === 'contained' || step.name === 'resource');
}

function resourceTypeAt(step: PathStep | undefined): FhirResource['resourceType'] | undefined {
  if (step?.kind !== 'typed' || step.name !== 'ofType' || !isResourceType(step.type)) return undefined;
  if (step.type === 'Resource' || step.type === 'DomainResource') return undefined;
  return step.type as FhirResource['resourceType']; // the condition above checked the type
}

function startingAtContext(tree: PathExpression, at: number): PathExpression {
  return { ...tree, head: { ...tree.head, kind: 'context' }, steps: tree.steps.slice(at) };
}
