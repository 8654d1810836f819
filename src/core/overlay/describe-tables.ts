import { transformsOf } from '../mapping/words/map-transforms.ts';
import type { Table } from '../mapping/words/rules.ts';
import type { ObjectTree } from '../mapping/words/tree.ts';

export interface AddedRow {
  readonly table: string;
  readonly value: string;
  readonly key: string;
}

/** The rows in the tables of `over` that the tables of `base` do not have. */
export function addedRows(base: ObjectTree, over: ObjectTree): AddedRow[] {
  const before = tablesByName(base);
  return [...tablesByName(over).values()].flatMap((table) =>
    Object.entries(table.rows).flatMap(([value, keys = []]) => {
      const known = before.get(table.name)?.rows[value] ?? [];
      return keys.filter((key) => !known.includes(key)).map((key) => ({ table: table.name, value, key }));
    }),
  );
}

export function formatRows(name: string, rows: readonly AddedRow[]): string {
  const lines = rows.map(({ table, value, key }) => `| ${table} | \`${key}\` | ${value} |`);
  return [
    `# ${name}: rows of tables`,
    '',
    '| Table | What the chart says | Value |',
    '| --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

function tablesByName(tree: ObjectTree): ReadonlyMap<string, Table> {
  return new Map(
    transformsOf(tree).flatMap(({ lookup }) => (lookup === undefined ? [] : [[lookup.table.name, lookup.table]])),
  );
}
