/** One line of a table in CSV (RFC 4180), with its line end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * A cell that no spreadsheet takes for a formula: what begins with = + - @, a tab or a line end gets an apostrophe in
 * front (https://owasp.org/www-community/attacks/CSV_Injection). All are quoted.
 */
export function csvCell(text: string): string {
  const harmless = /^[\s\u200b-\u200f\ufeff]*[=+\-@\t\r\n＝＋－＠]/u.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
