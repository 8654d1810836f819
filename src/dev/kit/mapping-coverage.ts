import type { MappingInput } from '../../core/mapping/input.ts';
import type { Edits, MappingResult } from '../../core/mapping/result.ts';
import { type DescribedRow, describeMapping, describeOverlays } from '../../core/mapping/review/describe-mapping.ts';
import { runMapping } from '../../core/mapping/run/run.ts';
import { enumAt, leavesOf } from '../../core/mapping/schema.ts';
import { parseTarget, valueAt } from '../../core/mapping/target.ts';
import type { Mapping } from '../../core/mapping/words/define.ts';
import { type ListCoverage, watchTables } from './list-coverage.ts';
import { addSource, type RecordedInput, recordReads } from './record-reads.ts';

/** Which parts of a mapping the mapping cases prove, and which they do not. */
export interface Coverage {
  readonly fixtures: number;
  /** `sources`: how many sources the rules have. `fields`: how many leaves of the target are sent. */
  readonly sources: number;
  readonly fields: number;
  /** Sources of rules that gave no value in any case. */
  readonly idleSources: readonly { readonly to: string; readonly expression: string; readonly rule: string }[];
  /** Leaves of the target that no case produced. Leaves that the mapping omits with a reason are left out. */
  readonly unproduced: readonly string[];
  /** Elements of the cases' resources that no rule read in any case, with the number of cases. */
  readonly unread: readonly { readonly element: string; readonly fixtures: number }[];
  /** Rules that an overlay repeats unchanged. */
  readonly idleOverlays: readonly { readonly to: string; readonly rule: string }[];
  /** Values of the target's enums that no case produced. */
  readonly unusedEnums: readonly { readonly to: string; readonly values: readonly string[] }[];
  /** For each field with a closed list that tables fill: values without a row, and rows that no case uses. */
  readonly lists: readonly ListCoverage[];
}

export interface CoverageCase {
  readonly input: MappingInput;
  /** Elements that were read to fill the roles, without indexes, from `watchResources`. */
  readonly read?: ReadonlySet<string>;
  readonly edits?: Edits;
}

/** Runs every case and reports unused parts. `ignored`: elements that are unread for a stated reason. */
export function coverageOf<T>(
  mapping: Mapping<T>,
  cases: readonly CoverageCase[],
  ignored: readonly string[] = [],
): Coverage {
  const recordings: RecordedInput[] = [];
  const results: MappingResult<T>[] = [];
  const read = new Set<string>();
  const watched = watchTables(mapping);
  for (const { input, edits, read: chosenBy = [] } of cases) {
    for (const element of chosenBy) read.add(element);
    const recorded = recordReads(input, mapping.roles?.names);
    const edited = edits === undefined ? {} : { edits };
    recordings.push(recorded);
    // The results come from `input`, since its recorded copy lacks the chart's original spelling of systems and texts.
    results.push(runMapping(watched.mapping, input, edited));
    for (const { source } of runMapping(watched.mapping, recorded.input, edited).provenance)
      if (source !== undefined) addSource(source.path, read);
    for (const element of recorded.read) read.add(element);
  }
  // A later source is not read in a case where an earlier source answers. So an element is reported as unread only if
  // no case read it.
  const unread = new Map<string, number>();
  for (const element of recordings.flatMap((recorded) => recorded.unread(read)))
    unread.set(element, (unread.get(element) ?? 0) + 1);
  const rows = describeMapping(mapping);
  return {
    fixtures: cases.length,
    sources: rows.reduce((sum, { from }) => sum + from.length, 0),
    fields: sentLeaves(leavesOf(mapping.schema), rows).length,
    idleSources: idleSources(rows, results),
    unproduced: unproduced(leavesOf(mapping.schema), rows, results),
    unread: [...unread]
      .filter(([element]) => !ignored.some((part) => element === part || element.startsWith(`${part}.`)))
      .map(([element, fixtures]) => ({ element, fixtures }))
      .sort((left, right) => right.fixtures - left.fixtures || left.element.localeCompare(right.element, 'en')),
    idleOverlays: idleOverlays(mapping),
    unusedEnums: unusedEnums(mapping, results),
    lists: watched.lists(),
  };
}

/**
 * Whether something must be fixed: an unused rule, field or overlay entry, or a value of a closed list without a row
 * and without a stated reason.
 */
export function hasHoles({ idleSources, unproduced, idleOverlays, lists }: Coverage): boolean {
  return [idleSources, unproduced, idleOverlays, ...lists.map(({ withoutRow }) => withoutRow)].some(
    (found) => found.length > 0,
  );
}

function idleSources(
  rows: readonly DescribedRow[],
  results: readonly MappingResult<unknown>[],
): Coverage['idleSources'] {
  const used = new Set(
    results.flatMap((result) => result.provenance.map((entry) => `${general(entry.target)} ${entry.expression}`)),
  );
  const filled = new Set(results.flatMap((result) => result.provenance.map((entry) => general(entry.target))));
  return rows.flatMap((row) => {
    if (row.kind === 'each')
      return [...filled].some((target) => target.startsWith(row.to))
        ? []
        : [{ to: row.to, expression: row.from[0]?.expression ?? '', rule: row.rule }];
    return row.from
      .filter(({ expression }) => !used.has(`${row.to} ${expression}`))
      .map(({ expression }) => ({ to: row.to, expression, rule: row.rule }));
  });
}

function unproduced(
  leaves: readonly string[],
  rows: readonly DescribedRow[],
  results: readonly MappingResult<unknown>[],
): string[] {
  const filled = new Set(results.flatMap((result) => result.provenance.map((entry) => general(entry.target))));
  return sentLeaves(leaves, rows).filter(
    (leaf) =>
      ![...filled].some((target) => target === leaf || target.startsWith(`${leaf}.`) || target.startsWith(`${leaf}[`)),
  );
}

/** Leaves that the mapping does not omit with a reason. */
function sentLeaves(leaves: readonly string[], rows: readonly DescribedRow[]): string[] {
  const omitted = rows.filter((row) => row.kind === 'omit').map((row) => row.to);
  return leaves.filter((leaf) => !inside(leaf, omitted));
}

function inside(leaf: string, parts: readonly string[]): boolean {
  return parts.some((name) => leaf === name || leaf.startsWith(`${name}.`) || leaf.startsWith(`${name}[`));
}

function idleOverlays<T>(mapping: Mapping<T>): Coverage['idleOverlays'] {
  return describeOverlays(mapping).flatMap(({ name, changes, written }) => {
    const changed = new Set(changes.map((change) => change.to));
    return written.filter((to) => !changed.has(to)).map((to) => ({ to, rule: name }));
  });
}

function unusedEnums<T>(mapping: Mapping<T>, results: readonly MappingResult<T>[]): Coverage['unusedEnums'] {
  return leavesOf(mapping.schema).flatMap((leaf) => {
    const options = enumAt(mapping.schema, parseTarget(leaf.replaceAll('[]', '[0]')));
    if (options === undefined) return [];
    const seen = new Set(
      results.flatMap((result) =>
        result.provenance
          .filter((entry) => general(entry.target) === leaf)
          .map((entry) => valueAt(bodyOf(result), parseTarget(entry.target))),
      ),
    );
    const values = options.filter((option) => !seen.has(option));
    return values.length === 0 ? [] : [{ to: leaf, values }];
  });
}

function bodyOf(result: MappingResult<unknown>): unknown {
  return result.status === 'complete' ? result.body : result.draft;
}

function general(target: string): string {
  return target.replaceAll(/\[\d+\]/g, '[]');
}
