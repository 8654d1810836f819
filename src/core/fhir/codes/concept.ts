import type { CodeableConcept } from 'fhir/r4.js';

/** true when a coding of the concept has one of the codes, in any system. */
export function hasCode(concept: CodeableConcept | undefined, ...codes: readonly string[]): boolean {
  return (
    Array.isArray(concept?.coding) &&
    concept.coding.some((coding) => coding?.code !== undefined && codes.includes(coding.code))
  );
}

/** The text for a person: text, else the first display, else the first code. */
export function labelOf(concept: CodeableConcept | undefined): string | undefined {
  return (
    concept?.text ??
    concept?.coding?.find((coding) => coding.display !== undefined)?.display ??
    concept?.coding?.[0]?.code
  );
}
