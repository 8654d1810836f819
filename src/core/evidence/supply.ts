import { dayAfter, daysBetween } from '../fhir/time/calendar-days.ts';

/** A period in which a drug was available. Days are ISO dates such as `2026-11-21`. */
export interface SupplySpan {
  readonly from: string;
  /** The last day. Absent when unknown. */
  readonly to?: string;
  /** Days of supply of a fill. Supply left over from an earlier fill is used first. */
  readonly days?: number;
}

export interface SupplyGap {
  /** The first day without supply; `to` is the last. */
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

/**
 * The periods in which the patient had no drug left. After a supply of unknown duration, no gap is reported until the
 * next supply.
 */
export function gapsBetween(supplies: readonly SupplySpan[]): SupplyGap[] {
  const gaps: SupplyGap[] = [];
  let covered: string | undefined;
  let stocked: string | undefined; // only fills leave a stock, stated periods do not
  for (const supply of supplies.toSorted((left, right) => left.from.localeCompare(right.from))) {
    const free = covered === undefined ? undefined : dayAfter(covered, 1);
    if (free !== undefined && supply.from > free)
      gaps.push({ from: free, to: dayAfter(supply.from, -1), days: daysBetween(free, supply.from) });
    if (supply.days === undefined) covered = lastDayCovered(supply, covered);
    else {
      stocked = lastDayCovered(supply, stocked);
      covered = covered !== undefined && stocked !== undefined && covered > stocked ? covered : stocked;
    }
  }
  return gaps;
}

/** The last day that a supply covers if earlier supply lasts until `covered`. Undefined when unknown. */
export function lastDayCovered({ from, to, days }: SupplySpan, covered: string | undefined): string | undefined {
  if (days !== undefined)
    return dayAfter(covered !== undefined && covered >= from ? dayAfter(covered, 1) : from, days - 1);
  if (to === undefined) return undefined;
  return covered !== undefined && covered > to ? covered : to;
}
