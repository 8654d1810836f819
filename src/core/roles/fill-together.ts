import type { Chart } from './chart.ts';

/**
 * Fills these roles of several charts, role by role, before the charts are mapped. `roles` are numbers in the table.
 * The results are the same as for each chart alone: a role is filled once, and mapping the chart throws the same
 * errors.
 */
export function fillTogether(charts: readonly Chart[], roles: readonly number[]): void {
  if (charts.length < 2) return;
  for (const role of roles) for (const chart of charts) fill(chart, role);
}

function fill(chart: Chart, role: number): void {
  try {
    chart.fillRole(role);
  } catch {
    // mapping the chart throws the error again
  }
}
