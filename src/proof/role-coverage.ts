import { isObject } from '../fhir/is-object.ts';
import type { Chart } from '../roles/chart.ts';
import type { RoleTable } from '../roles/define.ts';

/** What a set of fixtures proves about a table of roles, and what it does not. */
export interface RoleCoverage {
  readonly roles: number;
  /** Roles that no fixture filled. */
  readonly unfilled: readonly string[];
  /** Refusals, preferences and questions whose words no fixture brought up. */
  readonly unsaid: readonly { readonly role: string; readonly words: string }[];
}

/** Fills every role of every chart and tells what never came up; `told` holds what was said elsewhere, of orders that are no candidate. */
export function coverageOfRoles(
  table: RoleTable,
  charts: readonly Chart[],
  told: readonly string[] = [],
): RoleCoverage {
  const filled = new Set(charts.flatMap((chart) => table.names.filter((role) => chart.root(role).nodes.length > 0)));
  const said = [...new Set([...told, ...charts.flatMap((chart) => textsOf(chart, table.names))])].join('\n');
  return {
    roles: table.names.length,
    unfilled: table.names.filter((role) => !filled.has(role)),
    unsaid: Object.entries(table.rules).flatMap(([role, rule]) =>
      wordsIn(rule)
        .filter((words) => !patternOf(words).test(said))
        .map((words) => ({ role, words })),
    ),
  };
}

/** For people; nothing of what is in order. */
export function formatRoleCoverage({ roles, unfilled, unsaid }: RoleCoverage): string {
  const lines = [
    ...unfilled.map((role) => `  %${role} is filled in no fixture\n`),
    ...unsaid.map(({ role, words }) => `  %${role}: no fixture brings up “${words}”\n`),
  ];
  return `\nRoles: ${roles}, ${roles - unfilled.length} of them filled\n${lines.join('')}`;
}

function textsOf(chart: Chart, roles: readonly string[]): string[] {
  const reasons = chart.choices.flatMap(({ reason, candidates }) => [reason, ...candidates.map((one) => one.reason)]);
  return [...reasons, ...chart.warnings, ...chart.questions(roles).map(({ message }) => message)];
}

// Every clause carries its words as `text`, every question as `message`.
function wordsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? (key === 'text' || key === 'message' ? [inner] : []) : wordsIn(inner),
  );
}

/** The words with anything in the place of each `{path}`. */
function patternOf(words: string): RegExp {
  const parts = words.split(/\{[^{}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.*'), 'i');
}
