import { variablesOf } from '../../fhirpath/compile.ts';
import type { Environment, Items } from '../../fhirpath/environment.ts';
import type { MappingInput, Unread } from '../input.ts';
import type { ListSource, PlacePlan } from '../plan/plan.ts';
import { refusedItem, unreadRefused } from '../refused.ts';
import type { Look, RefusedValue } from '../result.ts';
import type { CompiledSource } from '../words/tree.ts';
import { readItems, transformed } from './read-items.ts';
import { type Value, valueUnder } from './value.ts';

const mostItems = 3;
const mostLooks = 12;

export interface LookScope {
  readonly input: MappingInput;
  readonly environment: Environment;
}

/** The rule of a place of the body, and the items that its relative paths start from. */
export interface RuledPlace {
  readonly plan: PlacePlan;
  readonly context: Items;
}

/**
 * The rule that fills a place; undefined if none does. An item that a person added has no node, so its rule is that of
 * the whole list.
 */
export function ruleAt(
  plan: PlacePlan,
  values: Value | undefined,
  path: readonly PropertyKey[],
): RuledPlace | undefined {
  let place: RuledPlace = { plan, context: [] };
  let at = values;
  for (const key of path) {
    at = valueUnder(at, key);
    if (place.plan.kind === 'list') {
      if (at?.kind !== 'part' || at.plan === undefined || at.node === undefined) return place;
      place = { plan: at.plan, context: [at.node] };
    } else if (place.plan.kind === 'part') {
      const inner = place.plan.fields.find((field) => field.key === key);
      if (inner === undefined) return undefined;
      place = { plan: inner, context: place.context };
    } else return place;
  }
  return place;
}

/**
 * How far every expression got that could have filled a place. The expressions run again with counts, so this is only
 * called on demand.
 */
export function looksAt({ plan, context }: RuledPlace, scope: LookScope): Look[] {
  return looksOf(plan, context, scope).slice(0, mostLooks);
}

/** Whether the search for a role that a place reads found something and refused it. */
export function isRefusedByRoles({ plan }: RuledPlace, { input }: LookScope): boolean {
  return sourcesOf(plan)
    .flatMap((source) => roleLooks(source, input))
    .some(({ refused }) => refused !== undefined);
}

function sourcesOf(plan: PlacePlan): readonly CompiledSource[] {
  switch (plan.kind) {
    case 'read':
      return plan.sources;
    case 'list':
      return plan.sources.flatMap(({ path, item }) => [{ path, transform: undefined }, ...sourcesOf(item)]);
    case 'part':
      return plan.fields.flatMap(sourcesOf);
    case 'constant':
      return [];
  }
}

function looksOf(plan: PlacePlan, context: Items, scope: LookScope): Look[] {
  switch (plan.kind) {
    case 'read':
      return plan.sources.flatMap((source) => [lookOf(source, context, scope), ...roleLooks(source, scope.input)]);
    case 'list':
      return plan.sources.flatMap((source) => looksOfList(source, context, scope));
    case 'part':
      return plan.fields.flatMap((field) => looksOf(field, context, scope));
    case 'constant':
      return [];
  }
}

function looksOfList({ path, item }: ListSource, context: Items, scope: LookScope): Look[] {
  const source = { path, transform: undefined };
  const { steps, failed } = path.trace(context, scope.environment);
  const nodes = readItems(path, context, scope.environment) ?? [];
  return [
    lookWith(source, steps, failedAt(failed)),
    ...roleLooks(source, scope.input),
    ...nodes.slice(0, mostItems).flatMap((node) => looksOf(item, [node], scope)),
  ];
}

function lookOf(source: CompiledSource, context: Items, scope: LookScope): Look {
  const { steps, failed } = source.path.trace(context, scope.environment);
  const refused = failedAt(failed);
  for (const item of readItems(source.path, context, scope.environment) ?? []) {
    const result = transformed(source, item);
    if ('refused' in result) refused.push(refusedItem(result.refused, item));
  }
  return lookWith(source, steps, refused);
}

function failedAt(failed: string | undefined): RefusedValue[] {
  return failed === undefined ? [] : [{ why: 'several_values', words: failed }];
}

function lookWith({ path }: CompiledSource, steps: Look['steps'], refused: readonly RefusedValue[]): Look {
  const { expression } = path;
  return refused.length === 0 ? { expression, steps } : { expression, steps, refused };
}

// If a member was not read, a path finds no values under it.
function unreadLooks(expression: string, role: string, unread: readonly Unread[] = []): readonly Look[] {
  const refused = unread.filter(({ member }) => expression.includes(`%${role}.${member}`)).map(unreadRefused);
  return refused.length === 0 ? [] : [{ expression, steps: [], refused }];
}

function roleLooks({ path }: CompiledSource, input: MappingInput): readonly Look[] {
  return [...new Set(variablesOf(path.tree))].flatMap((role) => {
    const root = input.root(role);
    if (root === undefined) return [];
    // If no node was chosen for the role, the lookup of its selection shows how far the selection got.
    return root.nodes.length > 0 ? unreadLooks(path.expression, role, root.unread) : (root.looks ?? []);
  });
}
