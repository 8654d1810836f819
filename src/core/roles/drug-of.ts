import type { DrugReading } from '../drug/reading.ts';
import { isObject } from '../fhir/is-object.ts';

/** What a source of the role of the drug says, as it was read; none of another value. */
export function drugReadings({ value }: { readonly value: unknown }): readonly DrugReading[] {
  // the source's reader put it there
  return isObject(value) && isObject(value.drug) ? [value.drug as unknown as DrugReading] : [];
}
