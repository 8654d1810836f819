import { enrollment } from '../../mappings/enrollment.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { selectChart } from '../../src/chart/select.ts';
import { readDocuments } from '../../src/documents/read-documents.ts';
import type { Readings } from '../../src/documents/readings.ts';
import type { MappingResult } from '../../src/mapping/result.ts';
import { runMapping } from '../../src/mapping/run/run.ts';
import type { SitePolicy } from '../../src/roles/policy.ts';
import type { Draft } from './draft.ts';

/** What the product makes of one chart: both requests, and what a reader is told beside them. */
export interface Outcome {
  readonly patient: string;
  readonly order: string;
  readonly priorAuth: MappingResult<unknown>;
  readonly enrollment: MappingResult<unknown>;
  readonly warnings: readonly string[];
}

export const now = new Date('2026-11-21T15:00:00Z');

/** The one place where the laws call the product. */
export function mapChart(
  entries: Draft['entries'],
  { order, site, readings }: { readonly order: string; readonly site: object; readonly readings: Readings },
): Outcome {
  const chart = selectChart(entries, { order, now, site: site as SitePolicy, readings }); // the laws write a site's policy as plain data
  return {
    patient: chart.patient,
    order: chart.order,
    priorAuth: runMapping(priorAuth, chart),
    enrollment: runMapping(enrollment, chart),
    warnings: chart.warnings,
  };
}

/** What the documents of a chart hold; no change touches them. */
export function readingsOf(entries: Draft['entries']): Promise<Readings> {
  return readDocuments(entries);
}
