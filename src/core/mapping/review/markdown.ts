/**
 * The lines of a Markdown table, which is also readable as plain text: short columns are padded to one width, numbers
 * are right-aligned. Cells are one line each: `|` is escaped, a line break becomes a blank.
 */
export function table(header: readonly string[], lines: readonly (readonly string[])[]): string[] {
  const rows = [header, ...lines].map((cells) =>
    cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')),
  );
  const columns = header.map((_, at) => columnOf(rows.map((cells) => cells[at] ?? '')));
  const padded = (cell: string, { width, isNumber }: Column) => (isNumber ? cell.padStart(width) : cell.padEnd(width));
  const line = (cells: readonly string[]) =>
    `| ${columns.map((column, at) => padded(cells[at] ?? '', column)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rule = columns.map(({ width, isNumber }) => {
    const dashes = '-'.repeat(Math.max(3, width));
    return isNumber ? `${dashes.slice(1)}:` : dashes;
  });
  return [line(head), line(rule), ...body.map(line)];
}

/** In characters. A column with longer cells is not padded, because every line would become as long as the longest. */
const widest = 60;

interface Column {
  readonly width: number;
  readonly isNumber: boolean;
}

function columnOf([head = '', ...cells]: readonly string[]): Column {
  const width = Math.max(3, head.length, ...cells.map(({ length }) => length));
  const isNumber = cells.length > 0 && cells.every((cell) => /^[\d,]+$/.test(cell));
  return { width: width > widest ? 0 : width, isNumber };
}

/**
 * The lines of a Markdown list, for cells that are too long for a table: the first cell of each line, and below it each
 * other cell with content, after the name of its column. `<br>` divides a cell into a nested list.
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

export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
