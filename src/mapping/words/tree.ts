import type { z } from 'zod';
import { BridgeError } from '../../errors.ts';
import { compilePath, type Path } from '../../fhirpath/compile.ts';
import { isRequiredPart, schemaAt } from '../schema.ts';
import type { AnyRule, Follows, Transform, Within } from './rules.ts';

/** A mapping's rules with every expression compiled; each leaf knows the mapping or overlay that wrote it. */
export type Tree = ObjectTree | FromTree | EachTree | AllTree | ConstantTree | OmitTree;

export interface ObjectTree {
  readonly kind: 'object';
  readonly entries: readonly (readonly [key: string, tree: Tree])[];
  /** Whether the target does without this part: then defaults alone do not make it. Items of lists are such parts. */
  readonly optional: boolean;
}

export interface FromTree {
  readonly kind: 'from';
  readonly rule: string;
  readonly sources: readonly CompiledSource[];
  readonly follows?: Follows;
}

export interface CompiledSource {
  readonly path: Path;
  readonly transform: Transform<unknown> | undefined;
}

export interface EachTree {
  readonly kind: 'each';
  readonly rule: string;
  readonly path: Path;
  readonly item: Tree;
}

/** Several lists that make one. */
export interface AllTree {
  readonly kind: 'all';
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

/** Rules as they are written; what a key may hold. */
export type Written = AnyRule | Within<unknown>;

/** Compiles written rules; `rule` names the mapping or overlay. Throws PathError for a refused expression. */
export function compileTree(written: Written, rule: string): Tree {
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
      };
    case 'each':
      return compileEach(written, rule);
    case 'all':
      return { kind: 'all', rule, lists: written.lists.map((list) => compileEach(list, rule)) };
    case 'within':
      throw new BridgeError('mapping_invalid', {
        mapping: rule,
        reason: 'within() stands only in an overlay, over an each() of its base',
      });
    default:
      return { ...written, rule };
  }
}

function compileEach(
  { expression, item }: { readonly expression: string; readonly item: Written },
  rule: string,
): EachTree {
  return { kind: 'each', rule, path: compilePath(expression), item: compileTree(item, rule) };
}

/** The base with an overlay's rules laid over it, key by key. */
export function layTree(base: Tree, written: Written, rule: string): Tree {
  if (isRule(written)) {
    if (written.kind !== 'within') return compileTree(written, rule);
    if (base.kind === 'all')
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

/** One leaf that says in other words what others say. */
export interface Follower {
  readonly target: string;
  readonly follows: Follows;
  readonly rule: string;
}

/** The leaves outside lists that follow others. Throws mapping_invalid when one follows what has no rule. */
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

/** The same tree with every part knowing whether the schema requires it. */
export function fitTree(tree: Tree, schema: z.core.$ZodType | undefined): Tree {
  if (tree.kind === 'each') return fitEach(tree, schema);
  if (tree.kind === 'all') return { ...tree, lists: tree.lists.map((list) => fitEach(list, schema)) };
  if (tree.kind !== 'object') return tree;
  const entries = tree.entries.map(
    ([key, inner]) => [key, fitTree(inner, schema === undefined ? undefined : schemaAt(schema, [key]))] as const,
  );
  return { kind: 'object', entries, optional: schema === undefined || !isRequiredPart(schema) };
}

function fitEach(tree: EachTree, schema: z.core.$ZodType | undefined): EachTree {
  const item = fitTree(tree.item, schema === undefined ? undefined : schemaAt(schema, [0]));
  return { ...tree, item: item.kind === 'object' ? { ...item, optional: true } : item };
}

type WrittenRule = Exclude<Written, { readonly [key: string]: AnyRule }>;

const kinds = ['from', 'each', 'all', 'constant', 'omit', 'within'];

// A part of the target may have a key `kind` too; there it holds a rule, not a word.
function isRule(written: Written): written is WrittenRule {
  return typeof written.kind === 'string' && kinds.includes(written.kind);
}
