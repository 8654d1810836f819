import type { ObservationReferenceRange, Quantity, Range, Ratio } from 'fhir/r4.js';
import { meaningful } from '../fhir/text/placeholder.ts';

/** A Quantity as the chart writes it: `8.2 %`, `<0.01 [IU]/mL`. Undefined without a value. */
export function quantityText(quantity: Quantity | undefined): string | undefined {
  if (quantity?.value === undefined) return undefined;
  const amount = `${quantity.comparator ?? ''}${quantity.value}`;
  const unit = quantity.unit ?? quantity.code;
  // UCUM: `1` is the unit of a pure number.
  return unit === undefined || unit === '1' ? amount : `${amount} ${unit}`;
}

/** Example: `4 % to 5.6 %`, `from 4 %`, `up to 5.6 %`. Undefined without a bound. */
export function rangeText(range: Pick<Range, 'low' | 'high'> | undefined): string | undefined {
  const [low, high] = [quantityText(range?.low), quantityText(range?.high)];
  if (low !== undefined && high !== undefined) return `${low} to ${high}`;
  if (low !== undefined) return `from ${low}`;
  return high === undefined ? undefined : `up to ${high}`;
}

/** A titer or proportion: `1:160`. Undefined unless both sides have a value. */
export function ratioText(ratio: Ratio | undefined): string | undefined {
  const [numerator, denominator] = [quantityText(ratio?.numerator), quantityText(ratio?.denominator)];
  return numerator === undefined || denominator === undefined ? undefined : `${numerator}:${denominator}`;
}

/** The laboratory's normal range: its text, or else its bounds. */
export function referenceRangeText(range: ObservationReferenceRange | undefined): string | undefined {
  return meaningful(range?.text) ?? rangeText(range);
}
