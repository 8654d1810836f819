import { type Mapping, withTree } from '../../core/mapping/words/define.ts';
import { mapTransforms } from '../../core/mapping/words/map-transforms.ts';
import type { Table, Transform } from '../../core/mapping/words/rules.ts';

/** How the tables of a field cover its closed list, and which of their rows the mapping cases use. */
export interface ListCoverage {
  readonly to: string;
  /** The number of values in the list. */
  readonly values: number;
  /** Values without a row and without a stated reason. */
  readonly withoutRow: readonly string[];
  /** Values without a row, for a reason that a table states. */
  readonly stated: readonly { readonly value: string; readonly reason: string }[];
  /** The number of rows in the tables. A row is one code or text. */
  readonly rows: number;
  /** Rows from which no case got a value, by table and value. */
  readonly unusedRows: readonly { readonly table: string; readonly value: string; readonly keys: readonly string[] }[];
}

export interface WatchedTables<T> {
  /** The same mapping, whose transforms record the rows that give a value. */
  readonly mapping: Mapping<T>;
  /** Returns the use of tables so far, for each field with a table, in the order of the contract. */
  readonly lists: () => ListCoverage[];
}

/** Returns a mapping that records every use of a table's row. For coverage only. */
export function watchTables<T>(mapping: Mapping<T>): WatchedTables<T> {
  const uses: Use[] = [];
  return {
    mapping: withTree(
      mapping,
      mapTransforms(mapping.tree, (transform, to) => watchTransform(transform, to, uses)),
    ),
    lists: () => [...Map.groupBy(uses, ({ to }) => to)].map(([to, tables]) => listOf(to, tables)),
  };
}

interface Use {
  readonly to: string;
  readonly table: Table;
  readonly used: Set<string>;
}

function watchTransform(transform: Transform<unknown>, to: string, uses: Use[]): Transform<unknown> {
  if (transform.lookup === undefined) return transform;
  const { table, hits } = transform.lookup;
  const { used } = useOf(table, to, uses);
  return {
    ...transform,
    apply: (value) => {
      const made = transform.apply(value);
      if ('value' in made) for (const key of hits(value)) used.add(key);
      return made;
    },
  };
}

function useOf(table: Table, to: string, uses: Use[]): Use {
  const known = uses.find((use) => use.table === table && use.to === to);
  if (known !== undefined) return known;
  const use = { to, table, used: new Set<string>() };
  uses.push(use);
  return use;
}

function listOf(to: string, uses: readonly Use[]): ListCoverage {
  const list = [...new Set(uses.flatMap(({ table }) => table.list))];
  const rows = uses.flatMap(({ table, used }) =>
    Object.entries(table.rows).map(([value, keys = []]) => ({ table: table.name, value, keys, used })),
  );
  const led = new Set(rows.filter(({ keys }) => keys.length > 0).map(({ value }) => value));
  const missing = list
    .filter((value) => !led.has(value))
    .map((value) => ({ value, reason: uses.flatMap(({ table }) => table.without?.[value] ?? [])[0] }));
  return {
    to,
    values: list.length,
    withoutRow: missing.flatMap(({ value, reason }) => (reason === undefined ? [value] : [])),
    stated: missing.flatMap(({ value, reason }) => (reason === undefined ? [] : [{ value, reason }])),
    rows: rows.reduce((total, { keys }) => total + keys.length, 0),
    unusedRows: rows
      .map(({ table, value, keys, used }) => ({ table, value, keys: keys.filter((key) => !used.has(key)) }))
      .filter(({ keys }) => keys.length > 0),
  };
}
