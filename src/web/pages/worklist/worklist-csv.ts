/** One line of a table in CSV (RFC 4180), with its line end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * A cell that no spreadsheet interprets as a formula: text that begins with = + - @, a tab or a line end gets a leading
 * apostrophe (https://owasp.org/www-community/attacks/CSV_Injection). All cells are quoted.
 */
export function csvCell(text: string): string {
  const harmless = /^[\s\u200b-\u200f\ufeff]*[=+\-@\t\r\n＝＋－＠]/u.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
