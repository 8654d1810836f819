/** The lines of a Markdown table. Cells are one line each: `|` is escaped, a line break becomes a blank. */
export function table(header: readonly string[], lines: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...lines.map(line)];
}

/** Text as Markdown code. */
export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
