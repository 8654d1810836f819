import type { Coverage } from 'fhir/r4.js';
import type { CaseKind } from '../../cases/case.ts';
import type { Chart } from '../../core/roles/chart.ts';
import { targetOf } from './kind-pages.ts';
import type { Leaves } from './leaves.ts';

/** Facts that distinguish coverages with the same name. */
export interface CoverageFacts {
  /** The last four characters of the member number. */
  readonly memberEnd?: string;
  readonly rxBin?: string;
  readonly group?: string;
  readonly period?: { readonly start?: string; readonly end?: string };
}

/** The chart with a chosen coverage, and the values of its request. */
export interface CoveredChart {
  readonly chart: Chart;
  readonly values: Leaves;
}

/**
 * The facts of each coverage that can be chosen, by reference, with the values that would be sent. `choosing` maps the
 * chart as if that coverage were chosen.
 */
export function coverageFactsOf(
  kind: CaseKind,
  chart: Chart,
  choosing: (coverage: string) => CoveredChart,
): ReadonlyMap<string, CoverageFacts> {
  const candidates = chart.choice('coverage')?.candidates ?? [];
  if (candidates.length < 2) return new Map();
  return new Map(candidates.map(({ reference }) => [reference, factsOf(kind, choosing(reference))]));
}

function factsOf(kind: CaseKind, { chart, values }: CoveredChart): CoverageFacts {
  const textAt = (name: 'member' | 'rxBin' | 'group') => values.get(targetOf(kind, name) ?? '')?.toString();
  const [memberEnd, rxBin, group] = [textAt('member')?.slice(-4), textAt('rxBin'), textAt('group')];
  const period = (chart.root('coverage').nodes[0]?.value as Coverage | undefined)?.period; // the role has Coverages
  return {
    ...(memberEnd === undefined ? {} : { memberEnd }),
    ...(rxBin === undefined ? {} : { rxBin }),
    ...(group === undefined ? {} : { group }),
    ...(period === undefined ? {} : { period: daysOf(period) }),
  };
}

function daysOf({ start, end }: NonNullable<Coverage['period']>): NonNullable<CoverageFacts['period']> {
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}
