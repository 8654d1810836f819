import { dayAfter, daysBetween } from '../fhir/time/calendar-days.ts';

/** A time that a drug was at hand, in days as `2026-11-21`. */
export interface SupplySpan {
  readonly from: string;
  /** The last day; absent when nothing says it. */
  readonly to?: string;
  /** Days that a fill lasts: what is left of an earlier one is used first. */
  readonly days?: number;
}

export interface SupplyGap {
  /** First and last day without supply. */
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

/**
 * Days between supplies on which nothing was at hand. After a supply of unknown length nothing is said until the next
 * one.
 */
export function gapsBetween(supplies: readonly SupplySpan[]): SupplyGap[] {
  const gaps: SupplyGap[] = [];
  let covered: string | undefined;
  let stocked: string | undefined; // by fills alone: a time that is stated leaves nothing over
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

/** The last day that a supply covers, after one that covers until `covered`; undefined when nothing says it. */
export function lastDayCovered({ from, to, days }: SupplySpan, covered: string | undefined): string | undefined {
  if (days !== undefined)
    return dayAfter(covered !== undefined && covered >= from ? dayAfter(covered, 1) : from, days - 1);
  if (to === undefined) return undefined;
  return covered !== undefined && covered > to ? covered : to;
}
