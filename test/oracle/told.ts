import { enrollment } from '../../mappings/enrollment.ts';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import type { MappingResult } from '../../src/core/mapping/result.ts';
import { runMapping, runMappings } from '../../src/core/mapping/run/run.ts';
import type { Mapping } from '../../src/core/mapping/words/define.ts';
import type { Chart } from '../../src/core/roles/chart.ts';
import { fillTogether } from '../../src/core/roles/fill-together.ts';
import { chartsOf } from '../support/charts-of.ts';

export type Entries = Parameters<typeof chartsOf>[0];

const now = new Date('2026-11-21T15:00:00Z');
const request = { roles: mappings.roles, now, site: { country: 'USA', diagnoses: 'ask' } } as const;

/** What the mappings tell of the orders of one chart, each mapped alone: body, gaps with looks, provenance. */
export function toldOf(entries: Entries): string[] {
  const charts = chartsIn(entries);
  const told = <T>(mapping: Mapping<T>) => charts.map((chart) => textOf(runMapping(mapping, chart)));
  return [...told(priorAuth), ...told(enrollment)];
}

/** The same of several charts that are mapped in one go, as `map` does: chart by chart. */
export function toldTogether(all: readonly Entries[]): string[][] {
  const told = <T>(mapping: Mapping<T>) => {
    const charts = all.map(chartsIn);
    fillTogether(charts.flat(), mappings.roles.closureOf(mapping.plan.roles));
    const texts = runMappings(mapping, charts.flat()).map(textOf);
    return charts.map((own) => texts.splice(0, own.length));
  };
  const [requests, enrollments] = [told(priorAuth), told(enrollment)];
  return requests.map((own, at) => [...own, ...(enrollments[at] ?? [])]);
}

function chartsIn(entries: Entries): Chart[] {
  return chartsOf(entries, request).flatMap(({ chart }) => chart ?? []);
}

function textOf<T>(result: MappingResult<T>): string {
  const { gaps, provenance } = result;
  return JSON.stringify({ body: result.status === 'complete' ? result.body : result.draft, gaps, provenance });
}
