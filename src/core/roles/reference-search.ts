import type { FhirResource, Resource } from 'fhir/r4.js';
import { isObject } from '../fhir/is-object.ts';
import { isResourceType } from '../fhir/model/model.ts';
import type { Located } from '../fhir/references/graph.ts';
import type { Expression, PathExpression, PathStep } from '../fhirpath/ast.ts';
import type { Item } from '../fhirpath/item.ts';
import { compileSearch, type OpenSearch } from '../fhirpath/predicate.ts';
import type { Facts } from './facts.ts';
import { holderOf } from './subject.ts';

/** The context in which a reference is resolved. */
interface From {
  readonly facts: Facts;
  readonly holder: Located<Resource>;
}

/** Whether something is found from an item; undefined if that cannot be decided without items. */
export type FindsFrom = (item: Item, facts: Facts) => boolean | undefined;

/**
 * A search through one reference, without intermediate items: `payor.resolve().ofType(Organization).name`. undefined
 * for paths of any other kind.
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
    // the search only finds references in elements of that type
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
 * Whether a path of an item leads to a reference that satisfies `meets`, which is called with the resource that holds
 * the reference.
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
    // a value assembled from several places has no single holder
    if (!isObject(item.value) || item.origin.parts !== undefined) return undefined;
    const holder = holderOf(item, facts);
    return holder === undefined ? undefined : search(item.value, { facts, holder });
  };
}

// A resource inside another one holds its own references.
function leavesResource(step: PathStep): boolean {
  return step.kind === 'member' && (step.name === 'contained' || step.name === 'resource');
}

function resourceTypeAt(step: PathStep | undefined): FhirResource['resourceType'] | undefined {
  if (step?.kind !== 'typed' || step.name !== 'ofType' || !isResourceType(step.type)) return undefined;
  if (step.type === 'Resource' || step.type === 'DomainResource') return undefined;
  return step.type as FhirResource['resourceType']; // the condition above checked it
}

function startingAtContext(tree: PathExpression, at: number): PathExpression {
  return { ...tree, head: { ...tree.head, kind: 'context' }, steps: tree.steps.slice(at) };
}
