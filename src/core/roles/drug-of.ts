import type { DrugReading } from '../drug/reading.ts';
import { isObject } from '../fhir/is-object.ts';

/** The readings of a node of the drug role. Empty for nodes of other roles. */
export function drugReadings({ value }: { readonly value: unknown }): readonly DrugReading[] {
  // the reader of the drug's sources set `drug`
  return isObject(value) && isObject(value.drug) ? [value.drug as unknown as DrugReading] : [];
}
