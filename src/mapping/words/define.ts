import type { z } from 'zod';
import type { DeepPartial, PartialRules, Rules } from './rules.ts';
import {
  compileTree,
  type Follower,
  fitTree,
  followersOf,
  layTree,
  type ObjectTree,
  type Tree,
  type Written,
} from './tree.ts';

/** What may be sent but should be looked at. `target` is a path into the body as in provenance. */
export interface Advice {
  readonly target: string;
  readonly message: string;
}

export interface MappingOptions<T> {
  /** Looks over a body, complete or not; each answer becomes a gap that warns. Pure. */
  advise?(body: DeepPartial<T>): readonly Advice[];
}

/** A compiled mapping. Immutable; made by `defineMapping` and `overlay` only. */
export interface Mapping<T> extends MappingOptions<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly tree: ObjectTree;
  readonly followers: readonly Follower[];
  /** The mapping itself and the overlays over it, in order; `tree` is what each of them wrote. */
  readonly layers: readonly Layer[];
}

export interface Layer {
  readonly name: string;
  readonly before: ObjectTree | undefined;
  readonly after: ObjectTree;
}

/**
 * A mapping to the target that `schema` describes. Every key of the target has a rule; each expression is compiled here,
 * so a refused one stops the process at start (PathError with expression, position and reason).
 */
export function defineMapping<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  rules: Rules<z.infer<Schema>>,
  options: MappingOptions<z.infer<Schema>> = {},
): Mapping<z.infer<Schema>> {
  const tree = objectTree(fitTree(compileTree(rules as Written, name), schema)); // Rules<T> checked the shape; T is not needed below
  return Object.freeze({
    ...options,
    name,
    schema: schema as z.ZodType<z.infer<Schema>>,
    tree,
    followers: followersOf(tree, name),
    layers: [{ name, before: undefined, after: tree }],
  });
}

/** The same mapping with single rules replaced, e.g. for a site or a vendor; may be laid over an overlay again. */
export function overlay<T>(base: Mapping<T>, name: string, rules: PartialRules<T>): Mapping<T> {
  const tree = objectTree(fitTree(layTree(base.tree, rules as Written, name), base.schema)); // PartialRules<T> checked the shape
  return Object.freeze({
    ...base,
    name,
    tree,
    followers: followersOf(tree, name),
    layers: [...base.layers, { name, before: base.tree, after: tree }],
  });
}

function objectTree(tree: Tree): ObjectTree {
  if (tree.kind !== 'object') throw new TypeError('the rules of a mapping are an object');
  return tree;
}
