import type { CompiledPath } from '../../fhirpath/compile.ts';
import type { CompiledBeside, CompiledSource, EachTree, FromTree, ObjectTree, Tree } from '../words/tree.ts';
import { type RoleRead, readsOf } from './reads.ts';

/**
 * The compiled form of a mapping: plain data without the fields that are not sent, in the order of the target. A run
 * traverses it; `target` is the path from the body, or from the item for a place inside a list.
 */
export interface Plan {
  readonly body: PartPlan;
  /** Every leaf that can be sent, in the order of the target; a list counts as one leaf. */
  readonly leaves: readonly PlannedLeaf[];
  readonly roles: readonly string[];
}

export type PlacePlan = PartPlan | ListPlan | ReadPlan | ConstantPlan;

export interface PartPlan {
  readonly kind: 'part';
  readonly key: string;
  readonly target: string;
  /**
   * Whether the target is valid without this part. If so, the part is left out when it would consist of defaults only.
   */
  readonly optional: boolean;
  readonly fields: readonly PlacePlan[];
  /** Keys whose rule sends nothing. */
  readonly omitted: readonly string[];
}

/** A list: the items of its sources, one source after the other. */
export interface ListPlan {
  readonly kind: 'list';
  readonly key: string;
  readonly target: string;
  readonly sources: readonly ListSource[];
}

/** One item for each node that a path finds. */
export interface ListSource {
  readonly rule: string;
  readonly path: CompiledPath;
  /** Empty when no field of the list's items is sent. */
  readonly item: PlacePlan;
}

/** A leaf that is read: the first source with a result wins. */
export interface ReadPlan {
  readonly kind: 'read';
  readonly key: string;
  readonly target: string;
  readonly rule: string;
  readonly sources: readonly CompiledSource[];
  /** The options that a person gets if no source has a result. */
  readonly beside: readonly CompiledBeside[];
}

export interface ConstantPlan {
  readonly kind: 'constant';
  readonly key: string;
  readonly target: string;
  readonly rule: string;
  readonly value: unknown;
  readonly reason: string;
}

/** A leaf of the body and the roles that it reads; for a list of one item, a leaf of the item (`drugs[0].name`). */
export interface PlannedLeaf {
  readonly target: string;
  readonly reads: readonly RoleRead[];
}

export function planOf(tree: ObjectTree): Plan {
  const leaves = leavesOf(tree, '');
  const roles = new Set(leaves.flatMap(({ reads }) => reads.map(({ role }) => role)));
  return { body: partOf(tree, '', ''), leaves, roles: [...roles] };
}

function placeOf(tree: Tree, key: string, target: string): PlacePlan | undefined {
  switch (tree.kind) {
    case 'object': {
      const part = partOf(tree, key, target);
      return part.fields.length === 0 ? undefined : part;
    }
    case 'from':
      return { kind: 'read', key, target, rule: tree.rule, sources: tree.sources, beside: tree.beside ?? [] };
    case 'each':
      return { kind: 'list', key, target, sources: [listSourceOf(tree)] };
    case 'concat':
      return { kind: 'list', key, target, sources: tree.lists.map(listSourceOf) };
    case 'constant':
      return { kind: 'constant', key, target, rule: tree.rule, value: tree.value, reason: tree.reason };
    case 'omit':
      return undefined;
  }
}

function partOf(tree: ObjectTree, key: string, target: string): PartPlan {
  const places = tree.entries.map(([name, inner]) => [name, placeOf(inner, name, within(target, name))] as const);
  return {
    kind: 'part',
    key,
    target,
    optional: tree.optional,
    fields: places.flatMap(([, place]) => place ?? []),
    omitted: places.flatMap(([name, place]) => (place === undefined ? [name] : [])),
  };
}

function listSourceOf({ rule, path, item }: EachTree): ListSource {
  const nothing: PartPlan = { kind: 'part', key: '', target: '', optional: true, fields: [], omitted: [] };
  return { rule, path, item: placeOf(item, '', '') ?? nothing };
}

function leavesOf(tree: Tree, target: string, context: readonly RoleRead[] = []): PlannedLeaf[] {
  switch (tree.kind) {
    case 'object':
      return tree.entries.flatMap(([key, inner]) => leavesOf(inner, within(target, key), context));
    case 'each':
      if (tree.isSingle === true) return leavesOf(tree.item, `${target}[0]`, readsOf(tree.path.tree, context));
      return [{ target, reads: readsOfTree(tree, context) }];
    case 'from':
    case 'concat':
      return [{ target, reads: readsOfTree(tree, context) }];
    case 'constant':
      return [{ target, reads: [] }];
    case 'omit':
      return [];
  }
}

// The reads of a leaf inside a list count for the list.
function readsOfTree(tree: Tree, context: readonly RoleRead[]): RoleRead[] {
  switch (tree.kind) {
    case 'object':
      return tree.entries.flatMap(([, inner]) => readsOfTree(inner, context));
    case 'from':
      return readsOfFrom(tree, context);
    case 'each': {
      const own = readsOf(tree.path.tree, context);
      return [...own, ...readsOfTree(tree.item, own)];
    }
    case 'concat':
      return tree.lists.flatMap((list) => readsOfTree(list, context));
    default:
      return [];
  }
}

function readsOfFrom(tree: FromTree, context: readonly RoleRead[]): RoleRead[] {
  return tree.sources.flatMap(({ path }) => readsOf(path.tree, context));
}

function within(target: string, key: string): string {
  return target === '' ? key : `${target}.${key}`;
}
