import type { z } from 'zod';
import { BridgeError } from '../../errors.ts';
import { type CompiledPath, compilePath } from '../../fhirpath/compile.ts';
import { isRequiredPart, keysOf, schemaAt } from '../schema.ts';
import type { AnyRule, Beside, Follows, Transform, Within } from './rules.ts';

/** A mapping's rules with every expression compiled; each leaf has the name of the mapping or overlay that wrote it. */
export type Tree = ObjectTree | FromTree | EachTree | AllTree | ConstantTree | OmitTree;

export interface ObjectTree {
  readonly kind: 'object';
  readonly entries: readonly (readonly [key: string, tree: Tree])[];
  /**
   * Whether the target is valid without this part. If so, the part is left out when it would consist of defaults only.
   * Items of lists are optional parts.
   */
  readonly optional: boolean;
}

export interface FromTree {
  readonly kind: 'from';
  readonly rule: string;
  readonly sources: readonly CompiledSource[];
  readonly follows?: Follows;
  readonly beside?: readonly CompiledBeside[];
}

/** A value to offer if no source has an accepted value. */
export interface CompiledBeside extends CompiledSource {
  readonly what: string;
}

export interface CompiledSource {
  readonly path: CompiledPath;
  readonly transform: Transform<unknown> | undefined;
}

export interface EachTree {
  readonly kind: 'each';
  readonly rule: string;
  readonly path: CompiledPath;
  readonly item: Tree;
  readonly isSingle?: true;
}

export interface AllTree {
  readonly kind: 'concat';
  readonly rule: string;
  readonly lists: readonly EachTree[];
}

export interface ConstantTree {
  readonly kind: 'constant';
  readonly rule: string;
  readonly value: unknown;
  readonly reason: string;
}

export interface OmitTree {
  readonly kind: 'omit';
  readonly rule: string;
  readonly reason: string;
}

/** Rules as written: the possible values of a key. */
export type WrittenRules = AnyRule | Within<unknown>;

/** Compiles written rules; `rule` is the name of the mapping or overlay. Throws PathError for an invalid expression. */
export function compileTree(written: WrittenRules, rule: string): Tree {
  if (!isRule(written))
    return {
      kind: 'object',
      entries: Object.entries(written).map(([key, inner]) => [key, compileTree(inner, rule)] as const),
      optional: true,
    };
  switch (written.kind) {
    case 'from':
      return {
        kind: 'from',
        rule,
        sources: written.sources.map(({ expression, transform }) => ({ path: compilePath(expression), transform })),
        ...(written.follows === undefined ? {} : { follows: written.follows }),
        ...(written.beside === undefined ? {} : { beside: written.beside.map(compileBeside) }),
      };
    case 'each':
      return compileEach(written, rule);
    case 'concat':
      return { kind: 'concat', rule, lists: written.lists.map((list) => compileEach(list, rule)) };
    case 'within':
      throw new BridgeError('mapping_invalid', {
        mapping: rule,
        reason: 'within() stands only in an overlay, over an each() of its base',
      });
    default:
      return { ...written, rule };
  }
}

function compileBeside({ expression, transform, what }: Beside): CompiledBeside {
  return { path: compilePath(expression), transform, what };
}

function compileEach(
  {
    expression,
    item,
    isSingle,
  }: { readonly expression: string; readonly item: WrittenRules; readonly isSingle?: true },
  rule: string,
): EachTree {
  const list = { kind: 'each', rule, path: compilePath(expression), item: compileTree(item, rule) } as const;
  return isSingle === true ? { ...list, isSingle } : list;
}

/** The base with an overlay's rules applied, key by key. */
export function layTree(base: Tree, written: WrittenRules, rule: string): Tree {
  if (isRule(written)) {
    if (written.kind !== 'within') return compileTree(written, rule);
    if (base.kind === 'concat')
      return { ...base, lists: base.lists.map((list) => ({ ...list, item: layTree(list.item, written.item, rule) })) };
    if (base.kind !== 'each')
      throw new BridgeError('mapping_invalid', {
        mapping: rule,
        reason: 'within() stands only over an each() of the base',
      });
    return { ...base, item: layTree(base.item, written.item, rule) };
  }
  if (base.kind !== 'object') return compileTree(written, rule);
  const over = new Map(Object.entries(written));
  const kept = base.entries.map(([key, tree]) => {
    const rules = over.get(key);
    return [key, rules === undefined ? tree : layTree(tree, rules, rule)] as const;
  });
  const known = new Set(base.entries.map(([key]) => key));
  const added = [...over]
    .filter(([key]) => !known.has(key))
    .map(([key, rules]) => [key, compileTree(rules, rule)] as const);
  return { ...base, entries: [...kept, ...added] };
}

export interface Follower {
  readonly target: string;
  readonly follows: Follows;
  readonly rule: string;
}

/** The leaves outside of lists that follow others. Throws mapping_invalid when a followed leaf has no rule. */
export function followersOf(tree: Tree, name: string): Follower[] {
  const rules = new Map(outsideLists(tree, ''));
  const followers = [...rules].flatMap(([target, rule]) =>
    rule.kind === 'from' && rule.follows !== undefined ? [{ target, follows: rule.follows, rule: rule.rule }] : [],
  );
  const unknown = followers.flatMap(({ follows }) => follows.targets).filter((target) => !rules.has(target));
  if (unknown.length > 0)
    throw new BridgeError('mapping_invalid', {
      mapping: name,
      reason: `a rule follows ${unknown.join(', ')}, which has no rule`,
    });
  return followers;
}

function outsideLists(tree: Tree, target: string): (readonly [string, Tree])[] {
  if (tree.kind !== 'object') return [[target, tree]];
  return tree.entries.flatMap(([key, inner]) => outsideLists(inner, target === '' ? key : `${target}.${key}`));
}

/**
 * The same tree with every part marked as optional or required by the schema, and with its keys in the order of the
 * schema: a body in another order would be parsed and copied as a whole just to reorder it.
 */
export function fitTree(tree: Tree, schema: z.core.$ZodType | undefined): Tree {
  if (tree.kind === 'each') return fitEach(tree, schema);
  if (tree.kind === 'concat') return { ...tree, lists: tree.lists.map((list) => fitEach(list, schema)) };
  if (tree.kind !== 'object') return tree;
  const entries = tree.entries.map(
    ([key, inner]) => [key, fitTree(inner, schema === undefined ? undefined : schemaAt(schema, [key]))] as const,
  );
  const places = new Map(keysOf(schema).map((key, place) => [key, place]));
  const placeOf = (key: string) => places.get(key) ?? places.size;
  return {
    kind: 'object',
    entries: entries.toSorted(([left], [right]) => placeOf(left) - placeOf(right)),
    optional: schema === undefined || !isRequiredPart(schema),
  };
}

function fitEach(tree: EachTree, schema: z.core.$ZodType | undefined): EachTree {
  const item = fitTree(tree.item, schema === undefined ? undefined : schemaAt(schema, [0]));
  return { ...tree, item: item.kind === 'object' ? { ...item, optional: true } : item };
}

/** The same tree without the keys that the schema does not have. */
export function placedTree(tree: Tree, schema: z.core.$ZodType): Tree {
  if (tree.kind === 'object') {
    const known = keysOf(schema);
    if (known.length === 0) return tree;
    const entries = tree.entries.flatMap(([key, inner]) => {
      const place = schemaAt(schema, [key]);
      return place === undefined ? [] : [[key, placedTree(inner, place)] as const];
    });
    return { ...tree, entries };
  }
  const item = schemaAt(schema, [0]);
  if (item === undefined) return tree;
  if (tree.kind === 'each') return { ...tree, item: placedTree(tree.item, item) };
  if (tree.kind !== 'concat') return tree;
  return { ...tree, lists: tree.lists.map((list) => ({ ...list, item: placedTree(list.item, item) })) };
}

/** The target of the first leaf of the schema for which the tree has no rule. */
export function unstatedIn(tree: Tree, schema: z.core.$ZodType, target: string): string | undefined {
  if (tree.kind === 'object') {
    const rules = new Map(tree.entries);
    for (const key of keysOf(schema)) {
      const [rule, place] = [rules.get(key), schemaAt(schema, [key])];
      const at = target === '' ? key : `${target}.${key}`;
      const found = rule === undefined || place === undefined ? at : unstatedIn(rule, place, at);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const item = schemaAt(schema, [0]);
  if (item === undefined) return undefined;
  const items = tree.kind === 'concat' ? tree.lists.map((list) => list.item) : tree.kind === 'each' ? [tree.item] : [];
  for (const one of items) {
    const found = unstatedIn(one, item, `${target}[]`);
    if (found !== undefined) return found;
  }
  return undefined;
}

type WrittenRule = Exclude<WrittenRules, { readonly [key: string]: AnyRule }>;

const kinds = ['from', 'each', 'concat', 'constant', 'omit', 'within'];

// A part of the target may also have a key `kind`, but there the value is a rule, not a string.
function isRule(written: WrittenRules): written is WrittenRule {
  return typeof written.kind === 'string' && kinds.includes(written.kind);
}
