import type { Dosage, DosageDoseAndRate } from 'fhir/r4.js';
import { hasCode } from '../fhir/codes/concept.ts';
import { quantityText, rangeText } from './quantity-text.ts';

/**
 * The single dose of a Dosage: `40 mg`, `1 to 2 tablets`. Of several entries only those of type `ordered` count (HL7
 * dose-rate-type), and identical entries are one dose.
 */
export function doseWords({ doseAndRate = [] }: Dosage): string | undefined {
  const ordered = doseAndRate.filter(({ type }) => hasCode(type, 'ordered'));
  const [only, ...others] = new Set((ordered.length === 0 ? doseAndRate : ordered).map(amountOf));
  return others.length > 0 ? undefined : only;
}

function amountOf({ doseQuantity, doseRange }: DosageDoseAndRate): string | undefined {
  return quantityText(doseQuantity) ?? rangeText(doseRange);
}
