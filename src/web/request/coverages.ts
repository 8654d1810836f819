import type { Coverage } from 'fhir/r4.js';
import type { CaseKind } from '../../cases/case.ts';
import type { Chart } from '../../core/roles/chart.ts';
import { targetOf } from './kind-pages.ts';
import type { Leaves } from './leaves.ts';

/** The facts that distinguish coverages with the same name. */
export interface CoverageFacts {
  /** The last four characters of the member number. */
  readonly memberEnd?: string;
  readonly rxBin?: string;
  readonly group?: string;
  readonly period?: { readonly start?: string; readonly end?: string };
}

/** A chart with a person's choice of coverage, and the values of its request. */
export interface CoveredChart {
  readonly chart: Chart;
  readonly values: Leaves;
}

/**
 * The facts of each selectable coverage, by reference, as they would be sent if it were chosen; `choosing` maps the
 * chart with that answer.
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
  const period = (chart.root('coverage').nodes[0]?.value as Coverage | undefined)?.period; // the role holds a Coverage
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
