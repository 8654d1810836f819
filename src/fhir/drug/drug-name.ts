import { systems } from '../systems.ts';
import { readDrugName } from './read-drug-name.ts';
import type { DrugReading } from './reading.ts';

/**
 * true for a code system whose displays are names of drugs: RxNorm and NDC. ATC, ICD and others name classes, groups
 * and reasons.
 */
export function isDrugNameSystem(system: string | undefined): boolean {
  return system === systems.rxnorm || system === systems.ndc;
}

/**
 * The reading of a text that names a drug and may be sent as its name; undefined for a class, a fragment (`250 mg
 * capsule`) or no drug.
 */
export function usableDrugName(text: string | undefined): (DrugReading & { readonly name: string }) | undefined {
  const reading = text === undefined ? undefined : readDrugName(text);
  return reading?.name === undefined ? undefined : { ...reading, name: reading.name };
}
