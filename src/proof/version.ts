import { createHash } from 'node:crypto';
import { type DescribedRow, describeMapping } from '../mapping/review/describe.ts';
import type { Mapping } from '../mapping/words/define.ts';
import type { Table } from '../mapping/words/rules.ts';
import type { Tree } from '../mapping/words/tree.ts';

const known = new WeakMap<object, string>();

/**
 * The version of a compiled mapping with its overlays: 16 hexadecimal digits that change when a rule, a constant or a row of a table does,
 * and stay over restarts and machines. Transforms count by their names and tables; reasons and the layer that wrote a rule do not count.
 *
 * @example
 * versionOf(mappings['prior-auth']['prior-auth@valley']) // '5f1d0c6a93be2741'
 */
export function versionOf<T>(mapping: Mapping<T>): string {
  const before = known.get(mapping);
  if (before !== undefined) return before;
  const content = {
    rules: describeMapping(mapping).map(ruleOf),
    tables: [...tablesOf(mapping.tree)].sort(byName).map(rowsOf),
  };
  const version = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
  known.set(mapping, version);
  return version;
}

// Of a `from`, the reason says which leaves it follows; elsewhere it is for readers only.
function ruleOf({ to, kind, from, value, reason }: DescribedRow): unknown {
  return { to, kind, from, value, follows: kind === 'from' ? reason : undefined };
}

function tablesOf(tree: Tree): Set<Table> {
  switch (tree.kind) {
    case 'object':
      return new Set(tree.entries.flatMap(([, inner]) => [...tablesOf(inner)]));
    case 'each':
      return tablesOf(tree.item);
    case 'from':
      return new Set(tree.sources.flatMap(({ transform }) => transform?.lookup?.table ?? []));
    default:
      return new Set();
  }
}

function rowsOf({ name, rows }: Table): unknown {
  return { name, rows: Object.entries(rows).map(([value, keys]) => [value, keys]) };
}

function byName(one: Table, other: Table): number {
  return one.name < other.name ? -1 : Number(one.name > other.name);
}
