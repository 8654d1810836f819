import type { Lookup, Table, Transform, Transformed } from './rules.ts';

/**
 * A transform by a table: all rows whose keys `hits` finds for a value must lead to the same value of the list; otherwise the value is
 * refused, with the table's name.
 * @example byTable('gender', genders, (value) => (typeof value === 'string' ? [value] : []))
 */
export function byTable<Out extends string>(name: string, table: Table<Out>, hits: Lookup['hits']): Transform<Out> {
  return { name, apply: (value) => agree(table, hits(value)), lookup: { table, hits } };
}

/**
 * The value of the row with this key, undefined when there is none.
 * @example rowOf(doseForms, 'oral tablet') // 'tablet'
 */
export function rowOf<Out extends string>(table: Table<Out>, key: string): Out | undefined {
  return rowsOf(table).get(key);
}

/**
 * The one value that all these rows lead to, or why there is none.
 * @example agree(doseForms, ['oral tablet', 'tablet']) // { value: 'tablet' }
 */
export function agree<Out extends string>(table: Table<Out>, keys: readonly string[]): Transformed<Out> {
  let only: Out | undefined;
  for (const key of keys) {
    const value = rowOf(table, key);
    if (only !== undefined && value !== undefined && value !== only)
      return { refused: `codes and text name different rows of the table ${table.name}` };
    only ??= value;
  }
  return only === undefined ? { refused: `no certain row in the table ${table.name}` } : { value: only };
}

const rowMaps = new WeakMap<object, Map<string, unknown>>();

function rowsOf<Out extends string>(table: Table<Out>): Map<string, Out> {
  const known = rowMaps.get(table) as Map<string, Out> | undefined; // set below, from the same table
  if (known !== undefined) return known;
  const rows = new Map(
    (Object.entries(table.rows) as [Out, readonly string[]][]).flatMap(([out, keys]) =>
      keys.map((key) => [key, out] as const),
    ),
  );
  rowMaps.set(table, rows);
  return rows;
}
