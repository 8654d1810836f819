import { dayAfter, daysBetween } from '../fhir/time/calendar-days.ts';

/** A fill of one ingredient. Days are ISO dates such as `2026-11-21`. */
export interface Fill {
  /** The day of `whenHandedOver`. */
  readonly day: string;
  /** Days of supply. */
  readonly days: number;
  /** Form and strength. Leftover supply is carried forward only to a fill of the same product. */
  readonly product: string;
}

/** The first and last day on which the drug was available. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/**
 * The days that fills of one ingredient cover. Leftover supply of the same form and strength is used first; another
 * strength or form begins on its own day. Two records of the same product, day and supply are one fill, because a
 * pharmacy and an EHR both record it.
 *
 * @example
 * const fill = (day: string) => ({ day, days: 30, product: 'tablet 10 MG' });
 * coveredBy([fill('2026-01-01'), fill('2026-01-21')]) // [{ from: '2026-01-01', to: '2026-03-01' }]
 */
export function coveredBy(fills: readonly Fill[]): Span[] {
  const distinct = new Map(fills.map((fill) => [`${fill.day} ${fill.days} ${fill.product}`, fill]));
  const products = Map.groupBy(distinct.values(), ({ product }) => product);
  return union([...products.values()].flatMap(carriedForward));
}

function carriedForward(fills: readonly Fill[]): Span[] {
  let stocked: string | undefined;
  return fills
    .toSorted((left, right) => left.day.localeCompare(right.day))
    .map(({ day, days }) => {
      const from = stocked !== undefined && stocked >= day ? dayAfter(stocked, 1) : day;
      stocked = dayAfter(from, days - 1);
      return { from, to: stocked };
    });
}

/** Merges spans that overlap or are adjacent, and sorts the result. */
export function union(spans: readonly Span[]): Span[] {
  const merged: { from: string; to: string }[] = [];
  for (const { from, to } of spans.toSorted((left, right) => left.from.localeCompare(right.from))) {
    const last = merged.at(-1);
    if (last === undefined || from > dayAfter(last.to, 1)) merged.push({ from, to });
    else if (to > last.to) last.to = to;
  }
  return merged;
}

/** The spans of each trial: a gap of more than `longestGap` days ends a trial. */
export function trialsIn(spans: readonly Span[], longestGap: number): Span[][] {
  const trials: Span[][] = [];
  for (const span of spans) {
    const last = trials.at(-1)?.at(-1);
    if (last === undefined || daysBetween(last.to, span.from) - 1 > longestGap) trials.push([span]);
    else trials.at(-1)?.push(span);
  }
  return trials;
}

/** The spans must not overlap. With `until`, only the days up to it count. */
export function daysIn(spans: readonly Span[], until?: string): number {
  return spans.reduce((sum, { from, to }) => {
    const last = until !== undefined && until < to ? until : to;
    return last < from ? sum : sum + daysBetween(from, last) + 1;
  }, 0);
}
