import { expect } from 'vitest';

/** The text with each table at its place: below the comment with its name, where the last one stands or none yet. */
export function withTables(text: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((filled, [name, table]) => {
    const place = new RegExp(`<!-- ${name} -->\n(?:\n\\|[^\n]*(?:\n\\|[^\n]*)*\n)?`);
    expect(filled).toMatch(place);
    return filled.replace(place, () => `<!-- ${name} -->\n\n${table}\n`);
  }, text);
}

/** A Markdown table; a `|` in a cell does not end it. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
