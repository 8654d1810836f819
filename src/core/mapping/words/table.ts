import type { Refusal } from '../../fhir/references/refusals.ts';
import type { Table, Transform, Transformed } from './rules.ts';

/** Finds the keys of a table's rows that match a value; empty when none does. */
export type Hits = (value: unknown, table: Table) => readonly string[];

/**
 * A transform by a table. All rows with a key from `hits` must lead to the same value of the list; otherwise the
 * chart's value is refused. If no row matches, `without` gives the reason.
 *
 * @example
 * const sexes: Table<'f' | 'm'> = { name: 'sex', list: ['f', 'm'], rows: { f: ['female'], m: ['male'] } };
 * const sex = byTable('sex', sexes, (value) => (typeof value === 'string' ? [value] : []));
 */
export function byTable<Out extends string>(
  name: string,
  table: Table<Out>,
  hits: Hits,
  without: (value: unknown) => Refusal = () => 'unknown_word',
): Transform<Out> {
  const found = (value: unknown) => hits(value, table);
  const over = (other: Table) => byTable(name, other, hits, without);
  const apply = (value: unknown): Transformed<Out> => {
    const keys = found(value);
    return keys.length === 0 ? { refused: without(value) } : oneRow(table, keys);
  };
  return { name, apply, lookup: { table, hits: found, over } };
}

/** The transform with further rows in its tables; unchanged when it reads none of the changed tables. */
export type OverTables = <Out>(transform: Transform<Out>) => Transform<Out>;

/**
 * Replaces the tables that transforms were made with.
 * @example overTables(new Map([[doseForms, withRows(doseForms, { tablet: ['my tab'] })]]))(doseForm).apply('my tab')
 */
export function overTables(changed: ReadonlyMap<Table, Table>): OverTables {
  return <Out>(transform: Transform<Out>): Transform<Out> => {
    const { lookup } = transform;
    const table = lookup === undefined ? undefined : changed.get(lookup.table);
    if (lookup === undefined || table === undefined) return transform;
    // the cast is safe: the changed table has the same list, so the values have the same type
    return lookup.over(table) as Transform<never>;
  };
}

/**
 * The table with further rows. A key that it already has is not added again.
 * @example
 * const answers: Table = { name: 'answer', list: ['yes', 'no'], rows: { yes: ['y'], no: ['n'] } };
 * const further = withRows(answers, { yes: ['si', 'oui'] });
 */
export function withRows(table: Table, rows: Readonly<Record<string, readonly string[]>>): Table {
  const values = [...new Set([...Object.keys(table.rows), ...Object.keys(rows)])];
  const added = (value: string) => (rows[value] ?? []).filter((key) => lookUp(table, key) === undefined);
  return {
    ...table,
    rows: Object.fromEntries(values.map((value) => [value, [...(table.rows[value] ?? []), ...added(value)]])),
  };
}

/**
 * The value of the row with this key; undefined when there is none.
 * @example
 * const forms: Table<'tablet'> = { name: 'form', list: ['tablet'], rows: { tablet: ['tablet', 'oral tablet'] } };
 * lookUp(forms, 'oral tablet'); // 'tablet'
 */
export function lookUp<Out extends string>(table: Table<Out>, key: string): Out | undefined {
  return rowsOf(table).get(key);
}

/**
 * The one value that all these rows have, or why there is none.
 * @example
 * const forms: Table<'tablet'> = { name: 'form', list: ['tablet'], rows: { tablet: ['tablet', 'oral tablet'] } };
 * oneRow(forms, ['oral tablet', 'tablet']); // { value: 'tablet' }
 */
export function oneRow<Out extends string>(table: Table<Out>, keys: readonly string[]): Transformed<Out> {
  let only: Out | undefined;
  for (const key of keys) {
    const value = lookUp(table, key);
    if (only !== undefined && value !== undefined && value !== only) return { refused: 'words_differ' };
    only ??= value;
  }
  return only === undefined ? { refused: 'unknown_word' } : { value: only };
}

const rowMaps = new WeakMap<object, Map<string, unknown>>();

function rowsOf<Out extends string>(table: Table<Out>): Map<string, Out> {
  const known = rowMaps.get(table) as Map<string, Out> | undefined; // rowMaps has the rows of this table, set below
  if (known !== undefined) return known;
  const rows = new Map(
    (Object.entries(table.rows) as [Out, readonly string[]][]).flatMap(([out, keys]) =>
      keys.map((key) => [key, out] as const),
    ),
  );
  rowMaps.set(table, rows);
  return rows;
}
