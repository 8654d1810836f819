import type { Clause, Preference, Test } from '../roles/clauses.ts';
import type { RoleTable } from '../roles/define.ts';
import type { RoleRule } from '../roles/words.ts';

export interface RoleAddition {
  readonly role: string;
  /** The list that the overlay adds to: `prefer`, `paths`, `unless`, `asks` or `sources`. */
  readonly word: string;
  /** The index in the list, from 0. `of` is the length of the list. */
  readonly index: number;
  readonly of: number;
  readonly text: string;
}

/** What an overlay adds to a role table, in the order of the table. */
export function roleAdditions(base: RoleTable, over: RoleTable): RoleAddition[] {
  return over.names.flatMap((role) => {
    const [before, after] = [base.rules[role], over.rules[role]];
    return before === undefined || after === undefined || before === after ? [] : additionsOf(role, before, after);
  });
}

const lists = ['paths', 'unless', 'prefer', 'asks', 'sources'] as const;

function additionsOf(role: string, before: RoleRule, after: RoleRule): RoleAddition[] {
  return lists.flatMap((word) => {
    const [old, list] = [listAt(before, word), listAt(after, word)];
    if (list.length === old.length) return [];
    return list.flatMap((entry, index) =>
      old.includes(entry) ? [] : [{ role, word, index, of: list.length, text: textOf(entry) }],
    );
  });
}

function listAt(rule: RoleRule, word: (typeof lists)[number]): readonly unknown[] {
  const list: unknown = Reflect.get(rule, word);
  return Array.isArray(list) ? list : [];
}

export function formatAdditions(name: string, additions: readonly RoleAddition[]): string {
  const rows = additions.map(
    ({ role, word, index, of, text }) =>
      `| \`%${role}\` | ${word} | ${place(index, of)} | ${text.replaceAll('|', '\\|')} |`,
  );
  return [`# ${name}`, '', '| Role | Adds to | Place | What |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}

function place(index: number, of: number): string {
  return `${index + 1} of ${of}`;
}

function textOf(entry: unknown): string {
  if (typeof entry === 'string') return `\`${entry}\``;
  if (isPreference(entry)) return preferenceText(entry);
  if (isAsk(entry)) return `${entry.severity}, while \`${testText(entry.when.test)}\`: ${entry.message}`;
  if (isSource(entry)) return `${entry.label}: \`${entry.path}\` by ${entry.read.name}`;
  return isClause(entry) ? `\`${testText(entry.test)}\`: ${entry.text}` : '';
}

function preferenceText(preference: Preference): string {
  switch (preference.kind) {
    case 'has':
      return `first where \`${testText(preference.clause.test)}\`: ${preference.clause.text}`;
    case 'last':
      return `last where \`${testText(preference.clause.test)}\`: ${preference.clause.text}`;
    case 'lowest':
      return `lowest \`${preference.path}\` first`;
    case 'latest':
      return `latest \`${preference.path}\` first`;
    case 'namedBy':
      return `first what \`${preference.path}\` names: ${preference.text}`;
    default:
      return preference.kind;
  }
}

function testText(test: Test): string {
  return test.kind === 'path' ? test.expression : test.kind;
}

function isPreference(entry: unknown): entry is Preference {
  return has(entry, 'kind');
}

function isAsk(entry: unknown): entry is { severity: string; message: string; when: Clause } {
  return has(entry, 'severity');
}

function isSource(entry: unknown): entry is { label: string; path: string; read: { name: string } } {
  return has(entry, 'read');
}

function isClause(entry: unknown): entry is Clause {
  return has(entry, 'test');
}

function has(entry: unknown, key: string): boolean {
  return typeof entry === 'object' && entry !== null && key in entry;
}
