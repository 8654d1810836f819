/** One line of CSV (RFC 4180), including CRLF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * A quoted cell that no spreadsheet interprets as a formula: text that begins with = + - @, a tab or a line break gets
 * a leading apostrophe (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export function csvCell(text: string): string {
  const harmless = /^[\s\u200b-\u200f\ufeff]*[=+\-@\t\r\n＝＋－＠]/u.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
