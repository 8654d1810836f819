import { variablesOf } from '../../fhirpath/compile.ts';
import type { Environment, Items } from '../../fhirpath/environment.ts';
import { EvaluationError } from '../../fhirpath/error.ts';
import type { MappingInput } from '../input.ts';
import type { Look } from '../result.ts';
import type { CompiledSource, EachTree, Tree } from '../words/tree.ts';
import { type Grown, take } from './grow.ts';

const mostItems = 3;
const mostLooks = 12;

export interface LookScope {
  readonly input: MappingInput;
  readonly environment: Environment;
}

/** How far every expression got that could have filled this place of the body; runs them again with counts. */
export function looksAt(place: Spot | undefined, scope: LookScope): Look[] {
  return place === undefined ? [] : collect(place.tree, place.context, scope).slice(0, mostLooks);
}

/** A rule and what its relative paths start from. */
export interface Spot {
  readonly tree: Tree;
  readonly context: Items;
}

/** The rule that fills a target, with the item of the `each` it stands in. */
export function spotAt(tree: Tree, grown: Grown | undefined, path: readonly PropertyKey[]): Spot | undefined {
  let spot: Spot = { tree, context: [] };
  let here = grown;
  for (const key of path) {
    if ((spot.tree.kind === 'each' || spot.tree.kind === 'all') && typeof key === 'number') {
      here = here?.kind === 'array' ? here.items.filter((item) => item !== undefined)[key] : undefined;
      const { item, rules } = here?.kind === 'object' ? here : {};
      // An item that a person added has no node: the whole list's rule is the one to show.
      if (item === undefined || rules === undefined) return spot;
      spot = { tree: rules, context: [item] };
    } else {
      const inner = spot.tree.kind === 'object' ? spot.tree.entries.find(([name]) => name === key)?.[1] : undefined;
      if (inner === undefined) return spot.tree.kind === 'object' ? undefined : spot;
      here = here?.kind === 'object' ? here.fields.get(String(key)) : undefined;
      spot = { tree: inner, context: spot.context };
    }
  }
  return spot;
}

function collect(tree: Tree, context: Items, scope: LookScope): Look[] {
  switch (tree.kind) {
    case 'from':
      return tree.sources.flatMap((source) => [lookOf(source, context, scope), ...rootLooks(source, scope)]);
    case 'each':
      return collectEach(tree, context, scope);
    case 'all':
      return tree.lists.flatMap((list) => collectEach(list, context, scope));
    case 'object':
      return tree.entries.flatMap(([, inner]) => collect(inner, context, scope));
    default:
      return [];
  }
}

function collectEach(tree: EachTree, context: Items, scope: LookScope): Look[] {
  const source = { path: tree.path, transform: undefined };
  const own = [{ expression: tree.path.expression, ...told(source, context, scope) }, ...rootLooks(source, scope)];
  const nodes = found(source, context, scope);
  return [...own, ...nodes.slice(0, mostItems).flatMap((node) => collect(tree.item, [node], scope))];
}

function lookOf(source: CompiledSource, context: Items, scope: LookScope): Look {
  const refusals = new Set<string>();
  for (const item of found(source, context, scope)) {
    const taken = take(source, item);
    if ('refused' in taken) refusals.add(taken.refused);
  }
  const { steps, refused } = told(source, context, scope);
  const reasons = refused === undefined ? [...refusals] : [refused, ...refusals];
  return {
    expression: source.path.expression,
    steps,
    ...(reasons.length === 0 ? {} : { refused: reasons.join('; ') }),
  };
}

function told(source: CompiledSource, context: Items, scope: LookScope): Pick<Look, 'steps' | 'refused'> {
  const { steps, failed } = source.path.trace(context, scope.environment);
  return { steps, ...(failed === undefined ? {} : { refused: failed }) };
}

function found(source: CompiledSource, context: Items, scope: LookScope): Items {
  try {
    return source.path.run(context, scope.environment);
  } catch (error) {
    if (error instanceof EvaluationError) return [];
    throw error;
  }
}

// When nothing was chosen for a role, the choice says how far it got.
function rootLooks(source: CompiledSource, { input }: LookScope): Look[] {
  return [...new Set(variablesOf(source.path.tree))].flatMap((name) => {
    const root = input.roots[name];
    return root === undefined || root.nodes.length > 0 ? [] : (root.looks ?? []);
  });
}
