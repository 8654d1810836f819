import type { Chart } from './chart.ts';

/**
 * Fills roles of several charts, role by role (by their numbers in the table), before they are mapped. Each chart is as
 * it would be alone: a role is filled once, and what cannot be filled is met again, and told, when it is mapped.
 */
export function fillTogether(charts: readonly Chart[], roles: readonly number[]): void {
  if (charts.length < 2) return;
  for (const role of roles) for (const chart of charts) fill(chart, role);
}

function fill(chart: Chart, role: number): void {
  try {
    chart.fillRole(role);
  } catch {
    // thrown again by what maps the chart
  }
}
