import { createHash } from 'node:crypto';
import { isObject } from '../core/fhir/is-object.ts';
import type { Roles } from '../core/mapping/input.ts';
import { type DescribedRow, describeMapping } from '../core/mapping/review/describe-mapping.ts';
import type { Mapping } from '../core/mapping/words/define.ts';
import { transformsOf } from '../core/mapping/words/map-transforms.ts';
import type { Table } from '../core/mapping/words/rules.ts';

const known = new WeakMap<object, string>();

/**
 * The version of a compiled mapping with its overlays and the roles that it reads, as 16 hexadecimal digits. It changes
 * with every rule, constant, table row and rule of a role, and is the same after a restart and on another machine.
 * Transforms and named functions count only by name, transforms also by their tables. Reasons, other text for people
 * and the layer that wrote a rule do not count.
 *
 * @example
 * versionOf(mappings['prior-auth']['prior-auth@valley']) // '5f1d0c6a93be2741'
 */
export function versionOf<T>(mapping: Mapping<T>): string {
  const before = known.get(mapping);
  if (before !== undefined) return before;
  const content = {
    rules: describeMapping(mapping).map(ruleOf),
    tables: tablesOf(mapping).sort(byName).map(rowsOf),
    roles: mapping.roles === undefined ? undefined : rulesOf(mapping.roles),
  };
  const version = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
  known.set(mapping, version);
  return version;
}

// The reason of a `from` names the leaves that it follows. All other reasons are text for people.
function ruleOf({ to, kind, from, value, reason }: DescribedRow): unknown {
  return { to, kind, from, value, follows: kind === 'from' ? reason : undefined };
}

function tablesOf<T>({ tree }: Mapping<T>): Table[] {
  return [...new Set(transformsOf(tree).flatMap(({ lookup }) => lookup?.table ?? []))];
}

// Keys of text for people; every other key affects the result.
const words: ReadonlySet<string> = new Set(['text', 'otherwise', 'message', 'sentence', 'missing', 'refused', 'label']);

function rulesOf(roles: Roles): unknown {
  return 'rules' in roles ? withoutWords(roles.rules) : roles.names;
}

function withoutWords(value: unknown): unknown {
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return value.map(withoutWords);
  if (!isObject(value)) return typeof value === 'function' ? undefined : value;
  const kept = Object.entries(value).filter(([key]) => !words.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutWords(inner)]));
}

function rowsOf({ name, rows }: Table): unknown {
  return { name, rows: Object.entries(rows).map(([value, keys]) => [value, keys]) };
}

function byName(one: Table, other: Table): number {
  return one.name < other.name ? -1 : Number(one.name > other.name);
}
