import { type BodyOf, type MappingKind, mappingKinds, type NamesByKind } from '../contract/kinds.ts';
import { mappingIn } from '../contract/mappings-by-kind.ts';
import { BridgeError } from '../errors.ts';
import { isA } from '../fhir/model/model.ts';
import { PathError } from '../fhirpath/error.ts';
import { planOf } from '../mapping/plan/plan.ts';
import { type Mapping, overlay, withTree } from '../mapping/words/define.ts';
import { mapTransforms } from '../mapping/words/map-transforms.ts';
import type { PartialRules } from '../mapping/words/rules.ts';
import { type OverTables, overTables } from '../mapping/words/table.ts';
import { layTree, type ObjectTree, type WrittenRules } from '../mapping/words/tree.ts';
import { checkPaths, checkRolePaths, type PathIssue, typesOfPath } from '../roles/check-paths.ts';
import type { RoleTable } from '../roles/define.ts';
import { overlayRoles, type RoleChanges, withRules } from '../roles/role-change.ts';
import { loosenedBy, overlayPath } from './loosened.ts';
import { refusedProblems } from './read-roles.ts';
import type { Registry } from './registry.ts';
import type { OverlayProblem, SiteOverlay } from './site-overlay.ts';
import { tablesOf, tablesWith, wrongRows } from './table-rows.ts';

/** A site's rules: its mappings with the overlay, and its role table. */
export interface SiteRules extends SiteMappings {
  readonly roles: RoleTable;
  /** The same role table with the roles of the answers sheet. */
  readonly answerRoles: RoleTable;
}

type SiteMappings = { readonly [Of in MappingKind]: Mapping<BodyOf[Of]> };

/**
 * Applies an overlay to a site's mappings. Checks every path against FHIR R4, and refuses rules that loosen the base.
 * Returns all problems that one pass can find.
 */
export function layOverlay(
  site: SiteOverlay,
  registry: Registry,
  bases: NamesByKind,
): SiteRules | { readonly problems: readonly OverlayProblem[] } {
  const named = mappingKinds.map((kind) => [kind, mappingIn(registry, kind, bases[kind])] as const);
  const absent = named.flatMap(([kind, mapping]) => (mapping === undefined ? [bases[kind]] : []));
  if (absent.length > 0)
    return { problems: [{ path: [], reason: `there is no mapping ${absent.join(' or ')} to lay it over` }] };
  const under = named.flatMap(([kind, mapping]) => (mapping === undefined ? [] : [[kind, mapping] as const]));
  const { tables: rows = {}, roles: changes = {} } = site;
  const tables = tablesOf(under.map(([, mapping]) => mapping.tree));
  const wrong = [...wrongRows(rows, tables), ...refusedProblems(registry.roles, changes, ['roles'])];
  if (wrong.length > 0) return { problems: wrong };
  try {
    const over = overTables(tablesWith(rows, tables));
    const roles = rolesUnder(registry, site.name, changes, Object.keys(rows).length === 0 ? undefined : over);
    const answerRoles = registry.withAnswerRoles(roles);
    const laid = under.map(([kind, mapping]) => {
      const read = kind === 'answers' ? answerRoles : roles;
      return [kind, layOver(withTables(mapping, over, read), site, kind, read)] as const;
    });
    const problems = [...misreadRoles(registry.roles, roles, changes), ...laid.flatMap(([, one]) => one.problems)];
    if (problems.length > 0) return { problems };
    const mappings = Object.fromEntries(laid.map(([kind, { mapping }]) => [kind, mapping]));
    return { ...(mappings as unknown as SiteMappings), roles, answerRoles };
  } catch (thrown) {
    return { problems: [problemOf(thrown)] };
  }
}

function rolesUnder(registry: Registry, name: string, changes: RoleChanges, over: OverTables | undefined): RoleTable {
  const { roles: base, rolesOverTables } = registry;
  const isChanged = over !== undefined && rolesOverTables !== undefined;
  const table = isChanged ? withRules(base, base.name, rolesOverTables(over)) : base;
  return table === base && Object.keys(changes).length === 0
    ? base
    : overlayRoles(table, `${base.name}@${name}`, changes);
}

function withTables<T>(base: Mapping<T>, over: OverTables, roles: RoleTable): Mapping<T> {
  return withTree({ ...base, roles }, mapTransforms(base.tree, over));
}

interface Laid<T> {
  readonly mapping?: Mapping<T>;
  readonly problems: readonly OverlayProblem[];
}

function layOver<T>(base: Mapping<T>, site: SiteOverlay, kind: MappingKind, roles: RoleTable): Laid<T> {
  const name = `${base.name}@${site.name}`;
  const rules = (site[kind] ?? {}) as PartialRules<T>;
  const tree = layTree(base.tree, rules as WrittenRules, name) as ObjectTree;
  const loosened = loosenedBy(base, { name, tree, plan: planOf(tree) }, roles);
  const inKind = (problem: OverlayProblem) => ({ ...problem, path: [kind, ...problem.path] });
  if (loosened.length > 0) return { problems: loosened.map(inKind) };
  const mapping = overlay(base, name, rules);
  const misread = checkPaths(mapping, roles.types).filter(({ rule }) => rule === name);
  return { mapping, problems: misread.map((issue) => inKind(ofIssue(issue, mapping))) };
}

function ofIssue<T>({ to, expression, position, message }: PathIssue, { tree }: Mapping<T>): OverlayProblem {
  const index = sourceIndex(tree, to, expression);
  return { path: [...overlayPath(to), ...(index === -1 ? [] : ['from', index])], reason: message, position };
}

function sourceIndex(tree: ObjectTree, to: string, expression: string): number {
  let found = -1;
  mapSources(tree, '', (target, expressions) => {
    if (target === to) found = expressions.indexOf(expression);
  });
  return found;
}

function mapSources(
  tree: ObjectTree,
  at: string,
  visit: (target: string, expressions: readonly string[]) => void,
): void {
  for (const [key, inner] of tree.entries) {
    const target = at === '' ? key : `${at}.${key}`;
    if (inner.kind === 'object') mapSources(inner, target, visit);
    else if (inner.kind === 'each' && inner.item.kind === 'object') mapSources(inner.item, `${target}[]`, visit);
    else if (inner.kind === 'from')
      visit(
        target,
        inner.sources.map(({ path }) => path.expression),
      );
  }
}

/** Added paths that FHIR R4 does not have, and added paths that find another type than the role's. */
function misreadRoles(base: RoleTable, over: RoleTable, changes: RoleChanges): OverlayProblem[] {
  if (Object.keys(changes).length === 0) return [];
  const known = new Set(checkRolePaths(base).map(({ to, expression }) => `${to} ${expression}`));
  const issues = checkRolePaths(over)
    .filter(({ to, expression }) => !known.has(`${to} ${expression}`))
    .map(({ to, expression, position, message }) => ({
      path: ['roles', to.slice(1), ...placeOf(changes[to.slice(1)], expression)],
      reason: message,
      position,
    }));
  return issues.length > 0 ? issues : wrongTypes(over, changes);
}

function wrongTypes({ rules, types }: RoleTable, changes: RoleChanges): OverlayProblem[] {
  return Object.entries(changes).flatMap(([role, change]) =>
    (['pathsFirst', 'paths'] as const).flatMap((word) =>
      (change[word] ?? []).flatMap((path, index) => {
        const [wanted, found] = [types[role] ?? [], typesOfPath(path, types)];
        const fits = found.some((type) => type !== '*' && wanted.some((one) => one === type || isA(type, one)));
        if (fits || rules[role] === undefined) return [];
        const reason =
          `it finds ${found.map((type) => (type === '*' ? 'a value of any type' : type)).join(' or ')}; the ` +
          `role holds ${wanted.join(' or ')}: ofType(...)`;
        return [{ path: ['roles', role, word, index], reason }];
      }),
    ),
  );
}

function placeOf(change: RoleChanges[string] | undefined, expression: string): PropertyKey[] {
  for (const [word, entries] of Object.entries(change ?? {}))
    for (const [index, entry] of (entries ?? []).entries())
      if (JSON.stringify(entry).includes(JSON.stringify(expression).slice(1, -1))) return [word, index];
  return [];
}

function problemOf(thrown: unknown): OverlayProblem {
  if (thrown instanceof PathError)
    return { path: [], reason: `${thrown.expression}: ${thrown.reason}`, position: thrown.position };
  if (!(thrown instanceof BridgeError)) throw thrown;
  const { role, part, reason } = thrown.facts;
  const asked = part === undefined ? `%${String(role)}` : `%${String(role)}, part ${String(part)}`;
  return {
    path: role === undefined ? [] : ['roles', String(role)],
    reason: role === undefined ? String(reason) : `${asked}: ${String(reason)}`,
  };
}
