import type { Chart } from './chart.ts';

/**
 * Fills roles of several charts, role by role (by their numbers in the table), before they are mapped. The results are
 * the same as for each chart alone: a role is filled once, and an error is thrown again when the chart is mapped.
 */
export function fillTogether(charts: readonly Chart[], roles: readonly number[]): void {
  if (charts.length < 2) return;
  for (const role of roles) for (const chart of charts) fill(chart, role);
}

function fill(chart: Chart, role: number): void {
  try {
    chart.fillRole(role);
  } catch {
    // thrown again when the chart is mapped
  }
}
