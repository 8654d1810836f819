import { nearest } from '../did-you-mean.ts';
import { canonicalSystem } from '../fhir/codes/systems.ts';
import { transformsOf } from '../mapping/words/map-transforms.ts';
import type { Table } from '../mapping/words/rules.ts';
import { lookUp, withRows } from '../mapping/words/table.ts';
import type { ObjectTree } from '../mapping/words/tree.ts';
import type { OverlayProblem, SiteOverlay } from './site-overlay.ts';

type Rows = NonNullable<SiteOverlay['tables']>;

export function tablesOf(trees: readonly ObjectTree[]): ReadonlyMap<string, Table> {
  const tables = trees.flatMap(transformsOf).flatMap(({ lookup }) => lookup?.table ?? []);
  return new Map(tables.map((table) => [table.name, table]));
}

export function wrongRows(rows: Rows, tables: ReadonlyMap<string, Table>): OverlayProblem[] {
  return Object.entries(rows).flatMap(([name, values]) => {
    const table = tables.get(name);
    const at = ['tables', name];
    if (table !== undefined) return wrongValues(values, table, at);
    const names = [...tables.keys()];
    return [{ path: at, reason: `there is no table ${name}; there are ${names.join(', ')}${nearest(name, names)}` }];
  });
}

function wrongValues(values: Rows[string], table: Table, at: readonly PropertyKey[]): OverlayProblem[] {
  const seen = new Map<string, string>();
  return Object.entries(values).flatMap(([value, keys]) => {
    if (!table.list.includes(value))
      return [
        { path: [...at, value], reason: `${value} is not on the list of the table${nearest(value, table.list)}` },
      ];
    return keys.flatMap((key, index) => {
      const plain = keyOf(key);
      const known = lookUp(table, plain) ?? seen.get(plain);
      seen.set(plain, value);
      if (known === undefined) return [];
      return [{ path: [...at, value, index], reason: `${plain} has a row already: ${known}` }];
    });
  });
}

/** The site's tables, each under the table that it replaces. */
export function tablesWith(rows: Rows, tables: ReadonlyMap<string, Table>): ReadonlyMap<Table, Table> {
  return new Map(
    Object.entries(rows).flatMap(([name, values]) => {
      const table = tables.get(name);
      const plain = Object.fromEntries(Object.entries(values).map(([value, keys]) => [value, keys.map(keyOf)]));
      return table === undefined ? [] : [[table, withRows(table, plain)] as const];
    }),
  );
}

// Keys are looked up in lowercase. A key with a code has the canonical URI of the code system.
function keyOf(key: string): string {
  const bar = key.lastIndexOf('|');
  const plain = bar < 0 ? key.trim() : `${canonicalSystem(key.slice(0, bar))}${key.slice(bar).trim()}`;
  return plain.toLowerCase();
}
