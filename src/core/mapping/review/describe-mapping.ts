import type { Mapping } from '../words/define.ts';
import type { Follows } from '../words/rules.ts';
import type { FromTree, Tree } from '../words/tree.ts';
import { code, list, table } from './markdown.ts';

export interface DescribedRow {
  /** `diagnoses[].code` */
  readonly to: string;
  readonly kind: 'from' | 'each' | 'constant' | 'omit';
  /** Expressions in the order in which they are tried, with their transforms. */
  readonly from: readonly DescribedSource[];
  /** The reason for a constant or for a field that is not sent. */
  readonly reason?: string;
  readonly value?: unknown;
  /** The mapping or overlay that the rule comes from. */
  readonly rule: string;
}

export interface DescribedSource {
  readonly expression: string;
  readonly transform?: string;
}

export function describeMapping<T>(mapping: Mapping<T>): DescribedRow[] {
  return rowsOf(mapping.tree, '');
}

/** The rows as a Markdown list; each row shows its rule only when overlays are involved. */
export function formatDescription(name: string, rows: readonly DescribedRow[]): string {
  const layered = new Set(rows.map((row) => row.rule)).size > 1;
  const header = ['To', 'From', 'Notes', ...(layered ? ['Rule'] : [])];
  const lines = rows.map((row) => [code(row.to), sourcesText(row), noteText(row), ...(layered ? [row.rule] : [])]);
  return [`# ${name}`, '', ...list(header, lines), ''].join('\n');
}

/** One change of an overlay to the layers below it. */
export interface OverlayChange {
  readonly to: string;
  readonly before: DescribedRow | undefined;
  readonly after: DescribedRow | undefined;
}

export interface DescribedOverlay {
  readonly name: string;
  readonly changes: readonly OverlayChange[];
  /** Every target that the overlay has a rule for, changed or not. */
  readonly written: readonly string[];
}

/** The changes of every overlay of a mapping, in the order in which they are applied. */
export function describeOverlays<T>(mapping: Mapping<T>): DescribedOverlay[] {
  return mapping.layers.flatMap(({ name, before, after }) => {
    if (before === undefined) return [];
    const [old, rows] = [rowsOf(before, ''), rowsOf(after, '')];
    return [
      {
        name,
        changes: changesBetween(old, rows),
        written: rows.filter((row) => row.rule === name).map((row) => row.to),
      },
    ];
  });
}

export function formatOverlay(name: string, changes: readonly OverlayChange[]): string {
  const lines = changes.map(({ to, before, after }) => [
    code(to),
    before === undefined ? '' : rowText(before),
    after === undefined ? 'not there any more' : rowText(after),
  ]);
  return [`# ${name}`, '', ...table(['To', 'Before', 'After'], lines), ''].join('\n');
}

function sayFollows({ targets, agrees }: Follows): string {
  return `beside what a person entered for ${targets.join(', ')}: ${agrees.sentence} (${agrees.name})`;
}

function reasonOf({ follows, beside = [] }: FromTree): Pick<DescribedRow, 'reason'> {
  const offers = beside.map(({ path, what }) => `offered where it is empty: ${what} (${path.expression})`);
  const notes = [...(follows === undefined ? [] : [sayFollows(follows)]), ...offers];
  return notes.length === 0 ? {} : { reason: notes.join('; ') };
}

function rowsOf(tree: Tree, to: string): DescribedRow[] {
  switch (tree.kind) {
    case 'object':
      return tree.entries.flatMap(([key, inner]) => rowsOf(inner, to === '' ? key : `${to}.${key}`));
    case 'from':
      return [
        {
          to,
          kind: 'from',
          from: tree.sources.map(({ path, transform }) => ({
            expression: path.expression,
            ...(transform === undefined ? {} : { transform: transform.name }),
          })),
          ...reasonOf(tree),
          rule: tree.rule,
        },
      ];
    case 'each':
      return [
        { to: `${to}[]`, kind: 'each', from: [{ expression: tree.path.expression }], rule: tree.rule },
        ...rowsOf(tree.item, `${to}[]`),
      ];
    case 'concat':
      return tree.lists.flatMap((list) => rowsOf(list, to));
    case 'constant':
      return [{ to, kind: 'constant', from: [], reason: tree.reason, value: tree.value, rule: tree.rule }];
    case 'omit':
      return [{ to, kind: 'omit', from: [], reason: tree.reason, rule: tree.rule }];
  }
}

function changesBetween(before: readonly DescribedRow[], after: readonly DescribedRow[]): OverlayChange[] {
  const targets = [...new Set([...before, ...after].map((row) => row.to))];
  return targets
    .map((to) => ({ to, before: before.find((row) => row.to === to), after: after.find((row) => row.to === to) }))
    .filter(
      (change) =>
        change.before === undefined || change.after === undefined || rowText(change.before) !== rowText(change.after),
    );
}

function rowText(row: DescribedRow): string {
  return [sourcesText(row), noteText(row)].filter((part) => part !== '').join(' ');
}

function sourcesText(row: DescribedRow): string {
  if (row.kind === 'constant') return code(JSON.stringify(row.value));
  if (row.kind === 'omit') return 'not sent';
  return row.from
    .map(({ expression, transform }) =>
      transform === undefined ? code(expression) : `${code(expression)} by ${transform}`,
    )
    .join(', else ');
}

function noteText(row: DescribedRow): string {
  return row.kind === 'each' ? 'one for each' : (row.reason ?? '');
}
