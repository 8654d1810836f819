import { compilePath } from '../../core/fhirpath/compile.ts';
import { EvaluationError } from '../../core/fhirpath/error.ts';
import { environmentOf } from '../../core/mapping/run/environment.ts';
import type { Chart } from '../../core/roles/chart.ts';
import { pathsOf, type RoleTable } from '../../core/roles/define.ts';
import { describeRoles } from '../../core/roles/describe.ts';
import { fillRoles } from './watch-resources.ts';
import type { WatchedClause, WatchedRoles } from './watch-roles.ts';

/** Which parts of a role table the mapping cases prove, and which they do not. */
export interface RoleCoverage {
  readonly roles: number;
  readonly unfilled: readonly string[];
  /** Paths to a role's candidates that find nothing in any case. */
  readonly idlePaths: readonly { readonly role: string; readonly expression: string }[];
  /** Clauses (exclusions, preferences and questions) that match no candidate of any case. */
  readonly idleClauses: readonly WatchedClause[];
  /** Questions and warnings that no case brings up. */
  readonly unasked: readonly { readonly role: string; readonly message: string }[];
}

/**
 * Fills every role of every chart and reports the parts that were never used. The charts must be built from
 * `watched.table`.
 */
export function coverageOfRoles(watched: WatchedRoles, charts: readonly Chart[]): RoleCoverage {
  const { table } = watched;
  for (const chart of charts) fillRoles(chart, table.names);
  const filled = new Set(charts.flatMap((chart) => table.names.filter((role) => chart.root(role).nodes.length > 0)));
  return {
    roles: table.names.length,
    unfilled: table.names.filter((role) => !filled.has(role)),
    idlePaths: idlePaths(table, charts),
    unasked: unasked(table, charts),
    idleClauses: watched.idle(),
  };
}

export function hasRoleHoles({ unfilled, idlePaths, idleClauses, unasked }: RoleCoverage): boolean {
  return [unfilled, idlePaths, idleClauses, unasked].some((found) => found.length > 0);
}

/** Text for people. Parts without findings are left out. */
export function formatRoleCoverage({ roles, unfilled, idlePaths, idleClauses, unasked }: RoleCoverage): string {
  const lines = [
    ...unfilled.map((role) => `  %${role} is filled in no case\n`),
    ...idlePaths.map(({ role, expression }) => `  %${role}: ${expression} finds nothing in any case\n`),
    ...idleClauses.map(({ role, words, test }) => `  %${role}: no case meets ${said(words)}${test}\n`),
    ...unasked.map(({ role, message }) => `  %${role}: no case brings up “${message}”\n`),
  ];
  return `\nRoles: ${roles}, ${roles - unfilled.length} of them filled\n${lines.join('')}`;
}

function said(words: string): string {
  return words === '' ? '' : `“${words}”, `;
}

function idlePaths(table: RoleTable, charts: readonly Chart[]): RoleCoverage['idlePaths'] {
  const environments = charts.map((chart) => environmentOf(chart));
  return Object.entries(table.rules).flatMap(([role, rule]) =>
    startsOf(rule).flatMap((expression) => {
      const path = compilePath(expression);
      const isFound = environments.some((environment) => {
        try {
          return path.run([], environment).length > 0;
        } catch (error) {
          if (error instanceof EvaluationError) return false;
          throw error;
        }
      });
      return isFound ? [] : [{ role, expression }];
    }),
  );
}

function startsOf(rule: Parameters<typeof pathsOf>[0]): string[] {
  return pathsOf(rule).flatMap(({ expression, relative }) => (relative ? [] : [expression]));
}

function unasked(table: RoleTable, charts: readonly Chart[]): RoleCoverage['unasked'] {
  const asked = new Map<string, string>();
  for (const { role, message } of charts.flatMap((chart) => chart.questions(table.names)))
    asked.set(role, `${asked.get(role) ?? ''}${message}\n`);
  const warned = charts.flatMap(({ warnings }) => warnings).join('\n');
  return describeRoles(table, []).roles.flatMap(({ role, kind, asks, tells }) => {
    const questions = ownWords.has(kind) ? [] : asks.map(({ message }) => message);
    const missing = questions.filter((message) => !patternOf(message).test(asked.get(role) ?? ''));
    const unseen = tells.map(({ words }) => words).filter((words) => !patternOf(words).test(warned));
    return [...missing, ...unseen].map((message) => ({ role, message }));
  });
}

// The engine itself writes the questions of these kinds of roles, so the role table has none to prove.
const ownWords: ReadonlySet<string> = new Set(['computed', 'reasons']);

/**
 * Returns a pattern for a message: each `{path}` matches any text, and so does `the {rightSource}`, which may read
 * `another text`.
 */
function patternOf(words: string): RegExp {
  const parts = words.split(/(?:the )?\{[^{}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.*'), 'i');
}
