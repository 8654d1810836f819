import type { DrugReading } from '../drug/reading.ts';
import { isObject } from '../fhir/is-object.ts';

/** The readings of the drug role's sources; none for other values. */
export function drugReadings({ value }: { readonly value: unknown }): readonly DrugReading[] {
  // the source's reader set it
  return isObject(value) && isObject(value.drug) ? [value.drug as unknown as DrugReading] : [];
}
