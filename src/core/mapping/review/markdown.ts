/** The lines of a Markdown table. Cells are one line each: `|` is escaped, a line break becomes a blank. */
export function table(header: readonly string[], lines: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...lines.map(line)];
}

/**
 * The same lines as a list, for cells that are too long for a table: of each line the first cell, below it each other
 * one that says something, by the name of its column. `<br>` divides a cell into a list of its own.
 */
export function list(header: readonly string[], lines: readonly (readonly string[])[]): string[] {
  return lines.flatMap(([name = '', ...cells]) => [
    `- ${name}`,
    ...cells.flatMap((cell, at) => partsOf(header[at + 1] ?? '', cell.replaceAll('\n', ' '))),
  ]);
}

function partsOf(name: string, cell: string): string[] {
  const parts = cell.split('<br>').filter((part) => part !== '');
  if (parts.length < 2) return parts.map((part) => `  - ${name}: ${part}`);
  return [`  - ${name}:`, ...parts.map((part) => `    - ${part}`)];
}

/** Text as Markdown code. */
export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
