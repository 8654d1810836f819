import { codeText } from './codes.generated.ts';

const codes: ReadonlySet<string> = new Set(codeText.split(' '));

/**
 * Whether a text is a code that FHIR R4 defines for any element of type `code`: a status, a use, a gender, a unit of
 * time.
 *
 * @example isFhirCode('entered-in-error') // true
 */
export function isFhirCode(text: string): boolean {
  return codes.has(text);
}
