import { z } from 'zod';
import { nearest } from '../did-you-mean.ts';
import { inOurWords } from '../issue-words.ts';
import type { AgreeSource } from '../roles/agree.ts';
import { type Clause, has, last, latest, lowest, namedBy, when } from '../roles/clauses.ts';
import type { RoleTable } from '../roles/define.ts';
import { type Addition, additions, type RoleChange, type RoleChanges, refusedChanges } from '../roles/role-change.ts';
import { type AskWhen, advises, blocks } from '../roles/words.ts';
import { refusalOfExpression } from './expression.ts';
import type { OverlayProblem } from './site-overlay.ts';

export interface ReadRoles {
  readonly changes: RoleChanges;
  readonly problems: readonly OverlayProblem[];
}

const path = z.string().min(1);
const words = z.string().min(1);
const Preference = z.union([
  z.strictObject({ when: path, text: words, otherwise: words.optional() }),
  z.strictObject({ last: path, text: words }),
  z.strictObject({ lowest: path, text: words.optional() }),
  z.strictObject({ latest: path }),
  z.strictObject({ namedBy: path, text: words }),
]);
type Preference = z.infer<typeof Preference>;
const Unless = z.strictObject({ when: path, text: words });
const Ask = z.strictObject({
  when: path,
  message: words,
  severity: z.enum(['blocks', 'warns']).default('blocks'),
  part: z.string().min(1).optional(),
});
const Source = z.strictObject({ label: words, path, read: z.string().min(1) });
const Change = z.strictObject({
  prefer: z.array(Preference).min(1).optional(),
  preferLast: z.array(Preference).min(1).optional(),
  paths: z.array(path).min(1).optional(),
  pathsFirst: z.array(path).min(1).optional(),
  unless: z.array(Unless).min(1).optional(),
  asks: z.array(Ask).min(1).optional(),
  sources: z.array(Source).min(1).optional(),
});
type Change = z.infer<typeof Change>;

/** Reads the role additions. `at` is their path in the file. */
export function readRoleChanges(
  written: Readonly<Record<string, unknown>>,
  table: RoleTable,
  at: readonly PropertyKey[],
): ReadRoles {
  const problems: OverlayProblem[] = [];
  const changes: Record<string, RoleChange> = {};
  for (const [role, change] of Object.entries(written)) {
    const place = [...at, role];
    const parsed = Change.safeParse(change, inOurWords);
    if (!table.has(role))
      problems.push({ path: place, reason: `there is no role ${role}${nearest(role, table.names)}` });
    else if (parsed.success) {
      problems.push(...refusedExpressions(parsed.data, place));
      changes[role] = changeOf(parsed.data, { table, role, place, problems });
    } else problems.push(...parsed.error.issues.flatMap((issue) => problemsOf(issue, place)));
  }
  if (problems.length > 0) return { changes, problems };
  return { changes, problems: refusedProblems(table, changes, at) };
}

/** The changes that the table refuses, as problems with their places. */
export function refusedProblems(table: RoleTable, changes: RoleChanges, at: readonly PropertyKey[]): OverlayProblem[] {
  return refusedChanges(table, changes).map(({ role, word, index, reason }) => ({
    path: [...at, role, ...(word === undefined ? [] : [word]), ...(index === undefined ? [] : [index])],
    reason,
  }));
}

function problemsOf(issue: z.core.$ZodIssue, place: readonly PropertyKey[]): OverlayProblem[] {
  const at = [...place, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(Change.shape);
    return issue.keys.map((key) => ({ path: [...at, key], reason: `there is no such key here${nearest(key, known)}` }));
  }
  if (issue.code === 'invalid_union')
    return [
      {
        path: at,
        reason: 'a preference is { when, text }, { last, text }, { lowest }, { latest } or { namedBy, text }',
      },
    ];
  return [{ path: at, reason: issue.message }];
}

function refusedExpressions(change: Change, place: readonly PropertyKey[]): OverlayProblem[] {
  return (Object.keys(change) as (keyof Change)[]).flatMap(
    (
      word, // a strict object has no other keys
    ) =>
      (change[word] ?? []).flatMap((entry, index) =>
        expressionsOf(entry).flatMap(({ key, expression }) => {
          const refused = refusalOfExpression(expression);
          const path = [...place, word, index, ...(key === undefined ? [] : [key])];
          return refused === undefined ? [] : [{ path, ...refused }];
        }),
      ),
  );
}

const expressionKeys = ['when', 'last', 'lowest', 'latest', 'namedBy', 'path'] as const;

function expressionsOf(entry: string | object): { readonly key?: string; readonly expression: string }[] {
  if (typeof entry === 'string') return [{ expression: entry }];
  return expressionKeys.flatMap((key) => {
    const expression: unknown = Reflect.get(entry, key);
    return typeof expression === 'string' ? [{ key, expression }] : [];
  });
}

interface Place {
  readonly table: RoleTable;
  readonly role: string;
  readonly place: readonly PropertyKey[];
  readonly problems: OverlayProblem[];
}

function changeOf(change: Change, at: Place): RoleChange {
  const { prefer, preferLast, paths, pathsFirst, unless, asks, sources } = change;
  return {
    prefer: prefer?.map(preferenceOf),
    preferLast: preferLast?.map(preferenceOf),
    paths,
    pathsFirst,
    unless: unless?.map(({ when: expression, text }): Clause => when(expression, text)),
    asks: asks?.map(askOf),
    sources: sources?.flatMap((source, index) => sourceOf(source, index, at)),
  };
}

function preferenceOf(written: Preference): Addition {
  if ('when' in written) return has(when(written.when, written.text), written.otherwise) as Addition;
  if ('last' in written) return last(when(written.last, written.text)) as Addition;
  if ('lowest' in written) return lowest(written.lowest, written.text) as Addition;
  if ('latest' in written) return latest(written.latest) as Addition;
  return namedBy(written.namedBy, written.text) as Addition;
}

function askOf({ when: expression, message, severity, part }: z.infer<typeof Ask>): AskWhen {
  const clause = when(expression, message);
  return severity === 'blocks' ? blocks(clause, message, 'invalid', part) : advises(clause, message, part);
}

function sourceOf({ label, path: expression, read }: z.infer<typeof Source>, index: number, at: Place): AgreeSource[] {
  const rule = at.table.rules[at.role];
  const readers = rule?.kind === 'agree' ? rule.sources.map((source) => source.read) : [];
  const found = readers.find(({ name }) => name === read);
  if (found !== undefined) return [{ label, path: expression, read: found }];
  if (additions[rule?.kind ?? 'own'].includes('sources')) {
    const names = [...new Set(readers.map(({ name }) => name))];
    const reason = `the role reads its sources by ${names.join(', ')}, not by ${read}`;
    at.problems.push({ path: [...at.place, 'sources', index, 'read'], reason });
  }
  return [];
}
