import type { Question } from '../mapping/input.ts';
import type { Source } from '../mapping/result.ts';
import type { Candidate, Chart } from './chart.ts';
import type { RoleTable } from './define.ts';
import { isAgreeReading } from './fill/agree.ts';

/** The choice for one role of a chart, with its reason, for a person. Contains values of the chart. */
export interface ExplainedRole {
  readonly role: string;
  /**
   * `Coverage/2`, or `Patient/1#name[0]` for a part. Absent when no candidate was chosen, or when sources must agree.
   */
  readonly chosen?: string;
  readonly reason?: string;
  readonly refused: readonly Candidate[];
  /** For sources that must agree: the place and the text of each source. */
  readonly sources: readonly { readonly source?: Source; readonly words: string }[];
  readonly questions: readonly Question[];
}

/** The roles of a chart that have a choice, a question or sources, in the order of the table. */
export function explainRoles(chart: Chart, { names, rules }: Pick<RoleTable, 'names' | 'rules'>): ExplainedRole[] {
  const questions = chart.questions(names);
  return names.flatMap((role): ExplainedRole[] => {
    const own = questions.filter((question) => question.role === role);
    const sources = rules[role]?.kind === 'agree' ? sourcesOf(chart, role) : [];
    const choice = chart.choice(role);
    if (choice === undefined && own.length === 0 && sources.length === 0) return [];
    if (choice === undefined) return [{ role, refused: [], sources, questions: own }];
    const { chosen, reason, candidates } = choice;
    const refused = candidates.filter(({ reference }) => reference !== chosen);
    const explained = { role, reason, refused, sources, questions: own };
    return [chosen === undefined ? explained : { ...explained, chosen }];
  });
}

function sourcesOf(chart: Chart, role: string): ExplainedRole['sources'] {
  return chart.root(role).nodes.flatMap(({ value, source }) => {
    if (!isAgreeReading(value)) return [];
    return [source === undefined ? { words: value.words } : { source, words: value.words }];
  });
}

/** One line for the role, followed by lines for its candidates, sources and questions. */
export function formatRole({ role, chosen, reason, refused, sources, questions }: ExplainedRole): string[] {
  const head = reason === undefined ? `  ${role}` : `  ${role}: ${chosen ?? 'none'}: ${reason}`;
  return [
    head,
    ...refused.map(({ reference, label, reason: why }) => `      not ${reference} (${label}): ${why}`),
    ...sources.map(({ source, words }) => `      ${placeOf(source)} says ${JSON.stringify(words)}`),
    ...questions.flatMap(questionLines),
  ];
}

function placeOf(source: Source | undefined): string {
  return source === undefined ? 'a person' : `${source.resource} ${source.path}`;
}

function questionLines({ part, severity, message, options = [] }: Question): string[] {
  const about = part === undefined ? '' : ` about ${part}`;
  return [
    `      ${severity === 'blocks' ? 'asks' : 'warns'}${about}: ${message}`,
    ...options.map(({ value, label }) => `          choose ${value}${label === value ? '' : `: ${label}`}`),
  ];
}
