import { type ChartResources, indexChart } from '../../src/core/fhir/references/graph.ts';
import type { Chart } from '../../src/core/roles/chart.ts';
import { type CandidateOrder, type ChartRequest, ordersIn } from '../../src/core/roles/select.ts';

/** One order of an export: its chart when it is a candidate, else why not. */
export type OrderChart = CandidateOrder & { readonly chart?: Chart };

/**
 * Every MedicationRequest among the resources, patient by patient. A chart takes only its own patient's resources and
 * those that belong to nobody.
 */
export function chartsOf(resources: ChartResources, request: Omit<ChartRequest, 'order' | 'patient'>): OrderChart[] {
  return ordersIn(indexChart(resources), request).map(({ fits, candidate, chart }) =>
    fits ? { ...candidate, chart } : candidate,
  );
}
