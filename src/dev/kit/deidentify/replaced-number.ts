import { isA } from '../../../core/fhir/model/model.ts';
import type { ElementPlace } from './element-place.ts';
import type { Means } from './means.ts';

const amounts: ReadonlySet<string> = new Set(['Quantity', 'Money', 'Timing.repeat', 'SampledData']);

/** Amounts, results and numbers below a thousand are kept. The digits of any other number are replaced. */
export function replacedNumber(value: number, place: ElementPlace | undefined, { standIns }: Means): number {
  const holder = place?.holder ?? '';
  const isAmount =
    amounts.has(isA(holder, 'Quantity') ? 'Quantity' : holder) || /^Observation(?:\.component)?$/.test(holder);
  if (isAmount || (Number.isInteger(value) && Math.abs(value) < 1000)) return value;
  const made = Number(standIns.shape(String(value)).replace(/^(-?)0/, (_, sign: string) => `${sign}1`));
  return Number.isFinite(made) ? made : 0;
}
