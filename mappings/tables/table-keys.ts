/** How the rows of the tables are keyed: `system|code` for codes, lower-case texts for displays, words and units. */

/** Several codes of one system, divided by blanks. */
export function codes(system: string, list: string): string[] {
  return list.split(' ').map((code) => `${system}|${code}`.toLowerCase());
}

/** Several texts, divided by bars. */
export function texts(list: string): string[] {
  return list.split('|');
}

/** Rows for values that a code system has under the same name: by that code, and by the name. */
export function namesakes<Out extends string>(
  system: string,
  codeOf: Readonly<Record<Out, string>>,
): Readonly<Partial<Record<Out, readonly string[]>>> {
  const rows: Partial<Record<Out, readonly string[]>> = {};
  for (const value in codeOf) rows[value] = [...codes(system, codeOf[value]), value];
  return rows;
}
