import type { VNode } from 'preact';
import { Card, markup, reportPage } from '../../cli/report/frame.tsx';
import { type Bar, Bars, Shares } from '../../cli/report/pictures.tsx';
import type { Coverage } from '../kit/mapping-coverage.ts';
import type { RoleCoverage } from '../kit/role-coverage.ts';
import { coverageWords } from './report-words.ts';

export interface CoveragePage {
  readonly mapping: string;
  readonly coverage: Coverage;
  readonly roles: RoleCoverage;
}

export function* coveragePage({ mapping, coverage, roles }: CoveragePage): Generator<string> {
  yield* reportPage({ title: coverageWords.title(mapping) }, [
    markup(
      <>
        <h1>{coverageWords.title(mapping)}</h1>
        <p class="lead">{coverageWords.lead(coverage.fixtures)}</p>
        <p class="small">{coverageWords.holds}</p>
        <Overview coverage={coverage} roles={roles} />
        <div class="columns">
          <Tables lists={coverage.lists} />
          <Open coverage={coverage} roles={roles} />
        </div>
      </>,
    ),
  ]);
}

interface Counted {
  readonly label: string;
  readonly proven: number;
  readonly all: number;
}

function Overview({ coverage, roles }: Omit<CoveragePage, 'mapping'>): VNode {
  const { parts, overview, part, share, proven, unproven } = coverageWords;
  const { fields, sources, lists } = coverage;
  const rowsOf = lists.map(({ rows, unusedRows }) => ({ rows, unused: unusedRows.flatMap(({ keys }) => keys).length }));
  const [values, without] = [sum(lists.map(valuesOf)), sum(lists.map(({ withoutRow }) => withoutRow.length))];
  const [rows, unused] = [sum(rowsOf.map((one) => one.rows)), sum(rowsOf.map((one) => one.unused))];
  const counted: readonly Counted[] = [
    { label: parts.fields, proven: fields - coverage.unproduced.length, all: fields },
    { label: parts.sources, proven: sources - coverage.idleSources.length, all: sources },
    { label: parts.values, proven: values - without, all: values },
    { label: parts.rows, proven: rows - unused, all: rows },
    { label: parts.roles, proven: roles.roles - roles.unfilled.length, all: roles.roles },
  ];
  const [first] = counted;
  const shares = [
    { label: `${parts.fields}: ${proven}`, fill: 'good', count: first?.proven ?? 0 },
    { label: `${parts.fields}: ${unproven}`, fill: 'act', count: (first?.all ?? 0) - (first?.proven ?? 0) },
  ] as const;
  return (
    <Card title={overview}>
      <Shares title={overview} shares={shares} />
      <Bars heads={[part, share]} bars={counted.filter(({ all }) => all > 0).map((one) => percentBar(one))} />
    </Card>
  );
}

function valuesOf({ values, stated }: Coverage['lists'][number]): number {
  return values - stated.length;
}

/** A bar of 100 percent whose proven share is solid. */
function percentBar({ label, proven, all }: Counted): Bar {
  const share = (proven / all) * 100;
  const parts = [
    { fill: 'good', count: share },
    { fill: 'act', count: 100 - share },
  ] as const;
  return { label, parts, said: coverageWords.of(proven, all) };
}

function Tables({ lists }: Pick<Coverage, 'lists'>): VNode | null {
  const bars = lists
    .filter(({ rows }) => rows > 0)
    .map(({ to, rows, unusedRows }) =>
      percentBar({ label: to, all: rows, proven: rows - unusedRows.flatMap(({ keys }) => keys).length }),
    );
  if (bars.length === 0) return null;
  return (
    <Card title={coverageWords.tables}>
      <Bars heads={[coverageWords.field, coverageWords.share]} bars={bars} />
    </Card>
  );
}

function Open({ coverage, roles }: Omit<CoveragePage, 'mapping'>): VNode {
  const { open, nothing } = coverageWords;
  const { idleSources, unproduced, unread, idleOverlays, lists } = coverage;
  const parts: readonly (readonly [string, readonly string[]])[] = [
    [open.sources, idleSources.map(({ to, expression }) => `${to}: ${expression}`)],
    [open.fields, unproduced],
    [open.unread, unread.map(({ element, fixtures }) => `${element}: ${coverageWords.cases(fixtures)}`)],
    [open.overlays, idleOverlays.map(({ to, rule }) => `${to}: ${rule}`)],
    [open.values, lists.flatMap(({ to, withoutRow }) => withoutRow.map((value) => `${to}: ${value}`))],
    [open.roles, openRoles(roles)],
  ];
  const found = parts.filter(([, lines]) => lines.length > 0);
  if (found.length === 0)
    return (
      <Card title={coverageWords.rest}>
        <p>{nothing}</p>
      </Card>
    );
  return (
    <>
      {found.map(([title, lines]) => (
        <Card key={title} title={`${title} (${lines.length})`}>
          <ul class="small">
            {lines.map((line) => (
              <li key={line}>
                <code>{line}</code>
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </>
  );
}

function openRoles({ unfilled, idlePaths, idleClauses, unasked }: RoleCoverage): string[] {
  return [
    ...unfilled.map(coverageWords.filled),
    ...idlePaths.map(({ role, expression }) => `%${role}: ${expression}`),
    ...idleClauses.map(({ role, words, test }) => `%${role}: ${words === '' ? test : words}`),
    ...unasked.map(({ role, message }) => `%${role}: ${message}`),
  ];
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
