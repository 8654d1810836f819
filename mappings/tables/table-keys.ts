/** The keys of the tables' rows: `system|code` for codes, lowercase texts for displays, words and units. */

/** Keys for several codes of one system, separated by spaces. */
export function codes(system: string, list: string): string[] {
  return list.split(' ').map((code) => `${system}|${code}`.toLowerCase());
}

/** Keys for several texts, separated by `|`. */
export function texts(list: string): string[] {
  return list.split('|');
}

/** Rows for values that have the same name in `system`. The keys of a row are the code and the name. */
export function namesakes<Out extends string>(
  system: string,
  codeOf: Readonly<Record<Out, string>>,
): Readonly<Partial<Record<Out, readonly string[]>>> {
  const rows: Partial<Record<Out, readonly string[]>> = {};
  for (const value in codeOf) rows[value] = [...codes(system, codeOf[value]), value];
  return rows;
}
