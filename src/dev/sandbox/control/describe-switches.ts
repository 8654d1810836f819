import type { LedgerKinds } from './ledger.ts';
import { limits, type SwitchTable } from './switches.ts';

export function switchesAsMarkdown(table: SwitchTable): string {
  const rows = Object.entries(table).map(
    ([name, { meaning, values, off, example }]) =>
      `| \`${name}\` | ${meaning} | ${values} | ${off} | \`${JSON.stringify(example)}\` |`,
  );
  return [
    '| switch | meaning | values | while it is not set | example of a value |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** Markdown rows of the limits that an order may have. */
export function limitsAsMarkdown(): string {
  const rows = limits.map(({ name, meaning }) => `| \`${name}\` | ${meaning} |`);
  return ['| limit | meaning |', '|---|---|', ...rows].join('\n');
}

/** Markdown rows of the kinds of events in a ledger. */
export function ledgerAsMarkdown(kinds: LedgerKinds): string {
  const rows = Object.entries(kinds).map(([kind, { meaning, facts }]) => `| \`${kind}\` | ${meaning} | ${facts} |`);
  return ['| kind | when | facts |', '|---|---|---|', ...rows].join('\n');
}

export function switchesAsText(table: SwitchTable): string {
  const width = Math.max(...Object.keys(table).map((name) => name.length));
  return Object.entries(table)
    .map(([name, { values, off }]) => `  ${name.padEnd(width)}  ${plain(values)} (default: ${plain(off)})`)
    .join('\n');
}

function plain(words: string): string {
  return words.replaceAll('`', '');
}
