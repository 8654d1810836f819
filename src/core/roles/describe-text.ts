import { code, list } from '../mapping/review/markdown.ts';
import type { DescribedAsk, DescribedRole, DescribedRoles } from './describe.ts';
import { clauseText } from './describe-clauses.ts';

export function formatRoles({ name, roles, functions }: DescribedRoles): string {
  const asked = roles.flatMap((role) => role.asks.map((ask) => [code(`%${role.role}`), ...askCells(ask)]));
  return [
    `# ${name}`,
    '',
    ...list(['Role', 'Filled by', 'From', 'Not one', 'Preferred', 'Told'], roles.map(roleCells)),
    '',
    '## Questions',
    '',
    ...list(['Role', 'Part', 'Asked when', 'Question', 'Stands at'], asked),
    '',
    `## Named functions (${functions.length})`,
    '',
    ...list(
      ['Function', 'What it does', 'Roles'],
      functions.map((one) => [one.name, one.sentence, one.roles.map((role) => code(`%${role}`)).join(', ')]),
    ),
    '',
  ].join('\n');
}

function roleCells({ role, kind, from, unless, prefer, tells }: DescribedRole): string[] {
  return [code(`%${role}`), kind, from, unless.map(clauseText), prefer, tells.map(clauseText)].map((cell) =>
    typeof cell === 'string' ? cell : cell.join('<br>'),
  );
}

function askCells({ part = '', severity, message, when = '', at }: DescribedAsk): string[] {
  const places = at.length === 0 ? 'not asked' : at.map(code).join('<br>');
  return [part, when, severity === 'blocks' ? message : `${message} (warns)`, places];
}
